//! The school's part of the operations.

use super::handle::Handle;
use super::model::Outcome;
use super::names::Names;
use crate::directory::{DirectoryChange, Refusal, Writing};
use crate::domain::{ClubFilter, ClubQuery, ClubSort, Direction, Needle, PageRequest, ProjectFilter, Standing};
use crate::store::StorageError;
use crate::testing::conformance::given_school;

/// A club; `leader` 0 is nobody.
pub(super) fn club(names: Names, number: u8, leader: u8) -> DirectoryChange {
    let name = format!("{} {number}", names.clubs()).parse().expect("a line");
    let leader = (leader > 0).then(|| names.student(leader));
    DirectoryChange::PutClub(crate::domain::Club { id: names.club(number), name, leader, ..given_school::club(1) })
}

pub(super) fn no_club(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveClub(names.club(number))
}

/// A student; `club` 0 is none.
pub(super) fn student(names: Names, number: u8, club: u8) -> DirectoryChange {
    let mut student = given_school::student(i64::from(number));
    student.id = names.student(number);
    if let Standing::Enrolled(enrolment) = &mut student.standing {
        enrolment.major_club = (club > 0).then(|| names.club(club));
    }
    DirectoryChange::PutStudent(student)
}

pub(super) fn no_student(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveStudent(names.student(number))
}

/// A project; club 0 and participant 0 are none.
pub(super) fn project(names: Names, number: u8, club: u8, participants: [u8; 2]) -> DirectoryChange {
    DirectoryChange::PutProject(crate::domain::Project {
        id: names.project(number),
        name: format!("{} {number}", names.clubs()).parse().expect("a line"),
        club: (club > 0).then(|| names.club(club)),
        participants: participants.into_iter().filter(|student| *student > 0).map(|student| names.student(student)).collect(),
        ..given_school::project(1, &[])
    })
}

pub(super) fn no_project(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveProject(names.project(number))
}

/// Writes a batch. The version is not told: every run shares it.
pub(super) async fn write(handle: &Handle, changes: Vec<DirectoryChange>) -> Result<Outcome, StorageError> {
    let school = handle.school().await?;
    let mut written = school.write(changes.clone()).await?;
    while written == Writing::Contended {
        written = school.write(changes.clone()).await?;
    }
    Ok(match written {
        Writing::Written(_) | Writing::Contended => Outcome::Created,
        Writing::Refused { refusal, .. } => Outcome::Refused(match refusal {
            Refusal::UnknownClub(_) => "unknown club",
            Refusal::UnknownStudent(_) => "unknown student",
            Refusal::LeaderIsNoMember(_) => "leader is no member",
            Refusal::WrongClubType(_) => "wrong kind of club",
            Refusal::ClubHasMembers(_) => "club has members",
        }),
    })
}

/// The clubs of this run.
pub(super) async fn clubs(handle: &Handle, names: Names) -> Result<Outcome, StorageError> {
    let query = ClubQuery {
        filter: ClubFilter { name: Some(Needle::new(&names.clubs()).expect("a needle")), ..ClubFilter::default() },
        sort: ClubSort::Id,
        direction: Direction::Ascending,
        page: PageRequest::new(0, 9).expect("a page"),
    };
    let page = handle.school().await?.clubs(&query).await?;
    if page.total != page.items.len() as u64 {
        return Ok(Outcome::Refused("the total is not that of the clubs"));
    }
    let student = |id| names.number(&id, Names::student);
    Ok(Outcome::Clubs(
        page.values()
            .map(|profile| {
                let members = profile.members.iter().map(|member| student(member.id)).collect();
                (names.number(&profile.club.id, Names::club), profile.club.leader.map_or(0, student), members)
            })
            .collect(),
    ))
}

/// The projects of this run.
pub(super) async fn projects(handle: &Handle, names: Names) -> Result<Outcome, StorageError> {
    let name = Some(Needle::new(&names.clubs()).expect("a needle"));
    let page = handle.school().await?.projects(&given_school::projects(ProjectFilter { name, ..ProjectFilter::default() })).await?;
    Ok(Outcome::Projects(
        page.values()
            .map(|profile| {
                let club = profile.club.as_ref().map_or(0, |club| names.number(&club.id, Names::club));
                let participants = profile.participants.iter().map(|student| names.number(&student.id, Names::student)).collect();
                (names.number(&profile.project.id, Names::project), club, participants)
            })
            .collect(),
    ))
}
