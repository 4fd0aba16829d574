//! The authorization service, asked through its `tower::Service` as a browser or a client would ask.

#[path = "../support/report.rs"]
mod report;

mod harness;

mod accounts;
mod audit;
mod authorize;
mod building;
mod consent;
mod external_login;
mod fuzzing;
mod hostile_input;
mod limits;
mod login;
mod manage;
mod pages;
mod redirects;
mod remembered;
mod session;
mod standards;
mod token;
mod wire_table;
