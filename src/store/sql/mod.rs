//! Store in a SQL database.
//!
//! Each transition is written once, against a small interface (`executor.rs`), with statements that
//! both databases understand. Its first statement contains the condition under which it may change
//! rows. Only when that statement changed nothing, a second one reads why. Two concurrent
//! transitions therefore cannot both pass.

mod accounts;
mod after_restore;
mod api_key_settings;
mod api_key_usage;
mod api_keys;
mod applications;
mod approval_limits;
mod audit_records;
mod authorization_sessions;
#[cfg(feature = "sqlite")]
mod backup_error;
mod batch_upsert;
mod built_in_records;
mod calendar_feeds;
mod client_changes;
mod client_scopes;
mod client_secrets;
mod clients;
mod consents;
mod credentials;
mod database;
mod directory_store;
mod executor;
mod grant_usage;
mod grants;
mod in_list_padding;
mod insert;
mod leavers;
mod management_lock;
mod migrations;
mod open_error;
mod owners;
mod page_query;
#[cfg(feature = "postgres")]
mod postgres;
mod prepared_query;
mod protected_fields;
mod rate_limits;
mod retention;
mod row;
mod row_locks;
mod school_history;
mod scope_approvals;
mod scope_removal;
mod scope_requests;
mod scopes;
mod shared_columns;
mod signing_keys;
mod sql_store;
#[cfg(feature = "sqlite")]
mod sqlite;
mod suspensions;
mod sync_runs;
mod table_sizes;
mod tables;
mod token_request_records;
mod transaction_hook;
mod user_sessions;

pub use after_restore::RestoreReport;
#[cfg(feature = "sqlite")]
pub use backup_error::BackupError;
pub use credentials::Credentials;
pub use open_error::OpenError;
#[cfg(feature = "postgres")]
pub use postgres::PostgresBuilder;
pub use sql_store::SqlStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteBuilder;
#[cfg(feature = "testing")]
pub use transaction_hook::{Phase, TransactionHook};

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
