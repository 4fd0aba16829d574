//! The turn of the school year, its undo and the school's history, for administrators.
//!
//! A turn and an undo are shown first, and exactly that is applied: the form has the code of the
//! plan, and a plan with another code is shown instead.

pub(super) mod history;
mod plan_page;
pub(super) mod show;
pub(super) mod turn;
pub(super) mod undo;

/// Path of the page about the school year.
const PATH: &str = "/admin/year";
