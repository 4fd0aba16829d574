//! The school's part of the operations.

use super::model::Outcome;
use super::names::Names;
use super::neis::{self, Neis};
use super::operation::Operation;
use crate::directory::{DirectoryChange, Refusal, Writing};
use crate::domain::Standing;
use crate::store::StorageError;
use crate::testing::conformance::given_school;
use crate::testing::conformance::school::School;

pub(super) async fn call(operation: Operation, school: &School, names: Names) -> Result<Outcome, StorageError> {
    let changes = match operation {
        Operation::Clubs => return clubs(school, names).await,
        Operation::Projects => return projects(school, names).await,
        Operation::Neis { what } => return neis::read(school, names, what).await,
        Operation::PutClub { club: number, leader } => vec![club(names, number, leader)],
        Operation::RemoveClub { club } => vec![no_club(names, club)],
        Operation::PutStudent { student: number, club } => vec![student(names, number, club)],
        Operation::RemoveStudent { student } => vec![no_student(names, student)],
        Operation::PutClubAndStudent { club: number, student: member, into } => vec![club(names, number, 0), student(names, member, into)],
        Operation::PutProject { project: number, club, participants } => vec![project(names, number, club, participants)],
        Operation::RemoveProject { project } => vec![no_project(names, project)],
        Operation::PutNeis { what, number, version } => vec![neis::put(names, what, number, version)],
        Operation::RemoveNeis { what, number } => vec![neis::remove(names, what, number)],
        other => unreachable!("{other:?} is not of this kind"),
    };
    write(school, changes).await
}

/// Removes whatever a run can have made. A directory is laid out anew with each write, so without this the runs would cost more and more.
pub(super) async fn tidy(school: &School, names: Names) -> Result<(), StorageError> {
    let days = [Neis::Meal, Neis::Event, Neis::Lesson];
    let remove = |number| {
        let people = [no_project(names, number), no_student(names, number), no_club(names, number)];
        people.into_iter().chain(days.map(|what| neis::remove(names, what, number)))
    };
    write(school, (1..=9).flat_map(remove).collect()).await.map(drop)
}

/// A club; `leader` 0 is nobody.
fn club(names: Names, number: u8, leader: u8) -> DirectoryChange {
    let name = format!("{} {number}", names.clubs()).parse().expect("a line");
    let leader = (leader > 0).then(|| names.student(leader));
    DirectoryChange::PutClub(crate::domain::Club { id: names.club(number), name, leader, ..given_school::club(1) })
}

fn no_club(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveClub(names.club(number))
}

/// A student; `club` 0 is none.
fn student(names: Names, number: u8, club: u8) -> DirectoryChange {
    let mut student = given_school::student(i64::from(number));
    student.id = names.student(number);
    if let Standing::Enrolled(enrolment) = &mut student.standing {
        enrolment.major_club = (club > 0).then(|| names.club(club));
    }
    DirectoryChange::PutStudent(student)
}

fn no_student(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveStudent(names.student(number))
}

/// A project; club 0 and participant 0 are none.
fn project(names: Names, number: u8, club: u8, participants: [u8; 2]) -> DirectoryChange {
    DirectoryChange::PutProject(crate::domain::Project {
        id: names.project(number),
        name: format!("{} {number}", names.clubs()).parse().expect("a line"),
        club: (club > 0).then(|| names.club(club)),
        participants: participants.into_iter().filter(|student| *student > 0).map(|student| names.student(student)).collect(),
        ..given_school::project(1, &[])
    })
}

fn no_project(names: Names, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveProject(names.project(number))
}

/// Writes a batch, however often others come in between. The version is not told: every run shares it.
async fn write(school: &School, changes: Vec<DirectoryChange>) -> Result<Outcome, StorageError> {
    loop {
        return Ok(match school.write(changes.clone()).await? {
            Writing::Contended => continue,
            Writing::Written(_) => Outcome::Created,
            Writing::Refused { refusal, .. } => Outcome::Refused(match refusal {
                Refusal::UnknownClub(_) => "unknown club",
                Refusal::UnknownStudent(_) => "unknown student",
                Refusal::LeaderIsNoMember(_) => "leader is no member",
                Refusal::WrongClubType(_) => "wrong kind of club",
                Refusal::ClubHasMembers(_) => "club has members",
                Refusal::OutOfBounds { .. } => "out of bounds",
                Refusal::TooManyChanges => "too many changes",
                Refusal::TooManyRecords(_) => "too many records",
            }),
        });
    }
}

/// The clubs of this run.
async fn clubs(school: &School, names: Names) -> Result<Outcome, StorageError> {
    let page = school.clubs(&[("clubName", &names.clubs())]).await?;
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
async fn projects(school: &School, names: Names) -> Result<Outcome, StorageError> {
    let page = school.projects(&[("projectName", &names.clubs())]).await?;
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
