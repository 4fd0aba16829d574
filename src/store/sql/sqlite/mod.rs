//! SQLite: one thread that writes, several that read, and the file they share.

mod connection;
mod error;
mod executor;
mod job;
mod log;
mod migrate;
mod open;
mod pool;
mod queue;
mod reader;
mod writer;

pub(super) use open::open;
pub(super) use pool::Pool;
