use bytes::Bytes;
use serde::Serialize;

use crate::domain::{ClubProfile, HiddenFields, Participant, PersonalField, ProjectProfile, StudentProfile};
use crate::http::data_api::reply::rendered;
use crate::http::wire::school::{ClubSummaryDto, StudentResDto};

/// A student (StudentResDto).
pub(in crate::http::data_api) fn student(profile: &StudentProfile, hidden: HiddenFields) -> Bytes {
    rendered(&StudentResDto::of(profile, hidden))
}

/// A club (ClubResDto), with or without its leader among the participants.
pub(in crate::http::data_api) fn club(profile: &ClubProfile, with_leader: bool, hidden: HiddenFields) -> Bytes {
    let club = &profile.club;
    let listed = |member: &&Participant| with_leader || Some(member.id) != club.leader;
    rendered(&ClubResDto {
        id: club.id.get(),
        name: &club.name,
        kind: club.kind.as_str(),
        status: club.status().as_str(),
        founded_year: club.years.first().get(),
        abolished_year: club.years.last().map(|year| year.get()),
        leader: profile.leader().map(|leader| ParticipantInfoDto::of(leader, hidden)),
        participants: profile.members.iter().filter(listed).map(|member| ParticipantInfoDto::of(member, hidden)).collect(),
    })
}

/// A project (ProjectResDto).
pub(in crate::http::data_api) fn project(profile: &ProjectProfile, hidden: HiddenFields) -> Bytes {
    let project = &profile.project;
    rendered(&ProjectResDto {
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
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClubResDto<'a> {
    id: i64,
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    status: &'a str,
    founded_year: i32,
    abolished_year: Option<i32>,
    leader: Option<ParticipantInfoDto<'a>>,
    participants: Vec<ParticipantInfoDto<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ParticipantInfoDto<'a> {
    id: i64,
    name: &'a str,
    email: Option<&'a str>,
    student_number: Option<i32>,
    major: Option<&'a str>,
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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProjectResDto<'a> {
    id: i64,
    name: &'a str,
    description: &'a str,
    start_year: i32,
    end_year: Option<i32>,
    status: &'a str,
    club: Option<ClubSummaryDto<'a>>,
    participants: Vec<ParticipantInfoDto<'a>>,
    repositories: Vec<&'a str>,
    tech_stacks: Vec<&'a str>,
}
