//! Both stores of the crate take the conformance suite, and answer random questions alike.

use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::testing::conformance::Candidate;
use lyceum::testing::differential;

fn in_memory() -> Candidate {
    Candidate::new(Arc::new(MemoryStore::new()))
}

lyceum::conformance!(memory, in_memory());

#[tokio::test]
async fn memory_and_sqlite_answer_random_questions_alike() {
    for seed in 1..=8 {
        differential::compare(&MemoryStore::new(), &MemoryStore::new(), seed, 40).await.unwrap();
    }
}
