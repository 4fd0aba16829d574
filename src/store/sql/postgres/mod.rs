//! PostgreSQL: a pool of connections, each of which runs one transition at a time.

mod address;
mod builder;
mod connection;
mod error;
mod executor;
mod hosts;
mod migrate;
mod pool;
mod tls;
mod value;

pub use builder::PostgresBuilder;
pub(super) use pool::Pool;
