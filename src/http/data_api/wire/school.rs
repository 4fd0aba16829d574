use bytes::Bytes;
use serde::Serialize;

use crate::domain::{ClubProfile, ClubSummary, Enrolment, Participant, ProjectProfile, StudentProfile};
use crate::http::data_api::reply::rendered;

/// A student (StudentResDto).
pub(in crate::http::data_api) fn student(profile: &StudentProfile) -> Bytes {
    let student = &profile.student;
    let enrolment = student.enrolment();
    let room = enrolment.and_then(|enrolment| enrolment.dormitory_room);
    rendered(&StudentResDto {
        id: student.id.get(),
        name: &student.name,
        sex: student.sex.as_str(),
        email: student.email.as_str(),
        grade: enrolment.map(|enrolment| enrolment.grade.get()),
        class_num: enrolment.map(|enrolment| enrolment.class_num.get()),
        number: enrolment.map(|enrolment| enrolment.number.get()),
        student_number: enrolment.map(Enrolment::student_number),
        major: enrolment.map(|enrolment| enrolment.major.as_str()),
        specialty: student.specialty.as_deref(),
        role: student.role().as_str(),
        dormitory_floor: room.map(|room| room.floor()),
        dormitory_room: room.map(|room| room.get()),
        major_club: profile.major_club.as_ref().map(ClubSummaryDto::of),
        autonomous_club: profile.autonomous_club.as_ref().map(ClubSummaryDto::of),
        github_id: student.github_id.as_ref().map(|id| id.as_str()),
        github_url: student.github_id.as_ref().map(|id| id.profile_url()),
    })
}

/// A club (ClubResDto), with or without its leader among the participants.
pub(in crate::http::data_api) fn club(profile: &ClubProfile, with_leader: bool) -> Bytes {
    let club = &profile.club;
    let listed = |member: &&Participant| with_leader || Some(member.id) != club.leader;
    rendered(&ClubResDto {
        id: club.id.get(),
        name: &club.name,
        kind: club.kind.as_str(),
        status: club.status().as_str(),
        founded_year: club.years.first().get(),
        abolished_year: club.years.last().map(|year| year.get()),
        leader: profile.leader().map(ParticipantInfoDto::of),
        participants: profile.members.iter().filter(listed).map(ParticipantInfoDto::of).collect(),
    })
}

/// A project (ProjectResDto).
pub(in crate::http::data_api) fn project(profile: &ProjectProfile) -> Bytes {
    let project = &profile.project;
    rendered(&ProjectResDto {
        id: project.id.get(),
        name: &project.name,
        description: &project.description,
        start_year: project.years.first().get(),
        end_year: project.years.last().map(|year| year.get()),
        status: project.status().as_str(),
        club: profile.club.as_ref().map(ClubSummaryDto::of),
        participants: profile.participants.iter().map(ParticipantInfoDto::of).collect(),
        repositories: project.repositories.as_slice().iter().map(|address| &**address).collect(),
        tech_stacks: project.tech_stacks.as_slice().iter().map(|name| &**name).collect(),
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StudentResDto<'a> {
    id: i64,
    name: &'a str,
    sex: &'a str,
    email: &'a str,
    grade: Option<i32>,
    class_num: Option<i32>,
    number: Option<i32>,
    student_number: Option<i32>,
    major: Option<&'a str>,
    specialty: Option<&'a str>,
    role: &'a str,
    dormitory_floor: Option<i32>,
    dormitory_room: Option<i32>,
    major_club: Option<ClubSummaryDto<'a>>,
    autonomous_club: Option<ClubSummaryDto<'a>>,
    github_id: Option<&'a str>,
    github_url: Option<String>,
}

#[derive(Serialize)]
struct ClubSummaryDto<'a> {
    id: i64,
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
}

impl<'a> ClubSummaryDto<'a> {
    fn of(club: &'a ClubSummary) -> Self {
        Self { id: club.id.get(), name: &club.name, kind: club.kind.as_str() }
    }
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
    email: &'a str,
    student_number: Option<i32>,
    major: Option<&'a str>,
    sex: &'a str,
}

impl<'a> ParticipantInfoDto<'a> {
    fn of(participant: &'a Participant) -> Self {
        Self {
            id: participant.id.get(),
            name: &participant.name,
            email: participant.email.as_str(),
            student_number: participant.student_number,
            major: participant.major.map(|major| major.as_str()),
            sex: participant.sex.as_str(),
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
