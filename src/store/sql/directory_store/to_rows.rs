//! Conversion of the directory's records to rows.

use crate::domain::{
    Allergen, Club, ClubId, Enrollment, GithubId, Lesson, LongText, Meal, Project, SchoolEvent,
    ShortText, Student, Year, fold_case,
};
use crate::store::sql::row::{SqlValue, json_list};
use crate::store::sql::tables::{Clubs, Events, Lessons, Meals, Projects, Students};

pub(super) fn student(student: &Student) -> [(Students, SqlValue); 19] {
    let specialty = student.specialty.as_deref();
    let github_id = student.github_id.as_ref().map(GithubId::as_str);
    let enrolled = |value: fn(&Enrollment) -> Option<i64>| -> SqlValue {
        student.enrollment().and_then(value).into()
    };
    [
        (Students::Id, student.id.get().into()),
        (Students::Name, student.name.as_str().into()),
        (Students::NameFolded, fold_case(&student.name).into()),
        (Students::Sex, student.sex.as_str().into()),
        (Students::Email, student.email.as_str().into()),
        (Students::EmailFolded, student.email.folded().into()),
        (Students::Specialty, specialty.into()),
        (Students::SpecialtyFolded, specialty.map(fold_case).into()),
        (Students::GithubId, github_id.into()),
        (Students::GithubIdFolded, github_id.map(fold_case).into()),
        (Students::Role, student.role().as_str().into()),
        (
            Students::Grade,
            enrolled(|enrollment| Some(enrollment.grade.get().into())),
        ),
        (
            Students::ClassNum,
            enrolled(|enrollment| Some(enrollment.class_num.get().into())),
        ),
        (
            Students::Number,
            enrolled(|enrollment| Some(enrollment.number.get().into())),
        ),
        (
            Students::StudentNumber,
            enrolled(|enrollment| Some(enrollment.student_number().into())),
        ),
        (
            Students::Major,
            student
                .enrollment()
                .map(|enrollment| enrollment.major.as_str())
                .into(),
        ),
        (
            Students::DormitoryRoom,
            enrolled(|enrollment| enrollment.dormitory_room.map(|room| room.get().into())),
        ),
        (
            Students::MajorClubId,
            enrolled(|enrollment| enrollment.major_club.map(ClubId::get)),
        ),
        (
            Students::AutonomousClubId,
            enrolled(|enrollment| enrollment.autonomous_club.map(ClubId::get)),
        ),
    ]
}

pub(super) fn club(club: &Club) -> [(Clubs, SqlValue); 8] {
    [
        (Clubs::Id, club.id.get().into()),
        (Clubs::Name, club.name.as_str().into()),
        (Clubs::NameFolded, fold_case(&club.name).into()),
        (Clubs::Kind, club.kind.as_str().into()),
        (Clubs::Status, club.status().as_str().into()),
        (Clubs::FoundedYear, year(club.years.first()).into()),
        (Clubs::AbolishedYear, club.years.last().map(year).into()),
        (
            Clubs::LeaderId,
            club.leader.map(|leader| leader.get()).into(),
        ),
    ]
}

/// A project without its participants, which are in a table of their own.
pub(super) fn project(project: &Project) -> [(Projects, SqlValue); 10] {
    [
        (Projects::Id, project.id.get().into()),
        (Projects::Name, project.name.as_str().into()),
        (Projects::NameFolded, fold_case(&project.name).into()),
        (Projects::Description, project.description.as_str().into()),
        (Projects::Status, project.status().as_str().into()),
        (Projects::StartYear, year(project.years.first()).into()),
        (Projects::EndYear, project.years.last().map(year).into()),
        (Projects::ClubId, project.club.map(ClubId::get).into()),
        (
            Projects::Repositories,
            json_list(
                project
                    .repositories
                    .as_slice()
                    .iter()
                    .map(ShortText::as_str),
            )
            .into(),
        ),
        (
            Projects::TechStacks,
            json_list(project.tech_stacks.as_slice().iter().map(ShortText::as_str)).into(),
        ),
    ]
}

pub(super) fn meal(meal: &Meal) -> [(Meals, SqlValue); 13] {
    let dishes: Vec<_> = meal
        .dishes
        .iter()
        .map(|dish| serde_json::json!([dish.name.as_str(), numbers(&dish.allergens)]))
        .collect();
    [
        (Meals::Id, meal.id().into()),
        (Meals::SchoolCode, meal.school.school_code.as_str().into()),
        (Meals::SchoolName, meal.school.school_name.as_str().into()),
        (Meals::OfficeCode, meal.school.office_code.as_str().into()),
        (Meals::OfficeName, meal.school.office_name.as_str().into()),
        (Meals::Date, meal.date.to_string().into()),
        (Meals::Kind, meal.kind.as_str().into()),
        (Meals::Position, (meal.kind as i64 + 1).into()),
        (
            Meals::Dishes,
            serde_json::Value::Array(dishes).to_string().into(),
        ),
        (Meals::Calories, short_text(&meal.calories)),
        (Meals::Origin, long_text(&meal.origin)),
        (Meals::Nutrition, long_text(&meal.nutrition)),
        (
            Meals::ServeCount,
            meal.serve_count.map(|count| i64::from(count.get())).into(),
        ),
    ]
}

pub(super) fn event(event: &SchoolEvent) -> [(Events, SqlValue); 13] {
    let grades: serde_json::Value = event
        .target_grades
        .iter()
        .map(|grade| grade.get())
        .collect();
    [
        (Events::Id, event.id.as_str().into()),
        (Events::SchoolCode, event.school.school_code.as_str().into()),
        (Events::SchoolName, event.school.school_name.as_str().into()),
        (Events::OfficeCode, event.school.office_code.as_str().into()),
        (Events::OfficeName, event.school.office_name.as_str().into()),
        (Events::Date, event.date.to_string().into()),
        (Events::AcademicYear, event.academic_year.as_str().into()),
        (Events::Name, event.name.as_str().into()),
        (Events::Content, long_text(&event.content)),
        (Events::DayCategory, short_text(&event.day_category)),
        (Events::CourseType, short_text(&event.course_type)),
        (Events::DayNight, short_text(&event.day_night)),
        (Events::TargetGrades, grades.to_string().into()),
    ]
}

pub(super) fn lesson(lesson: &Lesson) -> [(Lessons, SqlValue); 14] {
    [
        (Lessons::Id, lesson.id.as_str().into()),
        (
            Lessons::SchoolCode,
            lesson.school.school_code.as_str().into(),
        ),
        (
            Lessons::SchoolName,
            lesson.school.school_name.as_str().into(),
        ),
        (
            Lessons::OfficeCode,
            lesson.school.office_code.as_str().into(),
        ),
        (
            Lessons::OfficeName,
            lesson.school.office_name.as_str().into(),
        ),
        (Lessons::Date, lesson.date.to_string().into()),
        (Lessons::AcademicYear, lesson.academic_year.as_str().into()),
        (Lessons::Semester, short_text(&lesson.semester)),
        (Lessons::Grade, i64::from(lesson.grade.get()).into()),
        (Lessons::ClassNum, i64::from(lesson.class_num.get()).into()),
        (Lessons::Period, i64::from(lesson.period.get()).into()),
        (Lessons::Subject, short_text(&lesson.subject)),
        (Lessons::Department, short_text(&lesson.department)),
        (Lessons::Classroom, short_text(&lesson.classroom)),
    ]
}

fn short_text(text: &Option<ShortText>) -> SqlValue {
    text.as_ref().map(ShortText::as_str).into()
}

fn long_text(text: &Option<LongText>) -> SqlValue {
    text.as_ref().map(LongText::as_str).into()
}

fn numbers(allergens: &[Allergen]) -> Vec<u8> {
    allergens.iter().map(|allergen| allergen.get()).collect()
}

fn year(year: Year) -> i64 {
    year.get().into()
}
