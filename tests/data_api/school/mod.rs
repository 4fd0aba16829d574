//! The school's lists, their changes and the constraints between records, called through a
//! [`Directory`].

mod calendar;
mod changes;
mod constraints;
mod text_search;
mod writers;

use std::sync::Arc;

use lyceum::directory::{
    Changes, Cursor, Delta, Directory, DirectoryChange, ListView, RejectionReason, Snapshot,
    WriteOutcome,
};
use lyceum::domain::{ClubProfile, ProjectProfile, StudentProfile};
use lyceum::store::DatasetVersion;
use lyceum::store::memory::MemoryStore;

use crate::school_fixtures::FixedClock;

/// Parameters that list every student, including former ones.
const EVERYONE: Parameters<'static> = &[("includeGraduates", "true"), ("includeWithdrawn", "true")];

type Parameters<'a> = &'a [(&'a str, &'a str)];

/// A directory with wide bounds on a store of its own.
struct TestSchool {
    store: Arc<MemoryStore>,
    directory: Directory,
}

impl TestSchool {
    async fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let directory = open(store.clone()).await;
        Self { store, directory }
    }

    /// Writes changes, which must be accepted.
    async fn put(
        &self,
        changes: impl IntoIterator<Item = impl Into<DirectoryChange>>,
    ) -> DatasetVersion {
        let changes = changes.into_iter().map(Into::into).collect();
        match self.directory.write(changes).await.unwrap() {
            WriteOutcome::Written(version) => version,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the rejection of a batch, which must change nothing.
    async fn rejection(&self, changes: Vec<DirectoryChange>) -> (usize, RejectionReason) {
        let before = self.snapshot().await.version();
        let WriteOutcome::Rejected { index, reason } = self.directory.write(changes).await.unwrap()
        else {
            panic!("the batch was written")
        };
        assert_eq!(self.snapshot().await.version(), before);
        (index, reason)
    }

    async fn snapshot(&self) -> Arc<Snapshot> {
        self.directory.snapshot().await.unwrap()
    }

    async fn student(&self, id: i64) -> StudentProfile {
        let id = id.to_string();
        let asked = [EVERYONE, &[("studentId", &*id)]].concat();
        only(all(self.snapshot().await.students(), &asked))
    }

    async fn club(&self, id: i64) -> ClubProfile {
        let id = id.to_string();
        only(all(self.snapshot().await.clubs(), &[("clubId", &id)]))
    }

    /// Returns an active project.
    async fn project(&self, id: i64) -> ProjectProfile {
        let id = id.to_string();
        only(all(self.snapshot().await.projects(), &[("projectId", &id)]))
    }
}

/// Opens a directory with wide bounds, whose clock stands still.
async fn open(store: Arc<MemoryStore>) -> Directory {
    let builder = Directory::builder(store).clock(Arc::new(FixedClock));
    builder
        .grades(1..=12)
        .classes(1..=99)
        .seat_numbers(1..=99)
        .open()
        .await
        .unwrap()
}

/// Returns the records that a query finds.
fn all<T: Clone + PartialEq + Send + Sync + 'static>(
    list: ListView<'_, T>,
    asked: Parameters<'_>,
) -> Vec<T> {
    let query = list.query(asked).unwrap();
    list.page(&query).values().cloned().collect()
}

fn only<T>(records: Vec<T>) -> T {
    let [record] = <[T; 1]>::try_from(records)
        .ok()
        .expect("exactly one record");
    record
}

/// Returns the changes since a cursor, at most `size` of them.
fn changes<T: PartialEq + Send + Sync + 'static>(
    list: ListView<'_, T>,
    since: Option<Cursor>,
    size: usize,
    asked: Parameters<'_>,
) -> Changes<T> {
    let since = since.map_or_else(|| "0".to_owned(), |cursor| cursor.to_string());
    let part = [("updatedSince", &*since), ("size", &size.to_string())];
    match list.changes(&list.query(&[asked, &part].concat()).unwrap()) {
        Delta::Changes(changes) => changes,
        Delta::CursorUnknown => panic!("{since} is unknown"),
    }
}
