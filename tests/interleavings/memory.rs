use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::testing::interleavings::{Nodes, SearchLimits, pairs, triples};

use crate::search::{assert_none, explore_all};

#[test]
fn the_memory_store_is_correct_in_every_interleaving() {
    let store = Arc::new(MemoryStore::new());
    let nodes = Nodes::new(|_| store.clone());
    assert_none(&explore_all(
        "memory",
        "pairs",
        &nodes,
        &pairs(),
        SearchLimits::EXHAUSTIVE,
    ));
    assert_none(&explore_all(
        "memory",
        "triples",
        &nodes,
        &triples(),
        SearchLimits::EXHAUSTIVE,
    ));
}
