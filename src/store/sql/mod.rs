//! The same store in a SQL database.
//!
//! The transitions are written once, against a small seam (`executor.rs`), with statements that every database understands. Each begins
//! with a statement that holds its own condition and only then asks why it did nothing, so that two that run at once cannot both pass.

mod accounts;
mod api_key_uses;
mod api_keys;
mod applications;
mod audit_trail;
mod batches;
mod binding;
mod caps;
mod client_changes;
mod client_scopes;
mod client_secrets;
mod clients;
mod consents;
mod database;
mod directory_rows;
mod directory_store;
mod executor;
mod forget;
mod grants;
mod insert;
mod keys;
mod listing;
mod lock;
mod open_error;
mod owners;
mod padded;
#[cfg(feature = "postgres")]
mod postgres;
mod rate_limits;
mod registry;
mod row;
mod scope_approvals;
mod scopes;
mod sessions;
mod shape;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod sweep;
mod tables;
mod token_records;
mod usage;
mod user_sessions;
mod watch;

pub use open_error::OpenError;
#[cfg(feature = "postgres")]
pub use postgres::PostgresBuilder;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteBuilder;
pub use store::SqlStore;
#[cfg(feature = "testing")]
pub use watch::{Step, Watch};

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
