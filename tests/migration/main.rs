//! Checks that this build works on data of version 1 of the schema, with rows in every table.

mod fixtures;
mod postgres;
#[path = "../support/postgres.rs"]
mod postgres_server;
mod released;
mod restored;
mod services;
mod sqlite;
mod store;

/// Rows in SQLite's syntax.
const VERSION_1_ROWS: &str = include_str!("version_1.sql");
