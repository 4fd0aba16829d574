use serde::Serialize;

use crate::domain::{ClubSummary, Enrolment, HiddenFields, PersonalField, StudentProfile};
#[cfg(feature = "openapi")]
use crate::domain::{ClubType, Major, Sex, StudentRole};

/// A student. Graduates and withdrawn students have no grade, class, number, major, room or club.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http) struct StudentResDto<'a> {
    id: i64,
    name: &'a str,
    /// `null` if the key does without it.
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Sex>"))]
    sex: Option<&'a str>,
    /// `null` if the key does without it.
    email: Option<&'a str>,
    grade: Option<i32>,
    class_num: Option<i32>,
    number: Option<i32>,
    /// The grade · 1000 + the class · 100 + the number.
    student_number: Option<i32>,
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Major>"))]
    major: Option<&'a str>,
    specialty: Option<&'a str>,
    #[cfg_attr(feature = "openapi", schemars(with = "StudentRole"))]
    role: &'a str,
    /// The room without its last two digits.
    dormitory_floor: Option<i32>,
    dormitory_room: Option<i32>,
    major_club: Option<ClubSummaryDto<'a>>,
    autonomous_club: Option<ClubSummaryDto<'a>>,
    github_id: Option<&'a str>,
    github_url: Option<String>,
}

impl<'a> StudentResDto<'a> {
    /// The student, with `null` for what is hidden.
    pub(in crate::http) fn of(profile: &'a StudentProfile, hidden: HiddenFields) -> Self {
        let shown = |field| !hidden.contains(field);
        let student = &profile.student;
        let enrolment = student.enrolment();
        let class = enrolment.filter(|_| shown(PersonalField::Class));
        let room = enrolment.and_then(|enrolment| enrolment.dormitory_room).filter(|_| shown(PersonalField::Dormitory));
        let github_id = student.github_id.as_ref().filter(|_| shown(PersonalField::Github));
        Self {
            id: student.id.get(),
            name: &student.name,
            sex: shown(PersonalField::Sex).then(|| student.sex.as_str()),
            email: shown(PersonalField::Email).then(|| student.email.as_str()),
            grade: class.map(|enrolment| enrolment.grade.get()),
            class_num: class.map(|enrolment| enrolment.class_num.get()),
            number: class.map(|enrolment| enrolment.number.get()),
            student_number: class.map(Enrolment::student_number),
            major: enrolment.filter(|_| shown(PersonalField::Major)).map(|enrolment| enrolment.major.as_str()),
            specialty: student.specialty.as_deref().filter(|_| shown(PersonalField::Specialty)),
            role: student.role().as_str(),
            dormitory_floor: room.map(|room| room.floor()),
            dormitory_room: room.map(|room| room.get()),
            major_club: profile.major_club.as_deref().map(ClubSummaryDto::of),
            autonomous_club: profile.autonomous_club.as_deref().map(ClubSummaryDto::of),
            github_id: github_id.map(|id| id.as_str()),
            github_url: github_id.map(|id| id.profile_url()),
        }
    }
}

/// A club where it is only mentioned.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(in crate::http) struct ClubSummaryDto<'a> {
    id: i64,
    name: &'a str,
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schemars(with = "ClubType"))]
    kind: &'a str,
}

impl<'a> ClubSummaryDto<'a> {
    pub(in crate::http) fn of(club: &'a ClubSummary) -> Self {
        Self { id: club.id.get(), name: &club.name, kind: club.kind.as_str() }
    }
}
