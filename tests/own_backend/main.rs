//! The worked example of `docs/storage.md`: a backend, and all that proves it.

mod rest;
mod shelf;

use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::testing::conformance::Candidate;
use lyceum::testing::crashes::Crashes;
use lyceum::testing::differential::{compare, compare_answers};
use lyceum::testing::interleavings::{Explored, Extent, Nodes, Turn, explore, pairs, single_calls};
use shelf::{Database, Shelf};

// 1. The conformance suite: a test a case. A second handle stands for a restart and for a second node.
fn fresh() -> Candidate {
    let database = Database::default();
    Candidate::new(Arc::new(Shelf::on(&database))).opened_again_by(move || Arc::new(Shelf::on(&database)))
}

lyceum::conformance!(on_a_shelf, fresh());

// 2. The same random school and questions as in memory, and the same bytes for the same requests.
#[tokio::test]
async fn it_answers_as_the_memory_store_does() {
    compare(&MemoryStore::new(), &Shelf::on(&Database::default()), 1, 20).await.unwrap();
    let shelf = Arc::new(Shelf::on(&Database::default()));
    let books = compare_answers(&[("memory", Arc::new(MemoryStore::new())), ("shelf", shelf)], 1, 20).await.unwrap();
    assert!(books.with_records > 0);
}

// 3. Every order in which two calls can reach the database.
#[test]
fn it_answers_rightly_in_every_order() {
    let nodes = nodes(|database, turn| Shelf::on(database).taking(turn));
    let mut explored = Explored::default();
    for story in pairs() {
        explored += explore(&nodes, &story, Extent::EVERY).unwrap_or_else(|failure| panic!("{failure}"));
    }
    println!("{} interleavings of {} pairs", explored.interleavings, explored.stories);
    assert_eq!(explored.interleavings, 2 * explored.stories, "each call is one statement, so two have two orders");
}

// 4. Every point at which a call can die.
#[test]
fn it_is_never_half_done() {
    let database = Database::default();
    let crashes = Crashes::new(move |turn| Arc::new(Shelf::on(&database).taking(turn)));
    let points: usize = single_calls().iter().map(|story| crashes.explore(story).unwrap_or_else(|half| panic!("{half}"))).sum();
    println!("{points} crash points");
    assert!(points > 0);
}

// 5. And a fault on purpose, to see that the search would find it.
#[test]
fn a_shelf_that_looks_before_it_inserts_is_found_out() {
    let nodes = nodes(|database, turn| Shelf::careless_on(database).taking(turn));
    let failure = pairs().iter().find_map(|story| explore(&nodes, story, Extent::EVERY).err()).expect("the fault is found");
    assert!(failure.to_string().contains("InstallKey"), "{failure}");
}

fn nodes(open: impl Fn(&Database, Turn) -> Shelf) -> Nodes {
    let database = Database::default();
    Nodes::new(|turn| Arc::new(open(&database, turn)))
}
