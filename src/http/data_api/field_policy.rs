//! Fields that a key does without: they are not shown, and nothing else tells of them either.

use super::failure::Failure;
use super::question::Question;
use crate::domain::{HiddenFields, PersonalField, StudentFilter, StudentSort};

/// Refuses a question whose answer would tell of a hidden field: whoever filters by it finds out the value by trying, and whoever sorts by it
/// sees who is before whom.
pub(super) fn check(question: &Question, hidden: HiddenFields) -> Result<(), Failure> {
    let (filter, sort) = match question {
        Question::Students(query) => (&query.filter, by_sort(query.sort)),
        Question::StudentChanges(query) => (&query.filter, None),
        _ => return Ok(()),
    };
    let asked = by_filter(filter).into_iter().chain(sort.map(|field| ("sortBy", field)));
    match asked.into_iter().find(|(_, field)| hidden.contains(*field)) {
        Some((name, field)) => Err(Failure::FieldHidden { name, field }),
        None => Ok(()),
    }
}

/// The parameters that tell of a field when they are given, as far as they are.
fn by_filter(filter: &StudentFilter) -> Vec<(&'static str, PersonalField)> {
    // Taken apart, so that a new condition is not forgotten here.
    let StudentFilter {
        id: _,
        name: _,
        email,
        grade,
        class_num,
        number,
        sex,
        role: _,
        specialty,
        major,
        github_id,
        dormitory_room,
        enrolment: _,
    } = filter;
    let given = [
        (email.is_some(), "email", PersonalField::Email),
        (grade.is_some(), "grade", PersonalField::Class),
        (class_num.is_some(), "classNum", PersonalField::Class),
        (number.is_some(), "number", PersonalField::Class),
        (sex.is_some(), "sex", PersonalField::Sex),
        (specialty.is_some(), "specialty", PersonalField::Specialty),
        (major.is_some(), "major", PersonalField::Major),
        (github_id.is_some(), "githubId", PersonalField::Github),
        (dormitory_room.is_some(), "dormitoryRoom", PersonalField::Dormitory),
    ];
    given.into_iter().filter(|(is_given, ..)| *is_given).map(|(_, name, field)| (name, field)).collect()
}

/// The field that an order tells of.
const fn by_sort(sort: StudentSort) -> Option<PersonalField> {
    match sort {
        StudentSort::Id | StudentSort::Name | StudentSort::Role => None,
        StudentSort::Email => Some(PersonalField::Email),
        StudentSort::StudentNumber | StudentSort::Grade | StudentSort::ClassNum | StudentSort::Number => Some(PersonalField::Class),
        StudentSort::Major => Some(PersonalField::Major),
        StudentSort::Sex => Some(PersonalField::Sex),
        StudentSort::DormitoryRoom => Some(PersonalField::Dormitory),
    }
}
