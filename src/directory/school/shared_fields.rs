//! Objects and fields that several lists share.

use std::sync::Arc;

use super::enum_values;
use super::settings::SchoolSettings;
use crate::directory::resource::{Field, Object};
use crate::domain::{ClubSummary, ClubType, Participant, PersonalField, Sex};

pub(super) fn club_summary() -> Arc<Object<ClubSummary>> {
    type F = Field<ClubSummary>;
    let club = Object::new(
        "ClubSummaryDto",
        "A club, in short.",
        [
            F::id("id", |club| club.id.get()),
            F::text("name", |club| Some(&club.name)),
            F::enumeration("type", &enum_values!(ClubType), |club| {
                Some(club.kind.as_str())
            }),
        ],
    );
    Arc::new(club.mentions("clubs"))
}

pub(super) fn participant(settings: &SchoolSettings) -> Arc<Object<Participant>> {
    type F = Field<Participant>;
    let student = Object::new(
        "ParticipantInfoDto",
        "A student, in short.",
        [
            F::id("id", |student| student.id.get()),
            F::text("name", |student| Some(&student.name)),
            F::text("email", |student| Some(student.email.as_str())).personal(PersonalField::Email),
            F::int("studentNumber", |student| student.student_number)
                .nullable()
                .personal(PersonalField::Class),
            F::enumeration("major", &settings.majors, |student| {
                Some(student.major.as_ref()?.as_str())
            })
            .nullable()
            .personal(PersonalField::Major),
            F::enumeration("sex", &enum_values!(Sex), |student| {
                Some(student.sex.as_str())
            })
            .personal(PersonalField::Sex),
        ],
    );
    Arc::new(student.mentions("students"))
}

/// Makes the four fields of the school that a record belongs to.
macro_rules! school_fields {
    ($field:ident, $record:ident) => {
        [
            $field::text("schoolCode", |$record| Some(&$record.school.school_code))
                .omit_from_table(),
            $field::text("schoolName", |$record| Some(&$record.school.school_name))
                .omit_from_table(),
            $field::text("officeCode", |$record| Some(&$record.school.office_code))
                .omit_from_table(),
            $field::text("officeName", |$record| Some(&$record.school.office_name))
                .omit_from_table(),
        ]
    };
}

pub(super) use school_fields;
