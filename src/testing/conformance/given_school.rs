//! A small school for the cases, and short ways to write and to read it.

use std::collections::BTreeSet;

use super::candidate::{Answered, Candidate};
use super::school::Found;
use crate::directory::{DirectoryChange, Refusal, Writing};
use crate::domain::{
    ClassNum, Club, ClubFilter, ClubId, ClubProfile, ClubQuery, ClubSort, ClubType, Date, DateRange, Direction, Dish, EnrolledRole,
    Enrolment, EnrolmentFilter, Grade, Invalid, Lesson, Lifespan, Line, Major, Meal, MealType, PageRequest, Period, Project, ProjectFilter,
    ProjectId, ProjectProfile, ProjectQuery, ProjectSort, Prose, Repositories, SchoolEvent, SchoolIdentity, SeatNumber, ServeCount, Sex,
    Standing, Student, StudentFilter, StudentId, StudentProfile, StudentQuery, StudentSort, TechStacks, Year,
};
use crate::store::DatasetVersion;

/// A bounded value from a number that the cases know to be inside the bounds.
pub(in crate::testing) fn value<T>(number: i64, new: impl Fn(i64) -> Result<T, Invalid>) -> T {
    new(number).expect("a number inside the bounds")
}

pub(in crate::testing) fn student_id(number: i64) -> StudentId {
    value(number, StudentId::new)
}

pub(in crate::testing) fn club_id(number: i64) -> ClubId {
    value(number, ClubId::new)
}

pub(in crate::testing) fn line(text: &str) -> Line {
    text.parse().expect("a line")
}

pub(in crate::testing) fn day(text: &str) -> Date {
    text.parse().expect("a date")
}

pub(in crate::testing) fn days(from: &str, to: &str) -> DateRange {
    DateRange::new(day(from), day(to)).expect("a range of days")
}

/// The years from 2019, up to `last`.
pub(in crate::testing) fn years(last: Option<i64>) -> Lifespan {
    Lifespan::new(value(2019, Year::new), last.map(|year| value(year, Year::new))).expect("a range of years")
}

/// An enrolled student of grade 1 in no club.
pub(in crate::testing) fn student(number: i64) -> Student {
    enrolled(number, |_| {})
}

/// An enrolled student, changed from the usual.
pub(in crate::testing) fn enrolled(number: i64, change: impl FnOnce(&mut Enrolment)) -> Student {
    let mut enrolment = Enrolment {
        grade: value(1, Grade::new),
        class_num: value(1, ClassNum::new),
        number: value(number % 99 + 1, SeatNumber::new),
        major: Major::SwDevelopment,
        role: EnrolledRole::GeneralStudent,
        dormitory_room: None,
        major_club: None,
        autonomous_club: None,
    };
    change(&mut enrolment);
    left(number, Standing::Enrolled(enrolment))
}

/// A student of this standing.
pub(in crate::testing) fn left(number: i64, standing: Standing) -> Student {
    Student {
        id: student_id(number),
        name: line(&format!("학생 {number}")),
        sex: Sex::Woman,
        email: format!("s{number}@school.example").parse().expect("an address"),
        specialty: None,
        github_id: None,
        standing,
    }
}

/// A student in this major club.
pub(in crate::testing) fn member(number: i64, club: i64) -> Student {
    enrolled(number, |enrolment| enrolment.major_club = Some(club_id(club)))
}

/// A running major club without a leader.
pub(in crate::testing) fn club(number: i64) -> Club {
    Club { id: club_id(number), name: line(&format!("동아리 {number}")), kind: ClubType::Major, years: years(None), leader: None }
}

/// A running autonomous club without a leader.
pub(in crate::testing) fn autonomous(number: i64) -> Club {
    Club { kind: ClubType::Autonomous, ..club(number) }
}

/// A major club with this leader.
pub(in crate::testing) fn led(number: i64, leader: i64) -> Club {
    Club { leader: Some(student_id(leader)), ..club(number) }
}

/// A running project with these participants.
pub(in crate::testing) fn project(number: i64, participants: &[i64]) -> Project {
    Project {
        id: value(number, ProjectId::new),
        name: line(&format!("과제 {number}")),
        description: Prose::default(),
        years: years(None),
        club: None,
        participants: participants.iter().map(|number| student_id(*number)).collect::<BTreeSet<_>>(),
        repositories: Repositories::default(),
        tech_stacks: TechStacks::default(),
    }
}

fn school() -> SchoolIdentity {
    SchoolIdentity {
        school_code: line("9990001"),
        school_name: line("별빛고"),
        office_code: line("Z10"),
        office_name: line("별빛시교육청"),
    }
}

pub(in crate::testing) fn meal(date: &str, kind: MealType) -> Meal {
    let dish = |name, allergens| Dish::new(line(name), allergens).expect("official numbers");
    Meal {
        school: school(),
        date: day(date),
        kind,
        dishes: vec![dish("비빔밥(계란)", vec![1, 5, 6]), dish("배추김치", vec![9]), dish("물", vec![])],
        calories: Some(line("812.4 Kcal")),
        origin: Some("쌀 : 국내산\n김치류 : 국내산".parse().expect("a text")),
        nutrition: None,
        serve_count: Some(value(216, ServeCount::new)),
    }
}

/// A meal of the school with this code.
pub(in crate::testing) fn meal_of(code: &str, date: &str, kind: MealType) -> Meal {
    Meal { school: SchoolIdentity { school_code: line(code), ..school() }, ..meal(date, kind) }
}

pub(in crate::testing) fn event(id: &str, date: &str, name: &str) -> SchoolEvent {
    SchoolEvent {
        id: line(id),
        school: school(),
        date: day(date),
        academic_year: line("2026"),
        name: line(name),
        content: None,
        day_category: Some(line("휴업일")),
        course_type: None,
        day_night: Some(line("주간")),
        target_grades: vec![value(3, Grade::new), value(1, Grade::new)],
    }
}

pub(in crate::testing) fn lesson(id: &str, date: &str, [grade, class, period]: [i32; 3]) -> Lesson {
    Lesson {
        id: line(id),
        school: school(),
        date: day(date),
        academic_year: line("2026"),
        semester: Some(line("1")),
        grade: value(grade.into(), Grade::new),
        class_num: value(class.into(), ClassNum::new),
        period: value(period.into(), Period::new),
        subject: Some(line("자료구조")),
        department: None,
        classroom: Some(line("SW 실습실")),
    }
}

/// Everybody, also those who left.
pub(in crate::testing) const EVERYONE: EnrolmentFilter = EnrolmentFilter::new(false, true, true);

pub(in crate::testing) fn whole() -> PageRequest {
    PageRequest::new(0, PageRequest::MAX_SIZE).expect("a page")
}

/// The first page of the students that a filter finds, in id order.
pub(in crate::testing) fn students(filter: StudentFilter) -> StudentQuery {
    StudentQuery { filter, sort: StudentSort::Id, direction: Direction::Ascending, page: whole() }
}

/// The first page of the clubs that a filter finds, in id order.
pub(in crate::testing) fn clubs(filter: ClubFilter) -> ClubQuery {
    ClubQuery { filter, sort: ClubSort::Id, direction: Direction::Ascending, page: whole() }
}

/// The first page of the projects that a filter finds, in id order.
pub(in crate::testing) fn projects(filter: ProjectFilter) -> ProjectQuery {
    ProjectQuery { filter, sort: ProjectSort::Id, direction: Direction::Ascending, page: whole() }
}

impl Candidate {
    /// Writes changes that must be accepted.
    pub(super) async fn put(&self, changes: impl IntoIterator<Item = impl Into<DirectoryChange>>) -> DatasetVersion {
        match self.school().await.write(changes.into_iter().map(Into::into).collect()).await.answered() {
            Writing::Written(version) => version,
            Writing::Refused { index, refusal } => panic!("the changes are allowed, but number {index} was refused: {refusal:?}"),
            Writing::Contended => panic!("nobody else writes"),
        }
    }

    /// Writes changes that must be refused for this reason, and sees that nothing changed.
    pub(super) async fn refuses(&self, changes: Vec<DirectoryChange>, index: usize, refusal: Refusal) {
        let before = (self.everything().await, self.school().await.version().await.answered());
        assert_eq!(self.school().await.write(changes).await.answered(), Writing::Refused { index, refusal });
        assert_eq!((self.everything().await, self.school().await.version().await.answered()), before, "a refused batch changes nothing");
    }

    async fn everything(&self) -> (Vec<StudentProfile>, Vec<ClubProfile>, Vec<ProjectProfile>) {
        let filter = StudentFilter { enrolment: EVERYONE, ..StudentFilter::default() };
        (
            values(&self.school().await.students(&students(filter)).await.answered()),
            values(&self.school().await.clubs(&clubs(ClubFilter::default())).await.answered()),
            values(&self.school().await.projects(&projects(ProjectFilter::default())).await.answered()),
        )
    }

    /// The student with this id.
    pub(super) async fn one_student(&self, number: i64) -> StudentProfile {
        let filter = StudentFilter { id: Some(student_id(number)), enrolment: EVERYONE, ..StudentFilter::default() };
        only(self.school().await.students(&students(filter)).await.answered())
    }

    /// The club with this id.
    pub(super) async fn one_club(&self, number: i64) -> ClubProfile {
        only(self.school().await.clubs(&clubs(ClubFilter { id: Some(club_id(number)), ..ClubFilter::default() })).await.answered())
    }

    /// The project with this id.
    pub(super) async fn one_project(&self, number: i64) -> ProjectProfile {
        only(
            self.school()
                .await
                .projects(&projects(ProjectFilter { id: Some(value(number, ProjectId::new)), ..ProjectFilter::default() }))
                .await
                .answered(),
        )
    }
}

/// The values of a page.
pub(in crate::testing) fn values<T: Clone>(page: &Found<T>) -> Vec<T> {
    page.items.clone()
}

fn only<T: Clone>(page: Found<T>) -> T {
    let values = values(&page);
    assert_eq!((page.total, values.len()), (1, 1), "there is exactly one record with an id that was written");
    values.into_iter().next().expect("one value")
}

macro_rules! changes {
    ($($record:ident => $change:ident),+) => {$(
        impl From<$record> for DirectoryChange {
            fn from(record: $record) -> Self {
                Self::$change(record)
            }
        }
    )+};
}

changes!(Student => PutStudent, Club => PutClub, Project => PutProject, Meal => PutMeal, SchoolEvent => PutEvent, Lesson => PutLesson);
