//! `Guard` in front of a service, by its public interface alone.

#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/stores.rs"]
mod stores;
#[path = "../support/wire_page.rs"]
mod wire_page;

mod answers;
mod flow;
mod forged;
mod hosts;
mod key_cache;
mod measured;
#[allow(dead_code, reason = "the token endpoint's tests need more of it")]
#[path = "../oauth/token/world.rs"]
mod world;

mod bench;

/// What asks the storage whether a token is still alive; nothing else here has one.
#[test]
fn the_flows_hold_again_over_sqlite() {
    stores::run_again_over_sqlite(&ELSEWHERE, "s02_a_replayed_code_");
}

/// The same on PostgreSQL.
#[test]
fn the_flows_hold_again_over_postgres() {
    postgres_server::needs_postgres!();
    stores::run_again_over_postgres(&ELSEWHERE, "s02_a_replayed_code_");
}

const ELSEWHERE: [&str; 6] = ["answers::", "forged::", "hosts::", "key_cache::", "measured::", "bench::"];
