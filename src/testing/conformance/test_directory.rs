use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::store_under_test::ExpectOk;
use crate::clock::Clock;
use crate::directory::{
    Cursor, Delta, Directory, DirectoryChange, ListView, Query, Snapshot, WriteOutcome,
};
use crate::domain::{
    ClubProfile, DateRange, Lesson, Meal, ProjectProfile, SchoolEvent, StudentProfile, Timestamp,
};
use crate::store::{DatasetVersion, DirectoryStore, StorageError};

/// Query parameters of a list, named as in the data API.
pub(in crate::testing) type Parameters<'a> = &'a [(&'a str, &'a str)];

/// Directory over a store whose clock advances by a minute at each read, so that every read checks
/// the version in the store.
#[derive(Debug, Clone)]
pub(in crate::testing) struct TestDirectory(Directory);

impl TestDirectory {
    pub(in crate::testing) async fn open(
        store: Arc<dyn DirectoryStore>,
    ) -> Result<Self, StorageError> {
        let builder = Directory::builder(store).clock(Arc::new(AdvancingClock::default()));
        builder
            .grades(1..=12)
            .classes(1..=99)
            .seat_numbers(1..=99)
            .open()
            .await
            .map(Self)
    }

    /// Returns this directory over another handle on the same data.
    pub(in crate::testing) fn fork(&self, store: Arc<dyn DirectoryStore>) -> Self {
        Self(self.0.fork(store))
    }

    pub(in crate::testing) fn into_directory(self) -> Directory {
        self.0
    }

    pub(in crate::testing) async fn snapshot(&self) -> Result<Arc<Snapshot>, StorageError> {
        self.0.snapshot().await
    }

    pub(in crate::testing) async fn students(
        &self,
        parameters: Parameters<'_>,
    ) -> Result<OwnedPage<StudentProfile>, StorageError> {
        Ok(OwnedPage::new(
            self.snapshot().await?.students(),
            parameters,
        ))
    }

    pub(in crate::testing) async fn clubs(
        &self,
        parameters: Parameters<'_>,
    ) -> Result<OwnedPage<ClubProfile>, StorageError> {
        Ok(OwnedPage::new(self.snapshot().await?.clubs(), parameters))
    }

    pub(in crate::testing) async fn projects(
        &self,
        parameters: Parameters<'_>,
    ) -> Result<OwnedPage<ProjectProfile>, StorageError> {
        Ok(OwnedPage::new(
            self.snapshot().await?.projects(),
            parameters,
        ))
    }

    /// Returns projects of either status, which needs two requests.
    pub(in crate::testing) async fn every_project(
        &self,
        parameters: Parameters<'_>,
    ) -> Result<OwnedPage<ProjectProfile>, StorageError> {
        let snapshot = self.snapshot().await?;
        let [mut found, ended] = ["ACTIVE", "ENDED"].map(|status| {
            OwnedPage::new(
                snapshot.projects(),
                &[parameters, &[("status", status)]].concat(),
            )
        });
        found.total += ended.total;
        found.items.extend(ended.items);
        found.items.sort_by_key(HasId::id);
        Ok(found)
    }

    /// Returns changes of the students that match the parameters, limited to so many.
    pub(in crate::testing) async fn student_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        parameters: Parameters<'_>,
    ) -> Result<Delta<StudentProfile>, StorageError> {
        Ok(changes(
            self.snapshot().await?.students(),
            since,
            size,
            parameters,
        ))
    }

    pub(in crate::testing) async fn club_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        parameters: Parameters<'_>,
    ) -> Result<Delta<ClubProfile>, StorageError> {
        Ok(changes(
            self.snapshot().await?.clubs(),
            since,
            size,
            parameters,
        ))
    }

    pub(in crate::testing) async fn project_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        parameters: Parameters<'_>,
    ) -> Result<Delta<ProjectProfile>, StorageError> {
        Ok(changes(
            self.snapshot().await?.projects(),
            since,
            size,
            parameters,
        ))
    }

    pub(in crate::testing) async fn meals(
        &self,
        days: DateRange,
    ) -> Result<Vec<Arc<Meal>>, StorageError> {
        Ok(self.snapshot().await?.meals(days).to_vec())
    }

    pub(in crate::testing) async fn events(
        &self,
        days: DateRange,
    ) -> Result<Vec<Arc<SchoolEvent>>, StorageError> {
        Ok(self.snapshot().await?.events(days).to_vec())
    }

    pub(in crate::testing) async fn lessons(
        &self,
        days: DateRange,
    ) -> Result<Vec<Arc<Lesson>>, StorageError> {
        Ok(self.snapshot().await?.lessons(days).to_vec())
    }

    pub(in crate::testing) async fn version(&self) -> Result<DatasetVersion, StorageError> {
        Ok(self.snapshot().await?.version())
    }

    pub(in crate::testing) async fn write(
        &self,
        changes: Vec<DirectoryChange>,
    ) -> Result<WriteOutcome, StorageError> {
        self.0.write(changes).await
    }
}

/// Page of a list that owns its records.
pub(in crate::testing) struct OwnedPage<T> {
    pub(in crate::testing) total: u64,
    pub(in crate::testing) items: Vec<T>,
}

impl<T: Clone + HasId> OwnedPage<T> {
    /// Takes the first 1000 records if no size is requested.
    fn new(list: ListView<'_, T>, parameters: Parameters<'_>) -> Self {
        let size: Parameters<'_> = if parameters.iter().any(|(name, _)| *name == "size") {
            &[]
        } else {
            &[("size", "1000")]
        };
        let page = list.page(&query(list, &[parameters, size].concat()));
        Self {
            total: page.total,
            items: page.values().cloned().collect(),
        }
    }

    pub(in crate::testing) fn values(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    pub(in crate::testing) fn ids(&self) -> Vec<i64> {
        self.values().map(HasId::id).collect()
    }

    /// Returns the ids of a list with a single page.
    #[track_caller]
    pub(in crate::testing) fn all_ids(&self) -> Vec<i64> {
        assert_eq!(
            self.total,
            self.items.len() as u64,
            "the total counts the matches"
        );
        self.ids()
    }
}

/// Record of a paged list.
pub(in crate::testing) trait HasId: PartialEq + Send + Sync + 'static {
    /// Returns the record's id.
    fn id(&self) -> i64;
}

macro_rules! has_id {
    ($($profile:ident by $record:ident),+) => {$(
        impl HasId for $profile {
            fn id(&self) -> i64 {
                self.$record.id.get()
            }
        }
    )+};
}

has_id!(StudentProfile by student, ClubProfile by club, ProjectProfile by project);

fn query<T: HasId>(list: ListView<'_, T>, parameters: Parameters<'_>) -> Query {
    list.query(parameters)
        .unwrap_or_else(|error| panic!("{parameters:?} is no valid query: {error}"))
}

fn changes<T: HasId>(
    list: ListView<'_, T>,
    since: Option<Cursor>,
    size: u32,
    parameters: Parameters<'_>,
) -> Delta<T> {
    let (since, size) = (
        since.map_or_else(|| "0".to_owned(), |cursor| cursor.to_string()),
        size.to_string(),
    );
    list.changes(&query(
        list,
        &[parameters, &[("updatedSince", &since), ("size", &size)]].concat(),
    ))
}

/// Clock that advances by a minute at each read.
#[derive(Debug, Default)]
struct AdvancingClock(AtomicI64);

impl Clock for AdvancingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.fetch_add(60, Ordering::SeqCst))
    }
}

/// Writes a batch and retries after conflicts.
pub(super) async fn write(
    directory: &TestDirectory,
    changes: Vec<DirectoryChange>,
) -> WriteOutcome {
    loop {
        match directory.write(changes.clone()).await.expect_ok() {
            WriteOutcome::Contended => {}
            outcome => return outcome,
        }
    }
}
