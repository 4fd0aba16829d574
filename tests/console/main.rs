//! The web interface, asked through its `tower::Service` as a browser would ask.

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/browser.rs"]
mod browser;

#[path = "../support/report.rs"]
mod report;

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

#[path = "../support/stores.rs"]
mod stores;

#[path = "../support/statement_counter.rs"]
mod statement_counter;

#[path = "../support/heard.rs"]
mod heard;
#[allow(dead_code, reason = "the tests of the data API use all of it")]
#[path = "../data_api/school.rs"]
mod school;

mod client_fixture;
mod given;
mod harness;
mod owed;
#[path = "../../examples/own_resource.rs"]
#[allow(dead_code, reason = "its list is used, and not its server")]
mod own_resource;
mod registry;

mod account;
mod applications;
mod approvals;
mod apps;
mod audit;
mod caps;
mod changed_meanwhile;
mod client_form;
mod client_programs;
mod client_secrets;
mod clients;
mod data;
mod deletion;
mod explain;
mod home;
mod hostile_input;
mod key_changes;
mod keys;
mod language;
mod lifetimes;
mod lookups;
mod own_pages;
mod pages;
mod password;
mod people;
mod scopes;
mod sign_in;
mod sign_out;
mod verification;

/// A test of each part that a store has a hand in.
const KNOWN: &str = "s23_signing_in_gives_a_new_token";

/// Fails if a session has no end there, and only there.
#[test]
fn everything_holds_again_over_sqlite() {
    stores::run_again_over_sqlite(&["hostile_input::", "client_programs::"], KNOWN);
}

/// The same on PostgreSQL.
#[test]
fn everything_holds_again_over_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&["hostile_input::", "client_programs::"], KNOWN);
}
