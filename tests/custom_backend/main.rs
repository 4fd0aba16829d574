//! Worked example of `docs/storage.md`: a backend and all of its tests.

#[macro_use]
#[path = "../support/delegate_store.rs"]
mod delegate_store;

mod database;
mod delegated;
mod host_store;
mod key_store;
#[path = "../support/report.rs"]
mod report;

use std::sync::Arc;

use database::Database;
use host_store::{HostClients, HostStore};
use key_store::{Fault, TableKeyStore};
use lyceum::store::memory::MemoryStore;
use lyceum::testing::conformance::{ProtocolUnderTest, StoreUnderTest};
use lyceum::testing::crash_points::CrashSearch;
use lyceum::testing::interleavings::{
    Nodes, SearchLimits, SearchReport, explore, pairs, single_calls,
};
use report::report;

// 1. The conformance suite, with a test for each case. A second handle stands for a restart and for
// a second node.
fn fresh() -> StoreUnderTest {
    let database = Database::default();
    StoreUnderTest::new(Arc::new(TableKeyStore::new(&database)))
        .with_reopen(move || Arc::new(TableKeyStore::new(&database)))
}

lyceum::conformance!(custom_backend, fresh());

// The cases for a store that has the protocol's methods alone. The host creates the clients itself.
fn fresh_host() -> ProtocolUnderTest {
    let (clients, tables) = (HostClients::new(), Arc::new(MemoryStore::new()));
    let host = clients.clone();
    let open = move || {
        Arc::new(HostStore {
            clients: host.clone(),
            tables: Arc::clone(&tables),
        })
    };
    StoreUnderTest::protocol(open(), clients).with_reopen(move || open())
}

lyceum::conformance_protocol!(host, fresh_host());

// 2. Every order in which two calls can reach the database.
#[test]
fn every_interleaving_of_two_calls_is_correct() {
    let mut totals = SearchReport::default();
    for scenario in pairs() {
        totals += explore(
            &nodes(TableKeyStore::new),
            &scenario,
            SearchLimits::EXHAUSTIVE,
        )
        .unwrap_or_else(|failure| panic!("{failure}"));
    }
    report(
        "own backend",
        format!(
            "{} interleavings of {} pairs",
            totals.interleavings, totals.scenarios
        ),
    );
    assert_eq!(totals.exhausted, totals.scenarios);
    assert!(
        totals.interleavings > 2 * totals.scenarios,
        "calls of several statements have more than two orders"
    );
}

// 3. Every point at which a call can crash.
#[test]
fn a_crash_never_leaves_half_an_operation() {
    let crash_search = crash_search(TableKeyStore::new);
    let points: usize = single_calls()
        .iter()
        .map(|scenario| {
            crash_search
                .explore(scenario)
                .unwrap_or_else(|half| panic!("{half}"))
        })
        .sum();
    report("own backend", format!("{points} crash points"));
    assert!(points > 0);
}

// 4. Planted faults, to show that the searches would find them.
#[test]
fn a_store_that_reads_before_its_transaction_is_found() {
    let nodes =
        nodes(|database| TableKeyStore::new(database).with_fault(Fault::ReadsBeforeTransaction));
    let failure = pairs()
        .iter()
        .find_map(|scenario| explore(&nodes, scenario, SearchLimits::EXHAUSTIVE).err())
        .expect("the fault is found");
    assert!(
        failure.to_string().contains("InstallSigningKey"),
        "{failure}"
    );
}

#[test]
fn a_store_that_commits_each_statement_is_found() {
    let open =
        |database: &Database| TableKeyStore::new(database).with_fault(Fault::CommitsEachStatement);
    let failure = pairs()
        .iter()
        .find_map(|scenario| explore(&nodes(open), scenario, SearchLimits::EXHAUSTIVE).err())
        .expect("the searches find it");
    assert!(
        failure.to_string().contains("InstallSigningKey"),
        "{failure}"
    );
    let half = single_calls()
        .iter()
        .find_map(|scenario| crash_search(open).explore(scenario).err())
        .expect("the crash search finds it too");
    assert!(half.to_string().contains("InstallSigningKey"), "{half}");
}

/// Opens handles on one database. It has a lock, so the search needs a probe for its waiters;
/// without the probe it would wait for ever.
fn nodes(open: impl Fn(&Database) -> TableKeyStore) -> Nodes {
    let (database, mut opened) = (Database::default(), 0..);
    let locks = database.clone();
    Nodes::new(|gate| Arc::new(open(&database).with_step_gate(gate, opened.next().unwrap())))
        .with_lock_probe(move |call, others| {
            let others: Vec<_> = others.iter().map(|other| other.node).collect();
            let is_blocked = locks.is_blocked(call.node, &others);
            async move { is_blocked }
        })
}

fn crash_search(open: impl Fn(&Database) -> TableKeyStore + Send + Sync + 'static) -> CrashSearch {
    let database = Database::default();
    CrashSearch::new(move |gate| Arc::new(open(&database).with_step_gate(gate, 0)))
}
