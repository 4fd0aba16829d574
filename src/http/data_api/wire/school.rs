use serde::Serialize;

use crate::domain::{ClubProfile, HiddenFields, Participant, PersonalField, ProjectProfile, StudentProfile};
#[cfg(feature = "openapi")]
use crate::domain::{ClubStatus, ClubType, Major, ProjectStatus, Sex};
use crate::http::data_api::reply::write;
use crate::http::wire::school::{ClubSummaryDto, StudentResDto};

/// A student (StudentResDto).
pub(in crate::http::data_api) fn write_student(out: &mut Vec<u8>, profile: &StudentProfile, hidden: HiddenFields) {
    write(&StudentResDto::of(profile, hidden), out);
}

/// A club (ClubResDto), with or without its leader among the participants.
pub(in crate::http::data_api) fn write_club(out: &mut Vec<u8>, profile: &ClubProfile, with_leader: bool, hidden: HiddenFields) {
    let club = &profile.club;
    let listed = |member: &&Participant| with_leader || Some(member.id) != club.leader;
    write(
        &ClubResDto {
            id: club.id.get(),
            name: &club.name,
            kind: club.kind.as_str(),
            status: club.status().as_str(),
            founded_year: club.years.first().get(),
            abolished_year: club.years.last().map(|year| year.get()),
            leader: profile.leader().map(|leader| ParticipantInfoDto::of(leader, hidden)),
            participants: profile.members.iter().filter(listed).map(|member| ParticipantInfoDto::of(member, hidden)).collect(),
        },
        out,
    );
}

/// A project (ProjectResDto).
pub(in crate::http::data_api) fn write_project(out: &mut Vec<u8>, profile: &ProjectProfile, hidden: HiddenFields) {
    let project = &profile.project;
    write(
        &ProjectResDto {
            id: project.id.get(),
            name: &project.name,
            description: &project.description,
            start_year: project.years.first().get(),
            end_year: project.years.last().map(|year| year.get()),
            status: project.status().as_str(),
            club: profile.club.as_ref().map(ClubSummaryDto::of),
            participants: profile.participants.iter().map(|participant| ParticipantInfoDto::of(participant, hidden)).collect(),
            repositories: project.repositories.as_slice().iter().map(|address| &**address).collect(),
            tech_stacks: project.tech_stacks.as_slice().iter().map(|name| &**name).collect(),
        },
        out,
    );
}

/// A club.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct ClubResDto<'a> {
    id: i64,
    name: &'a str,
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schemars(with = "ClubType"))]
    kind: &'a str,
    #[cfg_attr(feature = "openapi", schemars(with = "ClubStatus"))]
    status: &'a str,
    founded_year: i32,
    /// `null` while the club is running.
    abolished_year: Option<i32>,
    /// `null` if there is none, for example because they graduated.
    leader: Option<ParticipantInfoDto<'a>>,
    /// The members by id, without the leader unless the request asks for it.
    participants: Vec<ParticipantInfoDto<'a>>,
}

/// A student where clubs and projects name one.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ParticipantInfoDto<'a> {
    id: i64,
    name: &'a str,
    /// `null` if the key does without it.
    email: Option<&'a str>,
    student_number: Option<i32>,
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Major>"))]
    major: Option<&'a str>,
    /// `null` if the key does without it.
    #[cfg_attr(feature = "openapi", schemars(with = "Option<Sex>"))]
    sex: Option<&'a str>,
}

impl<'a> ParticipantInfoDto<'a> {
    /// The participant, with `null` for what is hidden.
    fn of(participant: &'a Participant, hidden: HiddenFields) -> Self {
        let shown = |field| !hidden.contains(field);
        Self {
            id: participant.id.get(),
            name: &participant.name,
            email: shown(PersonalField::Email).then(|| participant.email.as_str()),
            student_number: participant.student_number.filter(|_| shown(PersonalField::Class)),
            major: participant.major.filter(|_| shown(PersonalField::Major)).map(|major| major.as_str()),
            sex: shown(PersonalField::Sex).then(|| participant.sex.as_str()),
        }
    }
}

/// A project.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct ProjectResDto<'a> {
    id: i64,
    name: &'a str,
    description: &'a str,
    start_year: i32,
    /// `null` while the project is running.
    end_year: Option<i32>,
    #[cfg_attr(feature = "openapi", schemars(with = "ProjectStatus"))]
    status: &'a str,
    club: Option<ClubSummaryDto<'a>>,
    participants: Vec<ParticipantInfoDto<'a>>,
    #[cfg_attr(feature = "openapi", schemars(length(max = 20)))]
    repositories: Vec<&'a str>,
    #[cfg_attr(feature = "openapi", schemars(length(max = 20)))]
    tech_stacks: Vec<&'a str>,
}
