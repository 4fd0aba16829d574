//! Operations on the directory.

use super::model::OperationOutcome;
use super::neis::{self, Neis};
use super::operation::Operation;
use super::run_ids::RunIds;
use crate::directory::{Directory, DirectoryChange, ListView, RejectionReason, WriteOutcome};
use crate::domain::{EnrollmentStatus, Page};
use crate::store::StorageError;
use crate::testing::conformance::directory_fixtures;

pub(super) async fn call(
    operation: Operation,
    directory: &Directory,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let changes = match operation {
        Operation::Clubs => return clubs(directory, ids).await,
        Operation::Projects => return projects(directory, ids).await,
        Operation::Neis { what } => return neis::read(directory, ids, what).await,
        Operation::PutClub {
            club: number,
            leader,
        } => vec![club(ids, number, leader)],
        Operation::RemoveClub { club } => vec![remove_club(ids, club)],
        Operation::PutStudent {
            student: number,
            club,
        } => vec![student(ids, number, club)],
        Operation::RemoveStudent { student } => vec![remove_student(ids, student)],
        Operation::PutClubAndStudent {
            club: number,
            student: member,
            into,
        } => vec![club(ids, number, 0), student(ids, member, into)],
        Operation::PutProject {
            project: number,
            club,
            participants,
        } => vec![project(ids, number, club, participants)],
        Operation::RemoveProject { project } => vec![remove_project(ids, project)],
        Operation::PutNeis {
            what,
            number,
            version,
        } => vec![neis::put(ids, what, number, version)],
        Operation::RemoveNeis { what, number } => vec![neis::remove(ids, what, number)],
        other => unreachable!("{other:?} is not of this kind"),
    };
    write(directory, changes).await
}

/// Removes every record that a run can have created. Each write rebuilds the directory, so that
/// without this the runs would take longer and longer.
pub(super) async fn clean_up(directory: &Directory, ids: RunIds) -> Result<(), StorageError> {
    let days = [Neis::Meal, Neis::Event, Neis::Lesson];
    let remove = |number| {
        let people = [
            remove_project(ids, number),
            remove_student(ids, number),
            remove_club(ids, number),
        ];
        people
            .into_iter()
            .chain(days.map(|what| neis::remove(ids, what, number)))
    };
    write(directory, (1..=9).flat_map(remove).collect())
        .await
        .map(drop)
}

/// Builds a club; `leader` 0 is none.
fn club(ids: RunIds, number: u8, leader: u8) -> DirectoryChange {
    let name = format!("{} {number}", ids.name_prefix())
        .parse()
        .expect("a line");
    let leader = (leader > 0).then(|| ids.student(leader));
    DirectoryChange::PutClub(crate::domain::Club {
        id: ids.club(number),
        name,
        leader,
        ..directory_fixtures::club(1)
    })
}

fn remove_club(ids: RunIds, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveClub(ids.club(number))
}

/// Builds a student; `club` 0 is none.
fn student(ids: RunIds, number: u8, club: u8) -> DirectoryChange {
    let mut student = directory_fixtures::student(i64::from(number));
    student.id = ids.student(number);
    if let EnrollmentStatus::Enrolled(enrollment) = &mut student.enrollment_status {
        enrollment.major_club = (club > 0).then(|| ids.club(club));
    }
    DirectoryChange::PutStudent(student)
}

fn remove_student(ids: RunIds, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveStudent(ids.student(number))
}

/// Builds a project; club 0 and participant 0 are none.
fn project(ids: RunIds, number: u8, club: u8, participants: [u8; 2]) -> DirectoryChange {
    DirectoryChange::PutProject(crate::domain::Project {
        id: ids.project(number),
        name: format!("{} {number}", ids.name_prefix())
            .parse()
            .expect("a line"),
        club: (club > 0).then(|| ids.club(club)),
        participants: participants
            .into_iter()
            .filter(|student| *student > 0)
            .map(|student| ids.student(student))
            .collect(),
        ..directory_fixtures::project(1, &[])
    })
}

fn remove_project(ids: RunIds, number: u8) -> DirectoryChange {
    DirectoryChange::RemoveProject(ids.project(number))
}

/// Writes a batch, however many other writes come in between. The outcome omits the version, which
/// all runs share.
async fn write(
    directory: &Directory,
    changes: Vec<DirectoryChange>,
) -> Result<OperationOutcome, StorageError> {
    loop {
        return Ok(match directory.write(changes.clone()).await? {
            WriteOutcome::Contended => continue,
            WriteOutcome::Written(_) => OperationOutcome::Created,
            WriteOutcome::Rejected { reason, .. } => OperationOutcome::Refused(match reason {
                RejectionReason::UnknownClub(_) => "unknown club",
                RejectionReason::UnknownStudent(_) => "unknown student",
                RejectionReason::LeaderIsNotMember(_) => "leader is no member",
                RejectionReason::WrongClubType(_) => "wrong kind of club",
                RejectionReason::ClubHasMembers(_) => "club has members",
                RejectionReason::OutOfBounds { .. } => "out of bounds",
                RejectionReason::TooManyChanges => "too many changes",
                RejectionReason::TooManyRecords(_) => "too many records",
            }),
        });
    }
}

/// Reads the clubs of this run.
async fn clubs(directory: &Directory, ids: RunIds) -> Result<OperationOutcome, StorageError> {
    let snapshot = directory.snapshot().await?;
    let page = named(snapshot.clubs(), "clubName", ids);
    if page.total != page.items.len() as u64 {
        return Ok(OperationOutcome::Refused(
            "the total is not that of the clubs",
        ));
    }
    let student = |id| ids.index_of(&id, RunIds::student);
    Ok(OperationOutcome::Clubs(
        page.values()
            .map(|profile| {
                let members = profile
                    .members
                    .iter()
                    .map(|member| student(member.id))
                    .collect();
                (
                    ids.index_of(&profile.club.id, RunIds::club),
                    profile.club.leader.map_or(0, student),
                    members,
                )
            })
            .collect(),
    ))
}

/// Reads the projects of this run.
async fn projects(directory: &Directory, ids: RunIds) -> Result<OperationOutcome, StorageError> {
    let snapshot = directory.snapshot().await?;
    Ok(OperationOutcome::Projects(
        named(snapshot.projects(), "projectName", ids)
            .values()
            .map(|profile| {
                let club = profile
                    .club
                    .as_ref()
                    .map_or(0, |club| ids.index_of(&club.id, RunIds::club));
                let participants = profile
                    .participants
                    .iter()
                    .map(|student| ids.index_of(&student.id, RunIds::student))
                    .collect();
                (
                    ids.index_of(&profile.project.id, RunIds::project),
                    club,
                    participants,
                )
            })
            .collect(),
    ))
}

/// Returns the records of this run, by the prefix of their names.
fn named<'a, T: PartialEq + Send + Sync + 'static>(
    list: ListView<'a, T>,
    parameter: &str,
    ids: RunIds,
) -> Page<'a, T> {
    list.page(
        &list
            .query(&[(parameter, &ids.name_prefix())])
            .expect("a valid query"),
    )
}
