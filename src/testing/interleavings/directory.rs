//! Operations on the directory.

use std::collections::BTreeSet;

use super::model::{Model, OperationOutcome};
use super::neis::{self, Neis};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::directory::{Directory, DirectoryChange, ListView, RejectionReason, WriteOutcome};
use crate::domain::{EnrollmentStatus, Page};
use crate::store::StorageError;
use crate::testing::conformance::directory_fixtures;

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* directory {
        /// Puts a club with a leader; 0 for none.
        PutClub { club: u8, leader: u8 },
        /// Removes a club.
        RemoveClub { club: u8 },
        /// Puts a student into a club; 0 for none.
        PutStudent { student: u8, club: u8 },
        /// Removes a student.
        RemoveStudent { student: u8 },
        /// Writes two changes in one batch, of which the second may be rejected: a new club, and a
        /// student who joins a club.
        PutClubAndStudent { club: u8, student: u8, into: u8 },
        /// Reads the clubs with their leaders and members.
        [Read] Clubs,
        /// Puts a project of a club with two participants; 0 for none.
        PutProject { project: u8, club: u8, participants: [u8; 2] },
        /// Removes a project.
        RemoveProject { project: u8 },
        /// Reads the projects with their clubs and participants.
        [Read] Projects,
        /// Puts a meal, an event or a lesson, in one of several versions.
        PutNeis { what: Neis, number: u8, version: u8 },
        /// Removes a meal, an event or a lesson.
        RemoveNeis { what: Neis, number: u8 },
        /// Reads the meals, events or lessons of the scenario's day.
        [Read] Neis { what: Neis },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let directory = handle.directory().await?;
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

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, _: i64) -> Vec<Operation> {
    match operation {
        Operation::PutClub { .. }
        | Operation::RemoveClub { .. }
        | Operation::PutStudent { .. }
        | Operation::RemoveStudent { .. }
        | Operation::PutClubAndStudent { .. }
        | Operation::Clubs => vec![Operation::Clubs],
        Operation::PutProject { .. } | Operation::RemoveProject { .. } | Operation::Projects => {
            vec![Operation::Projects]
        }
        Operation::PutNeis { what, .. }
        | Operation::RemoveNeis { what, .. }
        | Operation::Neis { what } => {
            vec![Operation::Neis { what }]
        }
        other => unreachable!("{other:?} is not of this kind"),
    }
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
    student.email = format!("s{}@school.example", student.id)
        .parse()
        .expect("an address");
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
                RejectionReason::EmailTaken(_) => "address taken",
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

impl Model {
    pub(super) fn directory(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::PutClub { club, leader } => self.put_club(club, leader),
            Operation::RemoveClub { club } => {
                self.clubs.remove(&club);
                self.students
                    .values_mut()
                    .filter(|of| **of == club)
                    .for_each(|of| *of = 0);
                self.projects
                    .values_mut()
                    .filter(|(of, _)| *of == club)
                    .for_each(|(of, _)| *of = 0);
                OperationOutcome::Created
            }
            Operation::PutStudent { student, club } => self.put_student(student, club),
            Operation::RemoveStudent { student } => {
                self.students.remove(&student);
                self.clubs
                    .values_mut()
                    .filter(|leader| **leader == student)
                    .for_each(|leader| *leader = 0);
                self.projects
                    .values_mut()
                    .for_each(|(_, participants)| participants.retain(|of| *of != student));
                OperationOutcome::Created
            }
            Operation::PutClubAndStudent {
                club,
                student,
                into,
            } => {
                let before = self.clone();
                let outcome = match self.put_club(club, 0) {
                    OperationOutcome::Created => self.put_student(student, into),
                    refused => refused,
                };
                if outcome != OperationOutcome::Created {
                    *self = before;
                }
                outcome
            }
            Operation::PutProject {
                project,
                club,
                participants,
            } => self.put_project(project, club, participants),
            Operation::RemoveProject { project } => {
                self.projects.remove(&project);
                OperationOutcome::Created
            }
            Operation::PutNeis {
                what,
                number,
                version,
            } => {
                self.neis.insert((what, number), version);
                OperationOutcome::Created
            }
            Operation::RemoveNeis { what, number } => {
                self.neis.remove(&(what, number));
                OperationOutcome::Created
            }
            Operation::Neis { what } => OperationOutcome::Neis(
                self.neis
                    .iter()
                    .filter(|((of, _), _)| *of == what)
                    .map(|((_, number), version)| (*number, *version))
                    .collect(),
            ),
            Operation::Projects => {
                let copy = |(project, (club, participants)): (&u8, &(u8, BTreeSet<u8>))| {
                    (*project, *club, participants.iter().copied().collect())
                };
                OperationOutcome::Projects(self.projects.iter().map(copy).collect())
            }
            _ => {
                let members = |club| {
                    self.students
                        .iter()
                        .filter(|(_, of)| **of == club)
                        .map(|(student, _)| *student)
                        .collect()
                };
                OperationOutcome::Clubs(
                    self.clubs
                        .iter()
                        .map(|(club, leader)| (*club, *leader, members(*club)))
                        .collect(),
                )
            }
        }
    }

    fn put_club(&mut self, club: u8, leader: u8) -> OperationOutcome {
        match self.students.get(&leader) {
            None if leader > 0 => return OperationOutcome::Refused("unknown student"),
            Some(of) if *of != club => return OperationOutcome::Refused("leader is no member"),
            _ => {}
        }
        self.clubs.insert(club, leader);
        OperationOutcome::Created
    }

    fn put_student(&mut self, student: u8, club: u8) -> OperationOutcome {
        if club > 0 && !self.clubs.contains_key(&club) {
            return OperationOutcome::Refused("unknown club");
        }
        self.students.insert(student, club);
        self.clubs
            .iter_mut()
            .filter(|(of, leader)| **of != club && **leader == student)
            .for_each(|(_, leader)| *leader = 0);
        OperationOutcome::Created
    }

    fn put_project(&mut self, project: u8, club: u8, participants: [u8; 2]) -> OperationOutcome {
        if club > 0 && !self.clubs.contains_key(&club) {
            return OperationOutcome::Refused("unknown club");
        }
        let participants = participants.into_iter().filter(|student| *student > 0);
        if participants
            .clone()
            .any(|student| !self.students.contains_key(&student))
        {
            return OperationOutcome::Refused("unknown student");
        }
        self.projects
            .insert(project, (club, participants.collect()));
        OperationOutcome::Created
    }
}
