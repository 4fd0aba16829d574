//! Objects that several lists show.

use std::sync::Arc;

use super::rules::SchoolRules;
use super::words_of;
use crate::directory::resource::{Field, Object};
use crate::domain::{ClubSummary, ClubType, Participant, PersonalField, Sex};

pub(super) fn club_summary() -> Arc<Object<ClubSummary>> {
    type F = Field<ClubSummary>;
    Arc::new(Object::new(
        "ClubSummaryDto",
        "A club where it is only mentioned.",
        [
            F::id("id", |club| club.id.get()),
            F::text("name", |club| Some(&club.name)),
            F::word("type", &words_of!(ClubType), |club| Some(club.kind.as_str())),
        ],
    ))
}

pub(super) fn participant(rules: &SchoolRules) -> Arc<Object<Participant>> {
    type F = Field<Participant>;
    Arc::new(Object::new(
        "ParticipantInfoDto",
        "A student where clubs and projects name one.",
        [
            F::id("id", |student| student.id.get()),
            F::text("name", |student| Some(&student.name)),
            F::text("email", |student| Some(student.email.as_str())).personal(PersonalField::Email),
            F::int("studentNumber", |student| student.student_number).nullable().personal(PersonalField::Class),
            F::word("major", &rules.majors, |student| Some(student.major.as_ref()?.as_str())).nullable().personal(PersonalField::Major),
            F::word("sex", &words_of!(Sex), |student| Some(student.sex.as_str())).personal(PersonalField::Sex),
        ],
    ))
}

/// The four fields that say which school a record belongs to.
macro_rules! school_fields {
    ($field:ident, $record:ident) => {
        [
            $field::text("schoolCode", |$record| Some(&$record.school.school_code)).detail(),
            $field::text("schoolName", |$record| Some(&$record.school.school_name)).detail(),
            $field::text("officeCode", |$record| Some(&$record.school.office_code)).detail(),
            $field::text("officeName", |$record| Some(&$record.school.office_name)).detail(),
        ]
    };
}

pub(super) use school_fields;
