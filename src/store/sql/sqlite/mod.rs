//! SQLite: one thread that writes, several that read rows or lists, and the file they share.

mod builder;
mod connection;
mod error;
mod executor;
mod job;
mod limits;
mod log;
mod migrate;
mod open;
mod pool;
mod queue;
mod reader;
mod writer;

pub use builder::SqliteBuilder;
pub(super) use pool::Pool;
