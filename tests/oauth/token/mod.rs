//! The token endpoint and the key set.

pub mod harness;

mod clients;
mod concurrency;
mod deletions;
mod exchange;
mod jwk_set;
mod key_rotation;
mod key_year;
pub mod limits;
mod refresh;
mod refresh_table;
mod requests;
mod retry_window;
mod whole_flow;
