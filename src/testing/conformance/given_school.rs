//! A small school for the cases, and short ways to write and to read it.

use std::collections::BTreeSet;

use super::candidate::{Answered, Candidate};
use super::school::{Found, Parameters};
use crate::directory::{DirectoryChange, Refusal, Writing};
use crate::domain::{
    ClassNum, Club, ClubId, ClubProfile, ClubType, Date, DateRange, Dish, EnrolledRole, Enrolment, Grade, Invalid, Lesson, Lifespan, Line,
    Major, Meal, MealType, Period, Project, ProjectId, ProjectProfile, Prose, Repositories, SchoolEvent, SchoolIdentity, SeatNumber,
    ServeCount, Sex, Standing, Student, StudentId, StudentProfile, TechStacks, Year,
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
        major: Major::SW_DEVELOPMENT,
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
pub(in crate::testing) const EVERYONE: Parameters<'static> = &[("includeGraduates", "true"), ("includeWithdrawn", "true")];

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
        (self.students(EVERYONE).await.items, self.clubs(&[]).await.items, self.every_project(&[]).await.items)
    }

    pub(super) async fn students(&self, asked: Parameters<'_>) -> Found<StudentProfile> {
        self.school().await.students(asked).await.answered()
    }

    pub(super) async fn clubs(&self, asked: Parameters<'_>) -> Found<ClubProfile> {
        self.school().await.clubs(asked).await.answered()
    }

    pub(super) async fn projects(&self, asked: Parameters<'_>) -> Found<ProjectProfile> {
        self.school().await.projects(asked).await.answered()
    }

    pub(super) async fn every_project(&self, asked: Parameters<'_>) -> Found<ProjectProfile> {
        self.school().await.every_project(asked).await.answered()
    }

    /// The student with this id.
    pub(super) async fn one_student(&self, number: i64) -> StudentProfile {
        only(self.students(&[EVERYONE, &[("studentId", &number.to_string())]].concat()).await)
    }

    /// The club with this id.
    pub(super) async fn one_club(&self, number: i64) -> ClubProfile {
        only(self.clubs(&[("clubId", &number.to_string())]).await)
    }

    /// The project with this id.
    pub(super) async fn one_project(&self, number: i64) -> ProjectProfile {
        only(self.every_project(&[("projectId", &number.to_string())]).await)
    }
}

fn only<T>(page: Found<T>) -> T {
    assert_eq!((page.total, page.items.len()), (1, 1), "there is exactly one record with an id that was written");
    page.items.into_iter().next().expect("one value")
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
