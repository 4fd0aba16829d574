//! Tests of `Guard` in front of a service, through its public interface.

#[macro_use]
#[path = "../support/delegate_store.rs"]
mod delegate_store;
#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/stores.rs"]
mod stores;
#[path = "../support/wire_doc.rs"]
mod wire_doc;

mod answers;
mod deleted_scopes;
mod embedding;
mod flow;
mod forged;
#[allow(
    dead_code,
    unused_imports,
    reason = "the token endpoint's tests use the rest"
)]
#[path = "../oauth/token/harness/mod.rs"]
mod harness;
mod key_cache;
mod metrics;

mod fixtures;

/// Runs the tests that use the storage's revocation check; the others use no store.
#[test]
fn the_flows_pass_again_on_sqlite() {
    stores::run_again_over_sqlite(&ELSEWHERE, "a_replayed_code_");
}

/// Runs the same tests on PostgreSQL.
#[test]
fn the_flows_pass_again_on_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&ELSEWHERE, "a_replayed_code_");
}

const ELSEWHERE: [&str; 6] = [
    "answers::",
    "forged::",
    "embedding::",
    "key_cache::",
    "metrics::",
    "fixtures::",
];
