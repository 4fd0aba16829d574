use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::school::SchoolResources;
use super::snapshot::Snapshot;
use crate::domain::{
    Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId,
};
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows};

/// The records that a batch has put or removed so far, on top of the snapshot that it started with.
pub(super) struct WriteBatch<'a> {
    base: &'a Snapshot,
    pub(super) resources: &'a SchoolResources,
    pub(super) students: BTreeMap<StudentId, Option<Student>>,
    pub(super) clubs: BTreeMap<ClubId, Option<Club>>,
    projects: BTreeMap<ProjectId, Option<Project>>,
    pub(super) meals: BTreeMap<String, Option<Meal>>,
    pub(super) events: BTreeMap<String, Option<SchoolEvent>>,
    pub(super) lessons: BTreeMap<String, Option<Lesson>>,
    /// The projects of each student, possibly with some that the batch has removed them from. Built
    /// on first use.
    projects_by_student: Option<HashMap<StudentId, BTreeSet<ProjectId>>>,
}

impl<'a> WriteBatch<'a> {
    /// Starts a batch without changes.
    pub(super) const fn new(base: &'a Snapshot, resources: &'a SchoolResources) -> Self {
        Self {
            base,
            resources,
            students: BTreeMap::new(),
            clubs: BTreeMap::new(),
            projects: BTreeMap::new(),
            meals: BTreeMap::new(),
            events: BTreeMap::new(),
            lessons: BTreeMap::new(),
            projects_by_student: None,
        }
    }

    pub(super) fn student(&self, id: StudentId) -> Option<&Student> {
        match self.students.get(&id) {
            Some(changed) => changed.as_ref(),
            None => self.base.student(id),
        }
    }

    pub(super) fn club(&self, id: ClubId) -> Option<&Club> {
        match self.clubs.get(&id) {
            Some(changed) => changed.as_ref(),
            None => self.base.club(id),
        }
    }

    /// Returns the student from before the batch.
    pub(super) fn student_before(&self, id: StudentId) -> Option<&Student> {
        self.base.student(id)
    }

    /// Returns another student with the same e-mail address whom the batch has not changed.
    pub(super) fn unchanged_owner(&self, student: &Student) -> Option<StudentId> {
        self.base
            .students_with_email(&student.email)
            .map(|record| record.value().student.id)
            .find(|id| *id != student.id && !self.students.contains_key(id))
    }

    /// Returns the lesson from before the batch.
    pub(super) fn lesson_before(&self, id: &str) -> Option<&Lesson> {
        self.base.lesson(id)
    }

    fn project(&self, id: ProjectId) -> Option<&Project> {
        match self.projects.get(&id) {
            Some(changed) => changed.as_ref(),
            None => self.base.project(id),
        }
    }

    pub(super) fn set_project(&mut self, id: ProjectId, project: Option<Project>) {
        if let (Some(joined), Some(project)) = (&mut self.projects_by_student, &project) {
            add_participants(joined, project);
        }
        self.projects.insert(id, project);
    }

    pub(super) fn change_project(&mut self, id: ProjectId, change: impl FnOnce(&mut Project)) {
        let Some(mut project) = self.project(id).cloned() else {
            return;
        };
        change(&mut project);
        self.projects.insert(id, Some(project));
    }

    /// Returns the members of a club.
    pub(super) fn members_of(&self, club: ClubId) -> Vec<StudentId> {
        let unchanged = self
            .base
            .members_of(club)
            .filter(|id| !self.students.contains_key(id));
        let changed = self
            .students
            .values()
            .flatten()
            .filter(|student| student.is_member_of(club))
            .map(|student| student.id);
        unchanged.chain(changed).collect()
    }

    /// Returns the projects of a club.
    pub(super) fn projects_of_club(&self, club: ClubId) -> Vec<ProjectId> {
        let unchanged = self
            .base
            .projects_of_club(club)
            .filter(|id| !self.projects.contains_key(id));
        let changed = self
            .projects
            .values()
            .flatten()
            .filter(|project| project.club == Some(club))
            .map(|project| project.id);
        unchanged.chain(changed).collect()
    }

    /// Returns the projects that a student takes part in.
    pub(super) fn projects_of_student(&mut self, student: StudentId) -> Vec<ProjectId> {
        let joined = self.projects_by_student.get_or_insert_with(|| {
            let mut joined = HashMap::new();
            self.base
                .all_projects()
                .chain(self.projects.values().flatten())
                .for_each(|project| add_participants(&mut joined, project));
            joined
        });
        let projects = joined.get(&student).cloned().unwrap_or_default();
        let takes_part = |id: &ProjectId| {
            self.project(*id)
                .is_some_and(|project| project.participants.contains(&student))
        };
        projects.into_iter().filter(takes_part).collect()
    }

    /// Returns the rows of every record that may have changed or whose profile may have, in this
    /// version. Unchanged ones may be among them.
    pub(super) fn into_rows(mut self, version: DatasetVersion) -> DirectoryRows {
        let students: Vec<StudentId> = self.students.keys().copied().collect();
        let clubs: Vec<ClubId> = self.clubs.keys().copied().collect();
        self.touch_clubs_and_projects_of(&students);
        self.touch_members_and_projects_of(&clubs);
        let number = version.number;
        DirectoryRows {
            version,
            marks: vec![(number, version.mark)],
            students: rows(number, self.students),
            clubs: rows(number, self.clubs),
            projects: rows(number, self.projects),
            meals: rows(number, self.meals),
            events: rows(number, self.events),
            lessons: rows(number, self.lessons),
        }
    }

    fn touch_clubs_and_projects_of(&mut self, students: &[StudentId]) {
        for id in students {
            let (before, after) = (self.base.student(*id), self.student(*id));
            let same_participant =
                before.map(Student::as_participant) == after.map(Student::as_participant);
            let clubs: BTreeSet<ClubId> =
                before.into_iter().chain(after).flat_map(clubs_of).collect();
            for club in clubs {
                let unchanged = self.club(club).cloned();
                self.clubs.entry(club).or_insert(unchanged);
            }
            if !same_participant {
                for project in self.projects_of_student(*id) {
                    self.change_project(project, |_| {});
                }
            }
        }
    }

    fn touch_members_and_projects_of(&mut self, clubs: &[ClubId]) {
        for id in clubs {
            if self.base.club(*id).map(Club::summary) == self.club(*id).map(Club::summary) {
                continue;
            }
            for member in self.members_of(*id) {
                let student = self.student(member).cloned();
                self.students.insert(member, student);
            }
            for project in self.projects_of_club(*id) {
                self.change_project(project, |_| {});
            }
        }
    }
}

/// Returns the clubs of a student.
pub(super) fn clubs_of(student: &Student) -> impl Iterator<Item = ClubId> + use<> {
    let clubs = student.enrollment().map_or([None, None], |enrollment| {
        [enrollment.major_club, enrollment.autonomous_club]
    });
    clubs.into_iter().flatten()
}

fn add_participants(joined: &mut HashMap<StudentId, BTreeSet<ProjectId>>, project: &Project) {
    for student in &project.participants {
        joined.entry(*student).or_default().insert(project.id);
    }
}

fn rows<I, T>(changed: u64, records: BTreeMap<I, Option<T>>) -> Vec<DirectoryRow<I, T>> {
    records
        .into_iter()
        .map(|(id, value)| DirectoryRow { id, changed, value })
        .collect()
}
