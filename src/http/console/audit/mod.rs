//! Audit events, for administrators.

pub(super) mod event_page;
mod explanation;
pub(super) mod export;
mod filter;
pub(super) mod list;
mod names;
mod records;
pub(super) mod request_lookup;
mod rows;

pub(super) use explanation::explanation;
pub(super) use rows::rows;
