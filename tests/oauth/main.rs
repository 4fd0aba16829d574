//! Tests of the authorization service, through its `tower::Service`.

#[macro_use]
#[path = "../support/delegate_store.rs"]
mod delegate_store;

#[path = "../support/report.rs"]
mod report;

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/log_capture.rs"]
mod log_capture;
#[path = "../support/metrics_capture.rs"]
mod metrics_capture;
#[path = "../support/one_user.rs"]
mod one_user;
#[path = "../support/statement_counter.rs"]
mod statement_counter;
#[path = "../support/stores.rs"]
mod stores;

#[path = "../support/schemas.rs"]
mod schemas;
#[path = "../support/wire_doc.rs"]
mod wire_doc;

mod harness;

mod account_keys;
mod accounts;
mod audit;
mod authorize;
mod batches;
mod building;
mod consent;
mod custom_pages;
mod errors;
mod external_login;
mod fuzzing;
mod hostile_input;
mod limits;
mod login;
mod manage;
mod openapi;
mod pages;
mod redirects;
mod remembered;
mod session;
mod standards;
mod suspension;
mod token;
mod unverified;
mod wire_table;

/// Tests that choose their own stores, or need none.
const NOT_AGAIN: [&str; 8] = [
    "batches::",
    "concurrency::",
    "key_year::",
    "secrets::",
    "building::",
    "metadata::",
    "openapi::",
    "wire_table::",
];

/// Runs all tests again on SQLite. Fails if a replayed code revokes nothing there, and only there.
#[test]
fn all_tests_pass_again_on_sqlite() {
    stores::run_again_over_sqlite(&NOT_AGAIN, "a_replayed_code_");
}

/// Runs all tests again on PostgreSQL.
#[test]
fn all_tests_pass_again_on_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&NOT_AGAIN, "a_replayed_code_");
}
