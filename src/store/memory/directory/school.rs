use std::sync::Arc;

use super::table::Table;
use crate::domain::{Club, ClubId, Lesson, Meal, Project, ProjectId, Record, SchoolEvent, Student, StudentId};
use crate::store::{DirectoryChange, Refusal};

/// The school as it was written down.
#[derive(Default)]
pub(super) struct School {
    /// How many batches have been written.
    pub(super) number: u64,
    pub(super) students: Table<StudentId, Student>,
    pub(super) clubs: Table<ClubId, Club>,
    pub(super) projects: Table<ProjectId, Project>,
    pub(super) meals: Table<String, Arc<Record<Meal>>>,
    pub(super) events: Table<String, Arc<Record<SchoolEvent>>>,
    pub(super) lessons: Table<String, Arc<Record<Lesson>>>,
}

impl School {
    /// Makes all the changes in their order, or none of them.
    pub(super) fn write(&mut self, changes: Vec<DirectoryChange>) -> Result<(), (usize, Refusal)> {
        for (index, change) in changes.into_iter().enumerate() {
            if let Err(refusal) = self.make(change) {
                self.take_back();
                return Err((index, refusal));
            }
        }
        self.settle();
        self.number += 1;
        Ok(())
    }

    fn settle(&mut self) {
        self.students.settle();
        self.clubs.settle();
        self.projects.settle();
        self.meals.settle();
        self.events.settle();
        self.lessons.settle();
    }

    fn take_back(&mut self) {
        self.students.take_back();
        self.clubs.take_back();
        self.projects.take_back();
        self.meals.take_back();
        self.events.take_back();
        self.lessons.take_back();
    }
}
