//! SQLite: one writer thread and several reader threads that share a file.

mod builder;
mod cancellation;
mod connection;
mod error;
mod executor;
mod job;
mod migrate;
mod open;
mod pool;
mod queue;
mod reader;
mod wal;
mod writer;

pub use builder::SqliteBuilder;
pub(super) use pool::Pool;
