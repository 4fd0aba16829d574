//! What can be looked for, by the names of the data API.

use crate::domain::{
    ClubSort, ClubStatus, ClubType, Direction, Major, PageRequest, ProjectSort, ProjectStatus, Sex, StudentRole, StudentSort,
};
use crate::http::pages::texts::Texts;

/// Something to look for.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) name: &'static str,
    pub(super) label: fn(&Texts) -> &'static str,
    pub(super) field: Field,
    /// Whether it is asked for seldom.
    pub(super) is_seldom: bool,
}

/// How it is asked for.
#[derive(Debug)]
pub(super) enum Field {
    Text,
    Number,
    Date,
    /// One of these words, the first of which is meant if nothing is said.
    Choice(fn(&Texts) -> Vec<Word>),
}

/// A word of the data API, and what people call it.
pub(super) type Word = (&'static str, &'static str);

type Label = fn(&Texts) -> &'static str;

const fn often(name: &'static str, label: Label, field: Field) -> Filter {
    Filter { name, label, field, is_seldom: false }
}

const fn seldom(name: &'static str, label: Label, field: Field) -> Filter {
    Filter { name, label, field, is_seldom: true }
}

const SIZE: Filter = seldom("size", |text| text.page_size, Field::Number);
const DIRECTION: Filter = seldom("sortDirection", |text| text.sort_direction, Field::Choice(directions));

pub(super) const STUDENTS: &[Filter] = &[
    often("name", |text| text.words.field_name, Field::Text),
    often("grade", |text| text.words.field_grade, Field::Number),
    often("classNum", |text| text.words.field_class, Field::Number),
    often(
        "major",
        |text| text.words.field_major,
        Field::Choice(|text| any(text, Major::ALL, |major| (major.as_str(), text.words.major(major)))),
    ),
    seldom("studentId", |text| text.words.field_id, Field::Number),
    seldom("email", |text| text.email, Field::Text),
    seldom("number", |text| text.words.field_number, Field::Number),
    seldom("sex", |text| text.words.field_sex, Field::Choice(|text| any(text, Sex::ALL, |sex| (sex.as_str(), text.words.sex(sex))))),
    seldom("role", |text| text.words.field_student_role, Field::Choice(roles)),
    seldom("specialty", |text| text.words.field_specialty, Field::Text),
    seldom("githubId", |text| text.words.field_github, Field::Text),
    seldom("dormitoryRoom", |text| text.words.field_dormitory_room, Field::Number),
    seldom("includeGraduates", |text| text.words.field_include_graduates, Field::Choice(switch)),
    seldom("includeWithdrawn", |text| text.words.field_include_withdrawn, Field::Choice(switch)),
    seldom("onlyEnrolled", |text| text.words.field_only_enrolled, Field::Choice(switch)),
    seldom("sortBy", |text| text.sort_by, Field::Choice(student_sorts)),
    DIRECTION,
    SIZE,
];

pub(super) const CLUBS: &[Filter] = &[
    often("clubName", |text| text.words.field_name, Field::Text),
    often("clubType", |text| text.words.field_kind, Field::Choice(club_types)),
    often("status", |text| text.words.field_status, Field::Choice(club_statuses)),
    seldom("clubId", |text| text.words.field_id, Field::Number),
    seldom("foundedYear", |text| text.words.field_founded, Field::Number),
    seldom("includeLeaderInParticipants", |text| text.words.field_leader_included, Field::Choice(switch)),
    seldom("sortBy", |text| text.sort_by, Field::Choice(club_sorts)),
    DIRECTION,
    SIZE,
];

pub(super) const PROJECTS: &[Filter] = &[
    often("projectName", |text| text.words.field_name, Field::Text),
    often("status", |text| text.words.field_status, Field::Choice(project_statuses)),
    seldom("projectId", |text| text.words.field_id, Field::Number),
    seldom("clubId", |text| text.words.field_club_id, Field::Number),
    seldom("sortBy", |text| text.sort_by, Field::Choice(project_sorts)),
    DIRECTION,
    SIZE,
];

const DATE: Filter = often("date", |text| text.words.field_date, Field::Date);
const FROM: Filter = often("fromDate", |text| text.words.field_from_date, Field::Date);
const TO: Filter = often("toDate", |text| text.words.field_to_date, Field::Date);

pub(super) const DAYS: &[Filter] = &[DATE, FROM, TO];

pub(super) const LESSONS: &[Filter] = &[
    DATE,
    FROM,
    TO,
    often("grade", |text| text.words.field_grade, Field::Number),
    often("classNum", |text| text.words.field_class, Field::Number),
];

impl Filter {
    /// Whether it is about the order and the size of pages.
    pub(super) fn is_of_order(&self) -> bool {
        matches!(self.name, "sortBy" | "sortDirection" | "size")
    }
}

/// How many records are on a page, and in a table, if nobody says otherwise.
pub(super) const PAGE: u32 = 50;
pub(super) const TABLE: u32 = PageRequest::MAX_SIZE;

fn any<T: Copy>(text: &Texts, values: &[T], word: impl Fn(T) -> Word) -> Vec<Word> {
    std::iter::once(("", text.any)).chain(values.iter().map(|value| word(*value))).collect()
}

fn switch(text: &Texts) -> Vec<Word> {
    vec![("", text.no), ("true", text.yes)]
}

fn roles(text: &Texts) -> Vec<Word> {
    any(text, StudentRole::ALL, |role| (role.as_str(), text.words.student_role(role)))
}

fn club_types(text: &Texts) -> Vec<Word> {
    any(text, ClubType::ALL, |kind| (kind.as_str(), text.words.club_type(kind)))
}

fn club_statuses(text: &Texts) -> Vec<Word> {
    any(text, ClubStatus::ALL, |status| (status.as_str(), text.words.club_status(status)))
}

/// There is no way to ask for all of them.
fn project_statuses(text: &Texts) -> Vec<Word> {
    ProjectStatus::ALL.iter().map(|status| (status.as_str(), text.words.project_status(*status))).collect()
}

fn directions(text: &Texts) -> Vec<Word> {
    let label = |direction| match direction {
        Direction::Ascending => text.ascending,
        Direction::Descending => text.descending,
    };
    Direction::ALL.iter().map(|direction| (direction.as_str(), label(*direction))).collect()
}

fn student_sorts(text: &Texts) -> Vec<Word> {
    let words = &text.words;
    let label = |sort| match sort {
        StudentSort::Id => words.field_id,
        StudentSort::Name => words.field_name,
        StudentSort::Email => text.email,
        StudentSort::StudentNumber => words.field_student_number,
        StudentSort::Grade => words.field_grade,
        StudentSort::ClassNum => words.field_class,
        StudentSort::Number => words.field_number,
        StudentSort::Major => words.field_major,
        StudentSort::Role => words.field_student_role,
        StudentSort::Sex => words.field_sex,
        StudentSort::DormitoryRoom => words.field_dormitory_room,
    };
    StudentSort::ALL.iter().map(|sort| (sort.as_str(), label(*sort))).collect()
}

fn club_sorts(text: &Texts) -> Vec<Word> {
    let words = &text.words;
    let label = |sort| match sort {
        ClubSort::Id => words.field_id,
        ClubSort::Name => words.field_name,
        ClubSort::Type => words.field_kind,
        ClubSort::FoundedYear => words.field_founded,
        ClubSort::AbolishedYear => words.field_abolished,
        ClubSort::Status => words.field_status,
    };
    ClubSort::ALL.iter().map(|sort| (sort.as_str(), label(*sort))).collect()
}

fn project_sorts(text: &Texts) -> Vec<Word> {
    let label = |sort| match sort {
        ProjectSort::Id => text.words.field_id,
        ProjectSort::Name => text.words.field_name,
    };
    ProjectSort::ALL.iter().map(|sort| (sort.as_str(), label(*sort))).collect()
}
