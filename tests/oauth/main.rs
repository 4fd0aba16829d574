//! The authorization service, asked through its `tower::Service` as a browser or a client would ask.

#[path = "../support/report.rs"]
mod report;

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/heard.rs"]
mod heard;
#[path = "../support/measured.rs"]
mod measuring;
#[path = "../support/statement_counter.rs"]
mod statement_counter;
#[path = "../support/stores.rs"]
mod stores;

#[path = "../support/schemas.rs"]
mod schemas;
#[path = "../support/wire_page.rs"]
mod wire_page;

mod harness;

mod account_keys;
mod accounts;
mod audit;
mod authorize;
mod batches;
mod building;
mod consent;
mod external_login;
mod fuzzing;
mod hostile_input;
mod limits;
mod login;
mod manage;
mod openapi;
mod own_pages;
mod pages;
mod redirects;
mod remembered;
mod session;
mod standards;
mod suspension;
mod token;
mod unverified;
mod wire_table;

/// Those that know their stores by themselves, or ask only what needs none.
const NOT_AGAIN: [&str; 8] =
    ["batches::", "concurrency::", "key_year::", "secrets::", "building::", "metadata::", "openapi::", "wire_table::"];

/// Every pitfall and decision that has a test here holds on SQLite. Fails if a replayed code revokes nothing there, and only there.
#[test]
fn everything_holds_again_over_sqlite() {
    stores::run_again_over_sqlite(&NOT_AGAIN, "s02_a_replayed_code_");
}

/// The same on PostgreSQL.
#[test]
fn everything_holds_again_over_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&NOT_AGAIN, "s02_a_replayed_code_");
}
