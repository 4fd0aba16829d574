//! The worked example of `docs/storage.md`: a backend, and all that proves it.

mod database;
#[path = "../support/report.rs"]
mod report;
mod rest;
mod shelf;

use std::sync::Arc;

use database::Database;
use lyceum::testing::conformance::Candidate;
use lyceum::testing::crashes::Crashes;
use lyceum::testing::differential::compare_answers;
use lyceum::testing::interleavings::{Explored, Extent, Nodes, explore, pairs, single_calls};
use report::report;
use shelf::{Fault, Shelf};

// 1. The conformance suite: a test a case. A second handle stands for a restart and for a second node.
fn fresh() -> Candidate {
    let database = Database::default();
    Candidate::new(Arc::new(Shelf::on(&database))).opened_again_by(move || Arc::new(Shelf::on(&database)))
}

lyceum::conformance!(on_a_shelf, fresh());

// 2. A random school: a directory that follows the changes, and one that is just loaded, give the same bytes for the same requests.
#[tokio::test]
async fn a_directory_over_it_comes_to_the_same_however_it_is_read() {
    let books = compare_answers(Arc::new(Shelf::on(&Database::default())), 1, 20).await.unwrap();
    assert!(books.with_records > 0);
}

// 3. Every order in which two calls can reach the database.
#[test]
fn it_answers_rightly_in_every_order() {
    let mut explored = Explored::default();
    for story in pairs() {
        explored += explore(&nodes(Shelf::on), &story, Extent::EVERY).unwrap_or_else(|failure| panic!("{failure}"));
    }
    report("own backend", format!("{} interleavings of {} pairs", explored.interleavings, explored.stories));
    assert_eq!(explored.exhausted, explored.stories);
    assert!(explored.interleavings > 2 * explored.stories, "calls of several statements have more than two orders");
}

// 4. Every point at which a call can die.
#[test]
fn it_is_never_half_done() {
    let crashes = crashes(Shelf::on);
    let points: usize = single_calls().iter().map(|story| crashes.explore(story).unwrap_or_else(|half| panic!("{half}"))).sum();
    report("own backend", format!("{points} points to die at"));
    assert!(points > 0);
}

// 5. And faults on purpose, to see that the searches would find them.
#[test]
fn a_shelf_that_looks_before_it_begins_is_found_out() {
    let nodes = nodes(|database| Shelf::on(database).with(Fault::LooksBeforeItBegins));
    let failure = pairs().iter().find_map(|story| explore(&nodes, story, Extent::EVERY).err()).expect("the fault is found");
    assert!(failure.to_string().contains("InstallKey"), "{failure}");
}

#[test]
fn a_shelf_that_commits_each_statement_is_found_out() {
    let open = |database: &Database| Shelf::on(database).with(Fault::CommitsEachStatement);
    let failure = pairs().iter().find_map(|story| explore(&nodes(open), story, Extent::EVERY).err()).expect("the searches find it");
    assert!(failure.to_string().contains("InstallKey"), "{failure}");
    let half = single_calls().iter().find_map(|story| crashes(open).explore(story).err()).expect("its death shows it too");
    assert!(half.to_string().contains("InstallKey"), "{half}");
}

/// Handles on one database. It has a lock, so the search must be told who waits for it: without the probe it would wait for ever.
fn nodes(open: impl Fn(&Database) -> Shelf) -> Nodes {
    let (database, mut opened) = (Database::default(), 0..);
    let locks = database.clone();
    Nodes::new(|turn| Arc::new(open(&database).taking(turn, opened.next().unwrap()))).probed_by(move |call, others| {
        let others: Vec<_> = others.iter().map(|other| other.node).collect();
        let is_blocked = locks.is_blocked(call.node, &others);
        async move { is_blocked }
    })
}

fn crashes(open: impl Fn(&Database) -> Shelf + Send + Sync + 'static) -> Crashes {
    let database = Database::default();
    Crashes::new(move |turn| Arc::new(open(&database).taking(turn, 0)))
}
