//! Both stores of the crate take the conformance suite, and answer random questions alike.

use std::sync::Arc;

use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::testing::conformance::Candidate;
use lyceum::testing::differential;

fn in_memory() -> Candidate {
    Candidate::new(Arc::new(MemoryStore::new()))
}

fn in_a_file() -> Candidate {
    let folder = tempfile::tempdir().unwrap();
    let open = move || Arc::new(SqlStore::sqlite(&folder.path().join("school.db")).unwrap());
    Candidate::new(open()).opened_again_by(move || open())
}

lyceum::conformance!(memory, in_memory());
lyceum::conformance!(sqlite, in_a_file());

#[tokio::test]
async fn memory_and_sqlite_answer_random_questions_alike() {
    for seed in 1..=8 {
        differential::compare(&MemoryStore::new(), &*in_a_file(), seed, 40).await.unwrap();
    }
}
