//! The authorization service, asked through its `tower::Service` as a browser or a client would ask.

#[path = "../support/report.rs"]
mod report;

#[path = "../support/postgres.rs"]
mod postgres_server;

mod harness;

mod audit;
mod authorize;
mod building;
mod consent;
mod external_login;
mod fuzzing;
mod hostile_input;
mod limits;
mod login;
mod pages;
mod redirects;
mod remembered;
mod session;
mod standards;
mod stores;
mod token;
mod wire_table;
