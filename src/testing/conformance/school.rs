use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::candidate::Answered;
use crate::clock::Clock;
use crate::directory::{Cursor, Delta, Directory, DirectoryChange, ListView, Query, Snapshot, Writing};
use crate::domain::{ClubProfile, DateRange, Lesson, Meal, ProjectProfile, SchoolEvent, StudentProfile, Timestamp};
use crate::store::{DatasetVersion, DirectoryStore, StorageError};

/// What is asked of a list, as the data API's requests name it.
pub(in crate::testing) type Parameters<'a> = &'a [(&'a str, &'a str)];

/// A directory over a store, which asks the store before each answer.
#[derive(Debug, Clone)]
pub(in crate::testing) struct School(Directory);

impl School {
    pub(in crate::testing) async fn over(store: Arc<dyn DirectoryStore>) -> Result<Self, StorageError> {
        let builder = Directory::builder(store).clock(Arc::new(Restless::default()));
        builder.grades(1..=12).classes(1..=99).numbers(1..=99).open().await.map(Self)
    }

    /// This directory over another handle on the same data.
    pub(in crate::testing) fn forked(&self, store: Arc<dyn DirectoryStore>) -> Self {
        Self(self.0.forked(store))
    }

    pub(in crate::testing) fn into_directory(self) -> Directory {
        self.0
    }

    pub(in crate::testing) async fn snapshot(&self) -> Result<Arc<Snapshot>, StorageError> {
        self.0.snapshot().await
    }

    pub(in crate::testing) async fn students(&self, asked: Parameters<'_>) -> Result<Found<StudentProfile>, StorageError> {
        Ok(Found::of(self.snapshot().await?.students(), asked))
    }

    pub(in crate::testing) async fn clubs(&self, asked: Parameters<'_>) -> Result<Found<ClubProfile>, StorageError> {
        Ok(Found::of(self.snapshot().await?.clubs(), asked))
    }

    pub(in crate::testing) async fn projects(&self, asked: Parameters<'_>) -> Result<Found<ProjectProfile>, StorageError> {
        Ok(Found::of(self.snapshot().await?.projects(), asked))
    }

    /// Projects of either status, which no single question finds.
    pub(in crate::testing) async fn every_project(&self, asked: Parameters<'_>) -> Result<Found<ProjectProfile>, StorageError> {
        let snapshot = self.snapshot().await?;
        let [mut found, ended] = ["ACTIVE", "ENDED"].map(|status| Found::of(snapshot.projects(), &[asked, &[("status", status)]].concat()));
        found.total += ended.total;
        found.items.extend(ended.items);
        found.items.sort_by_key(Numbered::number);
        Ok(found)
    }

    /// What has changed of the students whom parameters find, so many of them at most.
    pub(in crate::testing) async fn student_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        asked: Parameters<'_>,
    ) -> Result<Delta<StudentProfile>, StorageError> {
        Ok(changes(self.snapshot().await?.students(), since, size, asked))
    }

    pub(in crate::testing) async fn club_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        asked: Parameters<'_>,
    ) -> Result<Delta<ClubProfile>, StorageError> {
        Ok(changes(self.snapshot().await?.clubs(), since, size, asked))
    }

    pub(in crate::testing) async fn project_changes(
        &self,
        since: Option<Cursor>,
        size: u32,
        asked: Parameters<'_>,
    ) -> Result<Delta<ProjectProfile>, StorageError> {
        Ok(changes(self.snapshot().await?.projects(), since, size, asked))
    }

    pub(in crate::testing) async fn meals(&self, days: DateRange) -> Result<Vec<Arc<Meal>>, StorageError> {
        Ok(self.snapshot().await?.meals(days).to_vec())
    }

    pub(in crate::testing) async fn events(&self, days: DateRange) -> Result<Vec<Arc<SchoolEvent>>, StorageError> {
        Ok(self.snapshot().await?.events(days).to_vec())
    }

    pub(in crate::testing) async fn lessons(&self, days: DateRange) -> Result<Vec<Arc<Lesson>>, StorageError> {
        Ok(self.snapshot().await?.lessons(days).to_vec())
    }

    pub(in crate::testing) async fn version(&self) -> Result<DatasetVersion, StorageError> {
        Ok(self.snapshot().await?.version())
    }

    pub(in crate::testing) async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
        self.0.write(changes).await
    }
}

/// A page that outlives its snapshot.
pub(in crate::testing) struct Found<T> {
    pub(in crate::testing) total: u64,
    pub(in crate::testing) items: Vec<T>,
}

impl<T: Clone + Numbered> Found<T> {
    /// The first 1000, if no size is asked for.
    fn of(list: ListView<'_, T>, asked: Parameters<'_>) -> Self {
        let size: Parameters<'_> = if asked.iter().any(|(name, _)| *name == "size") { &[] } else { &[("size", "1000")] };
        let page = list.page(&query(list, &[asked, size].concat()));
        Self { total: page.total, items: page.values().cloned().collect() }
    }

    pub(in crate::testing) fn values(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    pub(in crate::testing) fn ids(&self) -> Vec<i64> {
        self.values().map(Numbered::number).collect()
    }

    /// The ids of all that there are: this is the only page.
    #[track_caller]
    pub(in crate::testing) fn all_ids(&self) -> Vec<i64> {
        assert_eq!(self.total, self.items.len() as u64, "the total counts what was found");
        self.ids()
    }
}

/// A record of a list in pages.
pub(in crate::testing) trait Numbered: PartialEq + Send + Sync + 'static {
    /// Its id.
    fn number(&self) -> i64;
}

macro_rules! numbered {
    ($($profile:ident by $record:ident),+) => {$(
        impl Numbered for $profile {
            fn number(&self) -> i64 {
                self.$record.id.get()
            }
        }
    )+};
}

numbered!(StudentProfile by student, ClubProfile by club, ProjectProfile by project);

fn query<T: Numbered>(list: ListView<'_, T>, asked: Parameters<'_>) -> Query {
    list.query(asked).unwrap_or_else(|error| panic!("{asked:?} is no question: {error}"))
}

fn changes<T: Numbered>(list: ListView<'_, T>, since: Option<Cursor>, size: u32, asked: Parameters<'_>) -> Delta<T> {
    let (since, size) = (since.map_or_else(|| "0".to_owned(), |cursor| cursor.to_string()), size.to_string());
    list.changes(&query(list, &[asked, &[("updatedSince", &since), ("size", &size)]].concat()))
}

/// A clock on which a minute passes between any two looks.
#[derive(Debug, Default)]
struct Restless(AtomicI64);

impl Clock for Restless {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(self.0.fetch_add(60, Ordering::SeqCst))
    }
}

/// Writes a batch however often others come in between.
pub(super) async fn write(school: &School, changes: Vec<DirectoryChange>) -> Writing {
    loop {
        match school.write(changes.clone()).await.answered() {
            Writing::Contended => {}
            outcome => return outcome,
        }
    }
}
