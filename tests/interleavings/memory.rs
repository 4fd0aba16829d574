use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::testing::interleavings::{Extent, Nodes, pairs, triples};

use crate::search::{none, tell_all};

#[test]
fn the_memory_store_answers_rightly_in_every_order() {
    let store = Arc::new(MemoryStore::new());
    let nodes = Nodes::new(|_| store.clone());
    none(&tell_all("memory", "pairs", &nodes, &pairs(), Extent::EVERY));
    none(&tell_all("memory", "triples", &nodes, &triples(), Extent::EVERY));
}
