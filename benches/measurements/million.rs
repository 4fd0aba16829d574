//! A million students in this process, on one core and without a socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use lyceum::directory::{Directory, Snapshot};
use lyceum::store::{
    DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore, DirectoryWrite, StorageError,
};

use crate::support::report::{ROUNDS, print};
use crate::support::school;

const STUDENTS: usize = 1_000_000;
/// Number of requested pages per round.
const PAGES: u32 = 2_000;

/// `million`: measures `million_deep` and `million_search`.
pub fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let started = Instant::now();
        let directory = Directory::open(Arc::new(MillionStudents)).await.unwrap();
        let snapshot = directory.snapshot().await.unwrap();
        println!(
            "      {STUDENTS} students loaded in {:.1?}",
            started.elapsed()
        );
        deep(&snapshot);
        search(&snapshot);
    });
}

/// `million_deep`: a page in the middle, with its total, against the first page, ordered by id.
fn deep(snapshot: &Snapshot) {
    let students = snapshot.students();
    let page = |number| {
        let query = students.query(&[("page", number)]).unwrap();
        let started = Instant::now();
        for _ in 0..PAGES {
            let page = students.page(&query);
            assert_eq!((page.total, page.items.len()), (STUDENTS as u64, 300));
        }
        started.elapsed() / PAGES
    };
    let rounds = (0..ROUNDS).map(|_| {
        let (first, deep) = (page("0"), page("2000"));
        (
            deep.as_secs_f64() / first.as_secs_f64(),
            format!("{deep:.1?} against {first:.1?}"),
        )
    });
    print("million_deep", rounds.collect());
}

/// `million_search`: milliseconds for the first page, with its total, of students whose name
/// contains a term. Reports the slowest of ten terms.
fn search(snapshot: &Snapshot) {
    // Some terms are in many names, some in few or none; the digits are in the middle of names.
    let terms = [
        "하늘", "서준", "김", "준", "e", "a1", "777", "31415", "99", "없다",
    ];
    let search = |term: &str| {
        let (students, started) = (snapshot.students(), Instant::now());
        let query = students.query(&[("name", term)]).unwrap();
        let found = std::hint::black_box(students.page(&query)).total;
        (started.elapsed(), found)
    };
    let rounds = (0..ROUNDS).map(|_| {
        let (slowest, found) = terms
            .iter()
            .map(|term| search(term))
            .max()
            .unwrap_or((Duration::ZERO, 0));
        (
            slowest.as_secs_f64() * 1e3,
            format!(
                "milliseconds for the slowest of {} names, of which there are {found}",
                terms.len()
            ),
        )
    });
    print("million_search", rounds.collect());
}

/// A store that always has a million students and rejects writes.
#[derive(Debug)]
struct MillionStudents;

const VERSION: DatasetVersion = DatasetVersion {
    lineage: 1,
    number: 1,
    mark: 1,
};

#[async_trait]
impl DirectoryStore for MillionStudents {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        Ok(VERSION)
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        let (clubs, students) = school::students(STUDENTS);
        let mut rows = DirectoryRows::empty(VERSION);
        rows.marks.push((VERSION.number, VERSION.mark));
        rows.clubs = clubs
            .into_iter()
            .map(|club| DirectoryRow {
                id: club.id,
                changed: 1,
                value: Some(club),
            })
            .collect();
        rows.students = students
            .into_iter()
            .map(|student| DirectoryRow {
                id: student.id,
                changed: 1,
                value: Some(student),
            })
            .collect();
        Ok(rows)
    }

    async fn directory_changes(
        &self,
        _: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        Ok(Some(DirectoryRows::empty(VERSION)))
    }

    async fn write_directory(
        &self,
        _: DatasetVersion,
        _: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        Ok(DirectoryWrite::Conflict)
    }
}
