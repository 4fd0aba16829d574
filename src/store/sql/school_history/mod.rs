//! Enrollments that have ended, and turns of the school year: see
//! [`SchoolHistoryStore`](crate::store::SchoolHistoryStore).

mod read;
mod remove;
mod write;

pub(super) use read::{erasures, school_history, turned_records, year_turns};
pub(super) use remove::{delete_old_history, erase_history};
pub(super) use write::write_directory_with_history;
