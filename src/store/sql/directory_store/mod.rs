//! Records of the directory and the log of their changes: see
//! [`DirectoryStore`](crate::store::DirectoryStore).

mod change_log;
mod changes;
pub(super) mod from_rows;
mod load;
mod record_kinds;
mod to_rows;
mod version;
mod write;

pub(super) use changes::changes;
pub(super) use load::load;
pub(super) use version::current as version;
pub(super) use write::write;
