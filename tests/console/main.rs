//! The web interface, asked through its `tower::Service` as a browser would ask.

#[path = "../support/postgres.rs"]
mod postgres_server;

#[path = "../support/stores.rs"]
mod stores;

mod audit;
mod explain;
mod harness;

mod home;
mod hostile_input;
mod language;
mod lifetimes;
mod pages;
mod people;
mod sign_in;
mod sign_out;

/// A test of each part that a store has a hand in.
const KNOWN: &str = "s23_signing_in_gives_a_new_token";

/// Fails if a session has no end there, and only there.
#[test]
fn everything_holds_again_over_sqlite() {
    stores::run_again_over_sqlite(&["hostile_input::"], KNOWN);
}

/// The same on PostgreSQL.
#[test]
fn everything_holds_again_over_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&["hostile_input::"], KNOWN);
}
