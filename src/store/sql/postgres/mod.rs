//! PostgreSQL: a pool of connections, each of which runs one transition at a time.

mod builder;
mod connection;
mod connection_url;
mod error;
mod executor;
mod host_connector;
mod migrate;
mod pool;
mod tls;
mod value;

pub use builder::PostgresBuilder;
pub(super) use migrate::{ACCEPT_DATABASE, COUNT_RESTORED, IDENTITY};
pub(super) use pool::Pool;
