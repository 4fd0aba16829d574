//! SQLite: one writer thread and several reader threads that share a file.

mod backup;
mod builder;
mod cancellation;
mod connection;
mod error;
mod executor;
mod job;
mod migrate;
mod open;
mod partial_file;
mod pool;
mod queue;
mod reader;
mod wal;
mod writer;

pub(super) use backup::{back_up, check_backup, restore};
pub use builder::SqliteBuilder;
pub(super) use migrate::ACCEPT_DATABASE;
pub(super) use pool::Pool;
