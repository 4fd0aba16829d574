//! The rows that the directory's records become.

use super::row::{Cell, json_list};
use super::tables::{Clubs, Events, Lessons, Meals, Projects, Students};
use crate::domain::{Allergen, Club, ClubId, Enrolment, GithubId, Lesson, Line, Meal, Project, Prose, SchoolEvent, Student, Year, fold};

pub(super) fn student(student: &Student) -> [(Students, Cell); 19] {
    let specialty = student.specialty.as_deref();
    let github_id = student.github_id.as_ref().map(GithubId::as_str);
    let enrolled = |value: fn(&Enrolment) -> Option<i64>| -> Cell { student.enrolment().and_then(value).into() };
    [
        (Students::Id, student.id.get().into()),
        (Students::Name, student.name.as_str().into()),
        (Students::NameFolded, fold(&student.name).into()),
        (Students::Sex, student.sex.as_str().into()),
        (Students::Email, student.email.as_str().into()),
        (Students::EmailFolded, student.email.folded().into()),
        (Students::Specialty, specialty.into()),
        (Students::SpecialtyFolded, specialty.map(fold).into()),
        (Students::GithubId, github_id.into()),
        (Students::GithubIdFolded, github_id.map(fold).into()),
        (Students::Role, student.role().as_str().into()),
        (Students::Grade, enrolled(|enrolment| Some(enrolment.grade.get().into()))),
        (Students::ClassNum, enrolled(|enrolment| Some(enrolment.class_num.get().into()))),
        (Students::Number, enrolled(|enrolment| Some(enrolment.number.get().into()))),
        (Students::StudentNumber, enrolled(|enrolment| Some(enrolment.student_number().into()))),
        (Students::Major, student.enrolment().map(|enrolment| enrolment.major.as_str()).into()),
        (Students::DormitoryRoom, enrolled(|enrolment| enrolment.dormitory_room.map(|room| room.get().into()))),
        (Students::MajorClubId, enrolled(|enrolment| enrolment.major_club.map(ClubId::get))),
        (Students::AutonomousClubId, enrolled(|enrolment| enrolment.autonomous_club.map(ClubId::get))),
    ]
}

pub(super) fn club(club: &Club) -> [(Clubs, Cell); 8] {
    [
        (Clubs::Id, club.id.get().into()),
        (Clubs::Name, club.name.as_str().into()),
        (Clubs::NameFolded, fold(&club.name).into()),
        (Clubs::Kind, club.kind.as_str().into()),
        (Clubs::Status, club.status().as_str().into()),
        (Clubs::FoundedYear, year(club.years.first()).into()),
        (Clubs::AbolishedYear, club.years.last().map(year).into()),
        (Clubs::LeaderId, club.leader.map(|leader| leader.get()).into()),
    ]
}

/// A project without its participants, who have a table of their own.
pub(super) fn project(project: &Project) -> [(Projects, Cell); 10] {
    [
        (Projects::Id, project.id.get().into()),
        (Projects::Name, project.name.as_str().into()),
        (Projects::NameFolded, fold(&project.name).into()),
        (Projects::Description, project.description.as_str().into()),
        (Projects::Status, project.status().as_str().into()),
        (Projects::StartYear, year(project.years.first()).into()),
        (Projects::EndYear, project.years.last().map(year).into()),
        (Projects::ClubId, project.club.map(ClubId::get).into()),
        (Projects::Repositories, json_list(project.repositories.as_slice().iter().map(Line::as_str)).into()),
        (Projects::TechStacks, json_list(project.tech_stacks.as_slice().iter().map(Line::as_str)).into()),
    ]
}

pub(super) fn meal(meal: &Meal) -> [(Meals, Cell); 13] {
    let dishes: Vec<_> = meal.dishes.iter().map(|dish| serde_json::json!([dish.name.as_str(), numbers(&dish.allergens)])).collect();
    [
        (Meals::Id, meal.id().into()),
        (Meals::SchoolCode, meal.school.school_code.as_str().into()),
        (Meals::SchoolName, meal.school.school_name.as_str().into()),
        (Meals::OfficeCode, meal.school.office_code.as_str().into()),
        (Meals::OfficeName, meal.school.office_name.as_str().into()),
        (Meals::Date, meal.date.to_string().into()),
        (Meals::Kind, meal.kind.as_str().into()),
        (Meals::Position, (meal.kind as i64 + 1).into()),
        (Meals::Dishes, serde_json::Value::Array(dishes).to_string().into()),
        (Meals::Calories, line(&meal.calories)),
        (Meals::Origin, prose(&meal.origin)),
        (Meals::Nutrition, prose(&meal.nutrition)),
        (Meals::ServeCount, meal.serve_count.map(|count| i64::from(count.get())).into()),
    ]
}

pub(super) fn event(event: &SchoolEvent) -> [(Events, Cell); 13] {
    let grades: serde_json::Value = event.target_grades.iter().map(|grade| grade.get()).collect();
    [
        (Events::Id, event.id.as_str().into()),
        (Events::SchoolCode, event.school.school_code.as_str().into()),
        (Events::SchoolName, event.school.school_name.as_str().into()),
        (Events::OfficeCode, event.school.office_code.as_str().into()),
        (Events::OfficeName, event.school.office_name.as_str().into()),
        (Events::Date, event.date.to_string().into()),
        (Events::AcademicYear, event.academic_year.as_str().into()),
        (Events::Name, event.name.as_str().into()),
        (Events::Content, prose(&event.content)),
        (Events::DayCategory, line(&event.day_category)),
        (Events::CourseType, line(&event.course_type)),
        (Events::DayNight, line(&event.day_night)),
        (Events::TargetGrades, grades.to_string().into()),
    ]
}

pub(super) fn lesson(lesson: &Lesson) -> [(Lessons, Cell); 14] {
    [
        (Lessons::Id, lesson.id.as_str().into()),
        (Lessons::SchoolCode, lesson.school.school_code.as_str().into()),
        (Lessons::SchoolName, lesson.school.school_name.as_str().into()),
        (Lessons::OfficeCode, lesson.school.office_code.as_str().into()),
        (Lessons::OfficeName, lesson.school.office_name.as_str().into()),
        (Lessons::Date, lesson.date.to_string().into()),
        (Lessons::AcademicYear, lesson.academic_year.as_str().into()),
        (Lessons::Semester, line(&lesson.semester)),
        (Lessons::Grade, i64::from(lesson.grade.get()).into()),
        (Lessons::ClassNum, i64::from(lesson.class_num.get()).into()),
        (Lessons::Period, i64::from(lesson.period.get()).into()),
        (Lessons::Subject, line(&lesson.subject)),
        (Lessons::Department, line(&lesson.department)),
        (Lessons::Classroom, line(&lesson.classroom)),
    ]
}

fn line(text: &Option<Line>) -> Cell {
    text.as_ref().map(Line::as_str).into()
}

fn prose(text: &Option<Prose>) -> Cell {
    text.as_ref().map(Prose::as_str).into()
}

fn numbers(allergens: &[Allergen]) -> Vec<u8> {
    allergens.iter().map(|allergen| allergen.get()).collect()
}

fn year(year: Year) -> i64 {
    year.get().into()
}
