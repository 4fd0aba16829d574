mod index;
mod rules;
mod school;
mod table;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{
    ClubProfile, ClubQuery, DateRange, Lesson, LessonFilter, Meal, Page, ProjectProfile, ProjectQuery, Record, SchoolEvent, StudentProfile,
    StudentQuery,
};
use crate::store::{DatasetVersion, DirectoryChange, SchoolDirectory, StorageError, Writing};
use index::Index;
use school::School;

/// The school as it is written, and the index that it is read from. The first read after a write renews the index, so that many writes
/// in a row cost nothing but themselves.
#[derive(Default)]
pub(super) struct Directory {
    school: RwLock<School>,
    /// The school's version, to be read without waiting for a writer.
    version: AtomicU64,
    index: RwLock<Arc<Index>>,
}

impl Directory {
    fn write(&self, changes: Vec<DirectoryChange>) -> Writing {
        let mut school = writing(&self.school);
        let outcome = school.write(changes);
        self.version.store(school.version, Ordering::Release);
        outcome
    }

    fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// An index that shows every write which has returned.
    fn index(&self) -> Arc<Index> {
        let version = self.version();
        let index = Arc::clone(&reading(&self.index));
        if index.version >= version { index } else { self.renewed_index() }
    }

    /// One reader renews the index; the others, who need it as well, wait for it.
    fn renewed_index(&self) -> Arc<Index> {
        let mut index = writing(&self.index);
        let school = reading(&self.school);
        if index.version < school.version {
            *index = Arc::new(Index::new(&school, &index));
        }
        Arc::clone(&index)
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
        Ok(DatasetVersion(self.directory.version()))
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
        Ok(self.directory.write(changes))
    }
}

#[cfg(test)]
mod tests;
