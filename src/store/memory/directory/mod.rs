mod index;
mod rules;
mod school;
mod table;

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{
    ClubFilter, ClubProfile, ClubQuery, DateRange, Lesson, LessonFilter, Meal, Page, ProjectFilter, ProjectProfile, ProjectQuery, Record,
    SchoolEvent, StudentFilter, StudentProfile, StudentQuery,
};
use crate::store::{ChangesQuery, DatasetVersion, Delta, DirectoryChange, SchoolDirectory, StorageError, Writing};
use index::Index;
use school::School;

/// The school as it is written, and the index that it is read from. The first read after a write renews the index, so that many writes
/// in a row cost nothing but themselves.
pub(super) struct Directory {
    lineage: u64,
    school: RwLock<School>,
    /// The school's number, to be read without waiting for a writer.
    number: AtomicU64,
    index: RwLock<Arc<Index>>,
}

impl Directory {
    fn write(&self, changes: Vec<DirectoryChange>) -> Writing {
        let mut school = writing(&self.school);
        let outcome = school.write(changes);
        self.number.store(school.number, Ordering::Release);
        match outcome {
            Ok(()) => Writing::Written(self.version(school.number)),
            Err((index, refusal)) => Writing::Refused { index, refusal },
        }
    }

    fn number(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    const fn version(&self, number: u64) -> DatasetVersion {
        DatasetVersion { lineage: self.lineage, number, mark: 0 }
    }

    /// An index that shows every write which has returned.
    fn index(&self) -> Arc<Index> {
        let number = self.number();
        let index = Arc::clone(&reading(&self.index));
        if index.number >= number { index } else { self.renewed_index() }
    }

    /// One reader renews the index; the others, who need it as well, wait for it.
    fn renewed_index(&self) -> Arc<Index> {
        let mut index = writing(&self.index);
        let school = reading(&self.school);
        if index.number < school.number {
            *index = Arc::new(Index::new(&school, &index));
        }
        Arc::clone(&index)
    }
}

impl Default for Directory {
    /// An empty school of a lineage of its own. The standard library's hashers begin with random keys.
    fn default() -> Self {
        Self { lineage: RandomState::new().hash_one(()), school: RwLock::default(), number: AtomicU64::default(), index: RwLock::default() }
    }
}

#[async_trait]
impl SchoolDirectory for MemoryStore {
    async fn students(&self, query: &StudentQuery) -> Result<Page<StudentProfile>, StorageError> {
        Ok(self.directory.index().people.students.page(query))
    }

    async fn clubs(&self, query: &ClubQuery) -> Result<Page<ClubProfile>, StorageError> {
        Ok(self.directory.index().people.clubs.page(query))
    }

    async fn projects(&self, query: &ProjectQuery) -> Result<Page<ProjectProfile>, StorageError> {
        Ok(self.directory.index().people.projects.page(query))
    }

    async fn student_changes(&self, query: &ChangesQuery<StudentFilter>) -> Result<Delta<StudentProfile>, StorageError> {
        let index = self.directory.index();
        Ok(index.people.students.delta(self.directory.version(index.number), query))
    }

    async fn club_changes(&self, query: &ChangesQuery<ClubFilter>) -> Result<Delta<ClubProfile>, StorageError> {
        let index = self.directory.index();
        Ok(index.people.clubs.delta(self.directory.version(index.number), query))
    }

    async fn project_changes(&self, query: &ChangesQuery<ProjectFilter>) -> Result<Delta<ProjectProfile>, StorageError> {
        let index = self.directory.index();
        Ok(index.people.projects.delta(self.directory.version(index.number), query))
    }

    async fn meals(&self, days: DateRange) -> Result<Vec<Arc<Record<Meal>>>, StorageError> {
        Ok(self.directory.index().meals.calendar.days(days).to_vec())
    }

    async fn events(&self, days: DateRange) -> Result<Vec<Arc<Record<SchoolEvent>>>, StorageError> {
        Ok(self.directory.index().events.calendar.days(days).to_vec())
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Result<Vec<Arc<Record<Lesson>>>, StorageError> {
        let index = self.directory.index();
        let wanted = |lesson: &Lesson| {
            filter.grade.is_none_or(|grade| grade == lesson.grade) && filter.class_num.is_none_or(|class_num| class_num == lesson.class_num)
        };
        Ok(index.lessons.calendar.days(days).iter().filter(|record| wanted(record.value())).cloned().collect())
    }

    async fn version(&self) -> Result<DatasetVersion, StorageError> {
        Ok(self.directory.version(self.directory.number()))
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
        Ok(self.directory.write(changes))
    }
}

#[cfg(test)]
mod tests;
