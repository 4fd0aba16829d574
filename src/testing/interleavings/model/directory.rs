use std::collections::BTreeSet;

use super::{Model, OperationOutcome};
use crate::testing::interleavings::operation::Operation;

impl Model {
    pub(super) fn perform_on_directory(&mut self, operation: Operation) -> OperationOutcome {
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
                let told = |(project, (club, participants)): (&u8, &(u8, BTreeSet<u8>))| {
                    (*project, *club, participants.iter().copied().collect())
                };
                OperationOutcome::Projects(self.projects.iter().map(told).collect())
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
