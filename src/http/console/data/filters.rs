//! What can be looked for, by the names of the data API.

use super::choices::{self, Word};
use crate::domain::PageRequest;
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

type Label = fn(&Texts) -> &'static str;

const fn often(name: &'static str, label: Label, field: Field) -> Filter {
    Filter { name, label, field, is_seldom: false }
}

const fn seldom(name: &'static str, label: Label, field: Field) -> Filter {
    Filter { name, label, field, is_seldom: true }
}

const SIZE: Filter = seldom("size", |text| text.page_size, Field::Number);
const DIRECTION: Filter = seldom("sortDirection", |text| text.sort_direction, Field::Choice(choices::directions));

pub(super) const STUDENTS: &[Filter] = &[
    often("name", |text| text.words.field_name, Field::Text),
    often("grade", |text| text.words.field_grade, Field::Number),
    often("classNum", |text| text.words.field_class, Field::Number),
    often("major", |text| text.words.field_major, Field::Choice(choices::majors)),
    seldom("studentId", |text| text.words.field_id, Field::Number),
    seldom("email", |text| text.email, Field::Text),
    seldom("number", |text| text.words.field_number, Field::Number),
    seldom("sex", |text| text.words.field_sex, Field::Choice(choices::sexes)),
    seldom("role", |text| text.words.field_student_role, Field::Choice(choices::roles)),
    seldom("specialty", |text| text.words.field_specialty, Field::Text),
    seldom("githubId", |text| text.words.field_github, Field::Text),
    seldom("dormitoryRoom", |text| text.words.field_dormitory_room, Field::Number),
    seldom("includeGraduates", |text| text.words.field_include_graduates, Field::Choice(choices::switch)),
    seldom("includeWithdrawn", |text| text.words.field_include_withdrawn, Field::Choice(choices::switch)),
    seldom("onlyEnrolled", |text| text.words.field_only_enrolled, Field::Choice(choices::switch)),
    seldom("sortBy", |text| text.sort_by, Field::Choice(choices::student_sorts)),
    DIRECTION,
    SIZE,
];

pub(super) const CLUBS: &[Filter] = &[
    often("clubName", |text| text.words.field_name, Field::Text),
    often("clubType", |text| text.words.field_kind, Field::Choice(choices::club_types)),
    often("status", |text| text.words.field_status, Field::Choice(choices::club_statuses)),
    seldom("clubId", |text| text.words.field_id, Field::Number),
    seldom("foundedYear", |text| text.words.field_founded, Field::Number),
    seldom("includeLeaderInParticipants", |text| text.words.field_leader_included, Field::Choice(choices::switch)),
    seldom("sortBy", |text| text.sort_by, Field::Choice(choices::club_sorts)),
    DIRECTION,
    SIZE,
];

pub(super) const PROJECTS: &[Filter] = &[
    often("projectName", |text| text.words.field_name, Field::Text),
    often("status", |text| text.words.field_status, Field::Choice(choices::project_statuses)),
    seldom("projectId", |text| text.words.field_id, Field::Number),
    seldom("clubId", |text| text.words.field_club_id, Field::Number),
    seldom("sortBy", |text| text.sort_by, Field::Choice(choices::project_sorts)),
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
