//! The bundled examples as processes: options, output, shutdown, recovery after kill -9, and two
//! processes on one database.

#[path = "../support/mod.rs"]
mod support;

#[path = "../support/certificates.rs"]
mod certificates;

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
mod postgres_failures;
mod restart;
mod school;
mod server;
mod sign_in;
mod test_database;
mod two_processes;
