//! Data of version 1 of the schema, with rows in every table, goes on in this build.

mod given;
mod postgres;
#[path = "../support/postgres.rs"]
mod postgres_server;
mod released;
mod services;
mod sqlite;
mod store;

/// The rows in the spelling of SQLite.
const VERSION_1_ROWS: &str = include_str!("version_1.sql");
