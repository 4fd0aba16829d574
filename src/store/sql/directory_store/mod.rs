//! The records of the directory and the log of their changes, as [`DirectoryStore`](crate::store::DirectoryStore) describes them.

mod changes;
mod kinds;
mod load;
mod log;
pub(super) mod records;
mod version;
mod write;

pub(super) use changes::changes;
pub(super) use load::load;
pub(super) use version::current as version;
pub(super) use write::write;
