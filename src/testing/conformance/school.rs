use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::candidate::Answered;
use crate::clock::Clock;
use crate::directory::{ChangesQuery, Delta, Directory, DirectoryChange, Snapshot, Writing};
use crate::domain::{
    ClubFilter, ClubProfile, ClubQuery, DateRange, Lesson, LessonFilter, Meal, Page, ProjectFilter, ProjectProfile, ProjectQuery,
    SchoolEvent, StudentFilter, StudentProfile, StudentQuery, Timestamp,
};
use crate::store::{DatasetVersion, DirectoryStore, StorageError};

/// A directory over a store, which asks the store before each answer.
#[derive(Debug, Clone)]
pub(in crate::testing) struct School(Directory);

impl School {
    pub(in crate::testing) async fn over(store: Arc<dyn DirectoryStore>) -> Result<Self, StorageError> {
        Directory::builder(store).clock(Arc::new(Restless::default())).open().await.map(Self)
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

    pub(in crate::testing) async fn students(&self, query: &StudentQuery) -> Result<Found<StudentProfile>, StorageError> {
        Ok(Found::of(&self.snapshot().await?.students(query)))
    }

    pub(in crate::testing) async fn clubs(&self, query: &ClubQuery) -> Result<Found<ClubProfile>, StorageError> {
        Ok(Found::of(&self.snapshot().await?.clubs(query)))
    }

    pub(in crate::testing) async fn projects(&self, query: &ProjectQuery) -> Result<Found<ProjectProfile>, StorageError> {
        Ok(Found::of(&self.snapshot().await?.projects(query)))
    }

    pub(in crate::testing) async fn student_changes(
        &self,
        query: &ChangesQuery<StudentFilter>,
    ) -> Result<Delta<StudentProfile>, StorageError> {
        Ok(self.snapshot().await?.student_changes(query))
    }

    pub(in crate::testing) async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Result<Delta<ClubProfile>, StorageError> {
        Ok(self.snapshot().await?.club_changes(query))
    }

    pub(in crate::testing) async fn project_changes(
        &self,
        query: &ChangesQuery<ProjectFilter>,
    ) -> Result<Delta<ProjectProfile>, StorageError> {
        Ok(self.snapshot().await?.project_changes(query))
    }

    pub(in crate::testing) async fn meals(&self, days: DateRange) -> Result<Vec<Arc<Meal>>, StorageError> {
        Ok(self.snapshot().await?.meals(days).to_vec())
    }

    pub(in crate::testing) async fn events(&self, days: DateRange) -> Result<Vec<Arc<SchoolEvent>>, StorageError> {
        Ok(self.snapshot().await?.events(days).to_vec())
    }

    pub(in crate::testing) async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Result<Vec<Arc<Lesson>>, StorageError> {
        Ok(self.snapshot().await?.lessons(days, filter))
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

impl<T: Clone> Found<T> {
    fn of(page: &Page<'_, T>) -> Self {
        Self { total: page.total, items: page.values().cloned().collect() }
    }

    pub(in crate::testing) fn values(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }
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
