//! What there is to choose from. The first is meant if nothing is said.

use crate::domain::{ClubSort, ClubStatus, ClubType, Direction, Major, ProjectSort, ProjectStatus, Sex, StudentRole, StudentSort};
use crate::http::pages::texts::Texts;

/// A word of the data API, and what people call it.
pub(super) type Word = (&'static str, &'static str);

/// Off or on.
pub(super) fn switch(text: &Texts) -> Vec<Word> {
    vec![("", text.no), ("true", text.yes)]
}

pub(super) fn majors(text: &Texts) -> Vec<Word> {
    any(text, Major::ALL, |major| (major.as_str(), text.words.major(major)))
}

pub(super) fn sexes(text: &Texts) -> Vec<Word> {
    any(text, Sex::ALL, |sex| (sex.as_str(), text.words.sex(sex)))
}

pub(super) fn roles(text: &Texts) -> Vec<Word> {
    any(text, StudentRole::ALL, |role| (role.as_str(), text.words.student_role(role)))
}

pub(super) fn club_types(text: &Texts) -> Vec<Word> {
    any(text, ClubType::ALL, |kind| (kind.as_str(), text.words.club_type(kind)))
}

pub(super) fn club_statuses(text: &Texts) -> Vec<Word> {
    any(text, ClubStatus::ALL, |status| (status.as_str(), text.words.club_status(status)))
}

/// There is no way to ask for all of them.
pub(super) fn project_statuses(text: &Texts) -> Vec<Word> {
    ProjectStatus::ALL.iter().map(|status| (status.as_str(), text.words.project_status(*status))).collect()
}

pub(super) fn directions(text: &Texts) -> Vec<Word> {
    let label = |direction| match direction {
        Direction::Ascending => text.ascending,
        Direction::Descending => text.descending,
    };
    Direction::ALL.iter().map(|direction| (direction.as_str(), label(*direction))).collect()
}

pub(super) fn student_sorts(text: &Texts) -> Vec<Word> {
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

pub(super) fn club_sorts(text: &Texts) -> Vec<Word> {
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

pub(super) fn project_sorts(text: &Texts) -> Vec<Word> {
    let label = |sort| match sort {
        ProjectSort::Id => text.words.field_id,
        ProjectSort::Name => text.words.field_name,
    };
    ProjectSort::ALL.iter().map(|sort| (sort.as_str(), label(*sort))).collect()
}

fn any<T: Copy>(text: &Texts, values: &[T], word: impl Fn(T) -> Word) -> Vec<Word> {
    std::iter::once(("", text.any)).chain(values.iter().map(|value| word(*value))).collect()
}
