use std::collections::HashMap;
use std::sync::Arc;

use super::school::School;
use super::table::Table;
use crate::domain::{
    Club, ClubId, ClubProfile, ClubSummary, Lesson, Meal, Participant, Project, ProjectProfile, Record, SchoolEvent, Student,
    StudentProfile,
};
use crate::store::memory::engine::{Calendar, Clubs, Dated, Projects, Students};

/// One state of the school, laid out for reading. What has not changed is shared with the state before.
#[derive(Default)]
pub(super) struct Index {
    pub(super) number: u64,
    pub(super) people: Arc<People>,
    pub(super) meals: Arc<Days<Meal>>,
    pub(super) events: Arc<Days<SchoolEvent>>,
    pub(super) lessons: Arc<Days<Lesson>>,
}

/// The records that show one another.
#[derive(Default)]
pub(super) struct People {
    revision: [u64; 3],
    pub(super) students: Students,
    pub(super) clubs: Clubs,
    pub(super) projects: Projects,
}

/// The records of one kind that belong to days.
pub(super) struct Days<T> {
    revision: u64,
    pub(super) calendar: Calendar<T>,
}

impl Index {
    pub(super) fn new(school: &School, before: &Self) -> Self {
        Self {
            number: school.number,
            people: people(school, &before.people),
            meals: days(&school.meals, &before.meals),
            events: days(&school.events, &before.events),
            lessons: days(&school.lessons, &before.lessons),
        }
    }
}

impl<T> Default for Days<T> {
    fn default() -> Self {
        Self { revision: 0, calendar: Calendar::default() }
    }
}

fn people(school: &School, before: &Arc<People>) -> Arc<People> {
    let revision = [school.students.revision(), school.clubs.revision(), school.projects.revision()];
    if before.revision == revision {
        return Arc::clone(before);
    }
    let mut members = members(school);
    let students = school.students.rows().map(|student| student_profile(school, student));
    let clubs = school.clubs.rows().map(|club| club_profile(club, members.remove(&club.id).unwrap_or_default()));
    let projects = school.projects.rows().map(|project| project_profile(school, project));
    Arc::new(People {
        revision,
        students: Students::new(students, school.number, &before.students),
        clubs: Clubs::new(clubs, school.number, &before.clubs),
        projects: Projects::new(projects, school.number, &before.projects),
    })
}

fn days<T: Dated>(table: &Table<String, Arc<Record<T>>>, before: &Arc<Days<T>>) -> Arc<Days<T>> {
    if before.revision == table.revision() {
        return Arc::clone(before);
    }
    Arc::new(Days { revision: table.revision(), calendar: Calendar::new(table.rows().cloned()) })
}

/// The members of each club in id order.
fn members(school: &School) -> HashMap<ClubId, Vec<Participant>> {
    let mut members: HashMap<_, Vec<_>> = HashMap::new();
    for student in school.students.rows() {
        let clubs = student.enrolment().map_or([None, None], |enrolment| [enrolment.major_club, enrolment.autonomous_club]);
        for club in clubs.into_iter().flatten() {
            members.entry(club).or_default().push(student.as_participant());
        }
    }
    members
}

fn student_profile(school: &School, student: &Student) -> StudentProfile {
    let enrolment = student.enrolment();
    StudentProfile {
        student: student.clone(),
        major_club: enrolment.and_then(|enrolment| club_summary(school, enrolment.major_club)),
        autonomous_club: enrolment.and_then(|enrolment| club_summary(school, enrolment.autonomous_club)),
    }
}

fn club_profile(club: &Club, members: Vec<Participant>) -> ClubProfile {
    ClubProfile { club: club.clone(), members }
}

fn project_profile(school: &School, project: &Project) -> ProjectProfile {
    let participants = project.participants.iter().filter_map(|id| school.students.row(id)).map(Student::as_participant);
    ProjectProfile { project: project.clone(), club: club_summary(school, project.club), participants: participants.collect() }
}

fn club_summary(school: &School, club: Option<ClubId>) -> Option<ClubSummary> {
    club.and_then(|id| school.clubs.row(&id)).map(Club::summary)
}
