//! What tables show of a record, by the names of the data API.

use std::str::FromStr;

use serde_json::Value;

use crate::domain::{ClubStatus, ClubType, Major, MealType, PersonalField, ProjectStatus, Sex, StudentRole};
use crate::http::pages::texts::{Texts, Words};

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) label: fn(&Texts) -> &'static str,
    /// What a record has there; nothing, if that is unknown.
    pub(super) value: fn(&Value, &Words) -> String,
    /// What to sort by it with.
    pub(super) sort: Option<&'static str>,
    /// What it tells of, so that a key may do without it.
    pub(super) tells: Option<PersonalField>,
}

type Label = fn(&Texts) -> &'static str;
type Show = fn(&Value, &Words) -> String;

impl Column {
    const fn new(label: Label, value: Show) -> Self {
        Self { label, value, sort: None, tells: None }
    }

    const fn sorted(self, sort: &'static str) -> Self {
        Self { sort: Some(sort), ..self }
    }

    const fn telling(self, field: PersonalField) -> Self {
        Self { tells: Some(field), ..self }
    }
}

pub(super) const STUDENTS: &[Column] = &[
    Column::new(|text| text.words.field_name, |record, _| plain(record, "name")).sorted("NAME"),
    Column::new(|text| text.words.field_id, |record, _| plain(record, "id")).sorted("ID"),
    Column::new(|text| text.words.field_student_number, |record, _| plain(record, "studentNumber"))
        .sorted("STUDENT_NUMBER")
        .telling(PersonalField::Class),
    Column::new(|text| text.words.field_sex, |record, words| word(record, "sex", |sex: Sex| words.sex(sex)))
        .sorted("SEX")
        .telling(PersonalField::Sex),
    Column::new(|text| text.words.field_major, |record, words| word(record, "major", |major: Major| words.major(major)))
        .sorted("MAJOR")
        .telling(PersonalField::Major),
    Column::new(|text| text.words.field_specialty, |record, _| plain(record, "specialty")).telling(PersonalField::Specialty),
    Column::new(|text| text.words.field_student_role, |record, words| word(record, "role", |role: StudentRole| words.student_role(role)))
        .sorted("ROLE"),
    Column::new(|text| text.words.field_dormitory_room, |record, _| plain(record, "dormitoryRoom"))
        .sorted("DORMITORY_ROOM")
        .telling(PersonalField::Dormitory),
    Column::new(|text| text.words.field_major_club, |record, _| plain(&record["majorClub"], "name")),
    Column::new(|text| text.words.field_autonomous_club, |record, _| plain(&record["autonomousClub"], "name")),
    Column::new(|text| text.email, |record, _| plain(record, "email")).sorted("EMAIL").telling(PersonalField::Email),
    Column::new(|text| text.words.field_github, |record, _| plain(record, "githubId")).telling(PersonalField::Github),
];

pub(super) const CLUBS: &[Column] = &[
    Column::new(|text| text.words.field_name, |record, _| plain(record, "name")).sorted("NAME"),
    Column::new(|text| text.words.field_id, |record, _| plain(record, "id")).sorted("ID"),
    Column::new(|text| text.words.field_kind, |record, words| word(record, "type", |kind: ClubType| words.club_type(kind))).sorted("TYPE"),
    Column::new(|text| text.words.field_status, |record, words| word(record, "status", |status: ClubStatus| words.club_status(status)))
        .sorted("STATUS"),
    Column::new(|text| text.words.field_founded, |record, _| plain(record, "foundedYear")).sorted("FOUNDED_YEAR"),
    Column::new(|text| text.words.field_abolished, |record, _| plain(record, "abolishedYear")).sorted("ABOLISHED_YEAR"),
    Column::new(|text| text.words.field_leader, |record, _| plain(&record["leader"], "name")),
    Column::new(|text| text.words.field_members, |record, _| each(record, "participants", |member| plain(member, "name"))),
];

pub(super) const PROJECTS: &[Column] = &[
    Column::new(|text| text.words.field_name, |record, _| plain(record, "name")).sorted("NAME"),
    Column::new(|text| text.words.field_id, |record, _| plain(record, "id")).sorted("ID"),
    Column::new(|text| text.words.field_description, |record, _| plain(record, "description")),
    Column::new(|text| text.words.field_years, |record, _| years(record)),
    Column::new(
        |text| text.words.field_status,
        |record, words| word(record, "status", |status: ProjectStatus| words.project_status(status)),
    ),
    Column::new(|text| text.words.field_club, |record, _| plain(&record["club"], "name")),
    Column::new(|text| text.words.field_members, |record, _| each(record, "participants", |member| plain(member, "name"))),
    Column::new(|text| text.words.field_repositories, |record, _| each(record, "repositories", shown)),
    Column::new(|text| text.words.field_tech_stacks, |record, _| each(record, "techStacks", shown)),
];

pub(super) const MEALS: &[Column] = &[
    Column::new(|text| text.words.field_date, |record, _| plain(record, "mealDate")),
    Column::new(|text| text.words.field_meal, |record, words| word(record, "mealType", |meal: MealType| words.meal(meal))),
    Column::new(|text| text.words.field_dishes, |record, _| each(record, "dishes", dish)),
    Column::new(|text| text.words.field_calories, |record, _| plain(record, "mealCalories")),
];

pub(super) const SCHEDULES: &[Column] = &[
    Column::new(|text| text.words.field_date, |record, _| plain(record, "scheduleDate")),
    Column::new(|text| text.words.field_event, |record, _| plain(record, "eventName")),
    Column::new(|text| text.words.field_description, |record, _| plain(record, "eventContent")),
    Column::new(|text| text.words.field_day_category, |record, _| plain(record, "dayCategory")),
    Column::new(|text| text.words.field_grades, |record, _| each(record, "targetGrades", shown)),
];

pub(super) const TIMETABLES: &[Column] = &[
    Column::new(|text| text.words.field_date, |record, _| plain(record, "timetableDate")),
    Column::new(|text| text.words.field_grade, |record, _| plain(record, "grade")),
    Column::new(|text| text.words.field_class, |record, _| plain(record, "classNum")),
    Column::new(|text| text.words.field_period, |record, _| plain(record, "period")),
    Column::new(|text| text.words.field_subject, |record, _| plain(record, "subject")),
    Column::new(|text| text.words.field_classroom, |record, _| plain(record, "classroom")),
];

/// A text or a number.
fn plain(record: &Value, name: &str) -> String {
    shown(&record[name])
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// One of the words of an enumeration, as people call it.
fn word<T: FromStr>(record: &Value, name: &str, label: impl Fn(T) -> &'static str) -> String {
    let word = plain(record, name);
    word.parse().map_or(word, |value| label(value).to_owned())
}

/// What is in a list.
fn each(record: &Value, name: &str, show: impl Fn(&Value) -> String) -> String {
    let items: Vec<String> = record[name].as_array().into_iter().flatten().map(show).collect();
    items.join(", ")
}

fn years(record: &Value) -> String {
    format!("{}–{}", plain(record, "startYear"), plain(record, "endYear"))
}

fn dish(dish: &Value) -> String {
    let (name, allergens) = (plain(dish, "name"), each(dish, "allergens", shown));
    if allergens.is_empty() { name } else { format!("{name} ({allergens})") }
}
