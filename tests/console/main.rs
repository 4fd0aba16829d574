//! The console, called through its `tower::Service` as a browser would.

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/browser.rs"]
mod browser;

#[path = "../support/report.rs"]
mod report;

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

#[path = "../support/one_user.rs"]
mod one_user;

#[path = "../support/stores.rs"]
mod stores;

#[path = "../support/statement_counter.rs"]
mod statement_counter;

#[path = "../support/log_capture.rs"]
mod log_capture;
#[path = "../support/metrics_capture.rs"]
mod metrics_capture;
#[allow(dead_code, reason = "the tests of the data API use all of it")]
#[path = "../data_api/school_fixtures.rs"]
mod school_fixtures;

mod client_fixtures;
#[path = "../../examples/custom_resource.rs"]
#[allow(dead_code, reason = "its list is used, and not its server")]
mod custom_resource;
mod fixtures;
mod harness;
mod page_assertions;
mod registry_fixtures;

mod account;
mod accounts;
mod applications;
mod approvals;
mod audit;
mod authorized_apps;
mod calendars;
mod client_form;
mod client_programs;
mod client_secrets;
mod clients;
mod concurrent_changes;
mod confirmation;
mod custom_pages;
mod data;
mod deletion;
mod form_errors;
mod home;
mod hostile_input;
mod key_changes;
mod keys;
mod language;
mod lifetimes;
mod one_session;
mod pages;
mod password;
mod password_link;
mod request_lookup;
mod requests;
mod routes;
mod school;
mod scopes;
mod sent_again;
mod shown_once;
mod sign_in;
mod sign_out;
mod statement_counts;
mod sync;
mod typed_forms;
mod user_limits;
mod verification;

/// A test that uses the store.
const KNOWN: &str = "signing_in_gives_a_new_token";

/// Fails if a test passes on the memory store only.
#[test]
fn all_tests_pass_again_on_sqlite() {
    stores::run_again_over_sqlite(&["hostile_input::", "client_programs::"], KNOWN);
}

/// The same on PostgreSQL.
#[test]
fn all_tests_pass_again_on_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&["hostile_input::", "client_programs::"], KNOWN);
}
