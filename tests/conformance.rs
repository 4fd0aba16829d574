//! Both stores of the crate take the conformance suite, and answer random questions alike.

use std::sync::Arc;

use lyceum::domain::{ClubFilter, ClubQuery, ClubSort, Direction, PageRequest};
use lyceum::store::Writing;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::testing::conformance::Candidate;
use lyceum::testing::differential;
use lyceum::testing::school::DemoSchool;

fn in_memory() -> Candidate {
    Candidate::new(Arc::new(MemoryStore::new()))
}

fn in_a_file() -> Candidate {
    let folder = tempfile::tempdir().unwrap();
    let open = move || Arc::new(SqlStore::sqlite(folder.path().join("school.db")).unwrap());
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

#[tokio::test]
async fn the_demo_school_is_written_in_one_batch() {
    let school = DemoSchool::new(1, "2026-05-20".parse().unwrap());
    for store in [in_memory(), in_a_file()] {
        assert!(matches!(store.write(school.changes()).await.unwrap(), Writing::Written(_)));
        let clubs = store.clubs(&every_club()).await.unwrap();
        assert!(clubs.values().map(|profile| &profile.club).eq(&school.clubs));
    }
}

fn every_club() -> ClubQuery {
    ClubQuery {
        filter: ClubFilter::default(),
        sort: ClubSort::Id,
        direction: Direction::Ascending,
        page: PageRequest::new(0, 1000).unwrap(),
    }
}
