//! The bundled examples as processes of their own: their options, what they print, how they stop, what a kill -9 leaves behind, and two of
//! them on one database.

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/report.rs"]
mod report;

mod cluster;
mod demo;
mod failures;
mod grants;
mod keys;
mod kill;
mod limits;
mod place;
mod postgres_failures;
mod restart;
mod server;
mod sign_in;
mod two_processes;
