use std::sync::Arc;

use super::table::Table;
use crate::domain::{Club, ClubId, Lesson, Meal, Project, ProjectId, Record, SchoolEvent, Student, StudentId};
use crate::store::{DatasetVersion, DirectoryChange, Writing};

/// The school as it was written down.
#[derive(Default)]
pub(super) struct School {
    pub(super) version: u64,
    pub(super) students: Table<StudentId, Student>,
    pub(super) clubs: Table<ClubId, Club>,
    pub(super) projects: Table<ProjectId, Project>,
    pub(super) meals: Table<String, Arc<Record<Meal>>>,
    pub(super) events: Table<String, Arc<Record<SchoolEvent>>>,
    pub(super) lessons: Table<String, Arc<Record<Lesson>>>,
}

impl School {
    /// Makes all the changes in their order, or none of them.
    pub(super) fn write(&mut self, changes: Vec<DirectoryChange>) -> Writing {
        for (index, change) in changes.into_iter().enumerate() {
            if let Err(refusal) = self.make(change) {
                self.take_back();
                return Writing::Refused { index, refusal };
            }
        }
        self.settle();
        self.version += 1;
        Writing::Written(DatasetVersion(self.version))
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
