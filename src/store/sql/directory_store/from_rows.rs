//! Reads records from rows. A value that no store writes is an error.

use std::collections::BTreeSet;

use crate::domain::{
    ClassNum, Club, ClubId, Dish, DormitoryRoom, EnrolledRole, Enrollment, EnrollmentStatus, Grade,
    Lesson, Meal, Period, Project, ProjectId, Repositories, SchoolEvent, SchoolIdentity,
    SeatNumber, ServeCount, Student, StudentId, StudentRole, TechStacks, Year, YearRange,
};
use crate::store::StorageError;
use crate::store::sql::row::Row;
use crate::store::sql::tables::{Clubs, Events, Lessons, Meals, Projects, Students};

pub(in crate::store::sql) const STUDENT_COLUMNS: [Students; 14] = [
    Students::Id,
    Students::Name,
    Students::Sex,
    Students::Email,
    Students::Specialty,
    Students::GithubId,
    Students::Role,
    Students::Grade,
    Students::ClassNum,
    Students::Number,
    Students::Major,
    Students::DormitoryRoom,
    Students::MajorClubId,
    Students::AutonomousClubId,
];

/// Reads [`STUDENT_COLUMNS`].
pub(in crate::store::sql) fn student(mut row: Row) -> Result<Student, StorageError> {
    Ok(Student {
        id: row.number("students.id", StudentId::new)?,
        name: row.parsed("students.name")?,
        sex: row.parsed("students.sex")?,
        email: row.parsed("students.email")?,
        specialty: row.optional(|row| row.parsed("students.specialty"))?,
        github_id: row.optional(|row| row.parsed("students.github_id"))?,
        enrollment_status: enrollment_status(row)?,
    })
}

/// Reads the columns of the enrollment, which are the last ones of the row.
pub(in crate::store::sql) fn enrollment_status(
    mut row: Row,
) -> Result<EnrollmentStatus, StorageError> {
    let role = match row.parsed("students.role")? {
        StudentRole::Graduate => return Ok(EnrollmentStatus::Graduate),
        StudentRole::Withdrawn => return Ok(EnrollmentStatus::Withdrawn),
        StudentRole::StudentCouncil => EnrolledRole::StudentCouncil,
        StudentRole::DormitoryManager => EnrolledRole::DormitoryManager,
        StudentRole::GeneralStudent => EnrolledRole::GeneralStudent,
    };
    Ok(EnrollmentStatus::Enrolled(Enrollment {
        grade: row.number("students.grade", Grade::new)?,
        class_num: row.number("students.class_num", ClassNum::new)?,
        number: row.number("students.number", SeatNumber::new)?,
        major: row.parsed("students.major")?,
        role,
        dormitory_room: row
            .optional(|row| row.number("students.dormitory_room", DormitoryRoom::new))?,
        major_club: row.optional(|row| row.number("students.major_club_id", ClubId::new))?,
        autonomous_club: row
            .optional(|row| row.number("students.autonomous_club_id", ClubId::new))?,
    }))
}

pub(in crate::store::sql) const CLUB_COLUMNS: [Clubs; 6] = [
    Clubs::Id,
    Clubs::Name,
    Clubs::Kind,
    Clubs::FoundedYear,
    Clubs::AbolishedYear,
    Clubs::LeaderId,
];

/// Reads [`CLUB_COLUMNS`].
pub(in crate::store::sql) fn club(mut row: Row) -> Result<Club, StorageError> {
    Ok(Club {
        id: row.number("clubs.id", ClubId::new)?,
        name: row.parsed("clubs.name")?,
        kind: row.parsed("clubs.kind")?,
        years: years(&mut row)?,
        leader: row.optional(|row| row.number("clubs.leader_id", StudentId::new))?,
    })
}

/// Reads a first year and an optional last year.
fn years(row: &mut Row) -> Result<YearRange, StorageError> {
    let first = row.number("first year", Year::new)?;
    let last = row.optional(|row| row.number("last year", Year::new))?;
    YearRange::new(first, last).map_err(|_| StorageError::corrupt("last year"))
}

pub(in crate::store::sql) const PROJECT_COLUMNS: [Projects; 8] = [
    Projects::Id,
    Projects::Name,
    Projects::Description,
    Projects::StartYear,
    Projects::EndYear,
    Projects::ClubId,
    Projects::Repositories,
    Projects::TechStacks,
];

/// Reads [`PROJECT_COLUMNS`]. Participants are in a table of their own.
pub(in crate::store::sql) fn project(mut row: Row) -> Result<Project, StorageError> {
    Ok(Project {
        id: row.number("projects.id", ProjectId::new)?,
        name: row.parsed("projects.name")?,
        description: row.parsed("projects.description")?,
        years: years(&mut row)?,
        club: row.optional(|row| row.number("projects.club_id", ClubId::new))?,
        participants: BTreeSet::new(),
        repositories: Repositories::new(row.list("projects.repositories")?)
            .map_err(|_| StorageError::corrupt("projects.repositories"))?,
        tech_stacks: TechStacks::new(row.list("projects.tech_stacks")?)
            .map_err(|_| StorageError::corrupt("projects.tech_stacks"))?,
    })
}

pub(in crate::store::sql) const MEAL_COLUMNS: [Meals; 12] = [
    Meals::Id,
    Meals::SchoolCode,
    Meals::SchoolName,
    Meals::OfficeCode,
    Meals::OfficeName,
    Meals::Date,
    Meals::Kind,
    Meals::Dishes,
    Meals::Calories,
    Meals::Origin,
    Meals::Nutrition,
    Meals::ServeCount,
];

/// Reads [`MEAL_COLUMNS`].
pub(in crate::store::sql) fn meal(mut row: Row) -> Result<Meal, StorageError> {
    let id = row.text("meals.id")?;
    let meal = Meal {
        school: school_identity(&mut row)?,
        date: row.parsed("meals.date")?,
        kind: row.parsed("meals.kind")?,
        dishes: dishes(&mut row)?,
        calories: row.optional(|row| row.parsed("meals.calories"))?,
        origin: row.optional(|row| row.parsed("meals.origin"))?,
        nutrition: row.optional(|row| row.parsed("meals.nutrition"))?,
        serve_count: row.optional(|row| row.number("meals.serve_count", ServeCount::new))?,
    };
    // The id is composed of other columns, so a row with another id is damaged.
    if meal.id() == id {
        Ok(meal)
    } else {
        Err(StorageError::corrupt("meals.id"))
    }
}

pub(in crate::store::sql) const EVENT_COLUMNS: [Events; 13] = [
    Events::Id,
    Events::SchoolCode,
    Events::SchoolName,
    Events::OfficeCode,
    Events::OfficeName,
    Events::Date,
    Events::AcademicYear,
    Events::Name,
    Events::Content,
    Events::DayCategory,
    Events::CourseType,
    Events::DayNight,
    Events::TargetGrades,
];

/// Reads [`EVENT_COLUMNS`].
pub(in crate::store::sql) fn event(mut row: Row) -> Result<SchoolEvent, StorageError> {
    Ok(SchoolEvent {
        id: row.parsed("events.id")?,
        school: school_identity(&mut row)?,
        date: row.parsed("events.date")?,
        academic_year: row.parsed("events.academic_year")?,
        name: row.parsed("events.name")?,
        content: row.optional(|row| row.parsed("events.content"))?,
        day_category: row.optional(|row| row.parsed("events.day_category"))?,
        course_type: row.optional(|row| row.parsed("events.course_type"))?,
        day_night: row.optional(|row| row.parsed("events.day_night"))?,
        target_grades: target_grades(&mut row)?,
    })
}

pub(in crate::store::sql) const LESSON_COLUMNS: [Lessons; 14] = [
    Lessons::Id,
    Lessons::SchoolCode,
    Lessons::SchoolName,
    Lessons::OfficeCode,
    Lessons::OfficeName,
    Lessons::Date,
    Lessons::AcademicYear,
    Lessons::Semester,
    Lessons::Grade,
    Lessons::ClassNum,
    Lessons::Period,
    Lessons::Subject,
    Lessons::Department,
    Lessons::Classroom,
];

/// Reads [`LESSON_COLUMNS`].
pub(in crate::store::sql) fn lesson(mut row: Row) -> Result<Lesson, StorageError> {
    Ok(Lesson {
        id: row.parsed("lessons.id")?,
        school: school_identity(&mut row)?,
        date: row.parsed("lessons.date")?,
        academic_year: row.parsed("lessons.academic_year")?,
        semester: row.optional(|row| row.parsed("lessons.semester"))?,
        grade: row.number("lessons.grade", Grade::new)?,
        class_num: row.number("lessons.class_num", ClassNum::new)?,
        period: row.number("lessons.period", Period::new)?,
        subject: row.optional(|row| row.parsed("lessons.subject"))?,
        department: row.optional(|row| row.parsed("lessons.department"))?,
        classroom: row.optional(|row| row.parsed("lessons.classroom"))?,
    })
}

fn school_identity(row: &mut Row) -> Result<SchoolIdentity, StorageError> {
    Ok(SchoolIdentity {
        school_code: row.parsed("school_code")?,
        school_name: row.parsed("school_name")?,
        office_code: row.parsed("office_code")?,
        office_name: row.parsed("office_name")?,
    })
}

fn dishes(row: &mut Row) -> Result<Vec<Dish>, StorageError> {
    const COLUMN: &str = "meals.dishes";
    let dishes: Vec<(String, Vec<u8>)> = row.json(COLUMN)?;
    let dish = |(name, allergens): (String, _)| Dish::new(name.parse()?, allergens);
    dishes
        .into_iter()
        .map(dish)
        .collect::<Result<_, _>>()
        .map_err(|_| StorageError::corrupt(COLUMN))
}

fn target_grades(row: &mut Row) -> Result<Vec<Grade>, StorageError> {
    const COLUMN: &str = "events.target_grades";
    let grades: Vec<i64> = row.json(COLUMN)?;
    grades
        .into_iter()
        .map(Grade::new)
        .collect::<Result<_, _>>()
        .map_err(|_| StorageError::corrupt(COLUMN))
}
