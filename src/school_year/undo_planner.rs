//! Plans the undo of a turn.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{Conflict, ConflictKind};
use super::seat::{Seat, seat};
use super::undo::YearUndoPlan;
use crate::directory::{Directory, DirectoryChange, RejectionReason, Snapshot};
use crate::domain::{
    ClubId, ClubType, Enrollment, EnrollmentStatus, Student, StudentId, YearTurnRecord,
};
use crate::import::planned_records;
use crate::store::{DirectoryRows, TurnedRecords, TurnedStudent};

pub(super) struct UndoPlanner<'a> {
    base: &'a Snapshot,
    /// The students that have changed since the turn.
    changed: BTreeSet<i64>,
    conflicts: Vec<Conflict>,
    restored: Vec<Student>,
    removed: Vec<StudentId>,
    /// Clubs that a rule of the school keeps from getting back their leaders.
    refused_clubs: BTreeSet<ClubId>,
}

impl<'a> UndoPlanner<'a> {
    pub(super) fn new(base: &'a Snapshot, turn: u64) -> Self {
        Self {
            base,
            changed: base.students().changed_after(turn).collect(),
            conflicts: Vec::new(),
            restored: Vec::new(),
            removed: Vec::new(),
            refused_clubs: BTreeSet::new(),
        }
    }

    pub(super) fn plan(
        mut self,
        directory: &Directory,
        turn: YearTurnRecord,
        turned: &TurnedRecords,
    ) -> YearUndoPlan {
        for student in &turned.students {
            self.undo_student(student);
        }
        let (changes, next) = self.accepted_changes(directory, turned);
        let records = next.map_or_else(Vec::new, |(rows, next)| {
            planned_records(directory, &rows, self.base, &next)
        });
        YearUndoPlan {
            turn,
            version: self.base.version(),
            restored: self.restored.len(),
            removed: self.removed.len(),
            kept: self.kept(turned),
            conflicts: self.conflicts,
            records,
            changes,
        }
    }

    /// The changes that the directory accepts, with the rows and the school after them. What it
    /// rejects, and what would give two students one number, is left as it is.
    fn accepted_changes(
        &mut self,
        directory: &Directory,
        turned: &TurnedRecords,
    ) -> (Vec<DirectoryChange>, Option<(DirectoryRows, Snapshot)>) {
        loop {
            let conflicts = self.conflicts.len();
            let leaders = self.leaders(turned);
            let restored = self.restored.iter().cloned();
            let mut changes: Vec<DirectoryChange> =
                restored.map(DirectoryChange::PutStudent).collect();
            let removed = self.removed.iter().copied();
            changes.extend(removed.map(DirectoryChange::RemoveStudent));
            changes.extend(leaders);
            let dropped = match directory.dry_run(self.base, &changes) {
                Ok(next) => {
                    let same = self.same_numbers(next.as_ref().map_or(self.base, |(_, it)| it));
                    if same.is_empty() {
                        return (changes, next);
                    }
                    for student in same.iter().filter_map(|conflict| conflict.student) {
                        self.restored.retain(|restored| restored.id != student);
                    }
                    same
                }
                Err(rejected) => {
                    let dropped = rejected.into_iter().filter_map(|(index, reason)| {
                        self.drop_change(turned, changes.get(index)?, &reason)
                    });
                    let dropped: Vec<Conflict> = dropped.collect();
                    if dropped.is_empty() {
                        // Nothing is left to drop, which apply then says.
                        return (changes, None);
                    }
                    dropped
                }
            };
            // The leaders are decided again for those who are left.
            self.conflicts.truncate(conflicts);
            self.conflicts.extend(dropped);
        }
    }

    /// Leaves out a rejected change. Returns what it is about.
    fn drop_change(
        &mut self,
        turned: &TurnedRecords,
        change: &DirectoryChange,
        reason: &RejectionReason,
    ) -> Option<Conflict> {
        let kind = ConflictKind::SchoolRule(reason.into());
        let rule = format!("because of a rule of the school: {reason}");
        match change {
            DirectoryChange::PutStudent(student) => {
                self.restored.retain(|restored| restored.id != student.id);
                let reason = format!("stays as it is {rule}");
                Some(Conflict::of(student.id, reason).with_kind(kind))
            }
            DirectoryChange::RemoveStudent(student) => {
                self.removed.retain(|removed| removed != student);
                let reason = format!("stays as it is {rule}");
                Some(Conflict::of(*student, reason).with_kind(kind))
            }
            DirectoryChange::PutClub(club) => {
                self.refused_clubs.insert(club.id);
                let mut leaders = turned.leaders.iter();
                let (_, leader) = leaders.find(|(led, _)| *led == club.id)?;
                let id = club.id;
                let reason = format!("does not lead club {id} again {rule}");
                Some(Conflict::of(*leader, reason).with_kind(ConflictKind::LeaderNotRestored(id)))
            }
            _ => None,
        }
    }

    /// Students who would get back a number that somebody else has now.
    fn same_numbers(&self, next: &Snapshot) -> Vec<Conflict> {
        let restored: BTreeSet<StudentId> =
            self.restored.iter().map(|student| student.id).collect();
        let mut by_seat: BTreeMap<Seat<'_>, (i32, Vec<StudentId>)> = BTreeMap::new();
        for profile in next.students().iter() {
            if let Some(enrollment) = profile.student.enrollment() {
                let number = enrollment.student_number();
                let (_, students) = by_seat
                    .entry(seat(enrollment))
                    .or_insert_with(|| (number, Vec::new()));
                students.push(profile.student.id);
            }
        }
        let mut conflicts = Vec::new();
        for (number, students) in by_seat.into_values() {
            let is_restored = |student: &&StudentId| restored.contains(*student);
            let Some(other) = students.iter().find(|student| !is_restored(student)) else {
                continue;
            };
            for student in students.iter().filter(is_restored) {
                let reason =
                    format!("would have the number {number}, as student {other}: the record stays");
                let kind = ConflictKind::SameNumber {
                    number,
                    other: *other,
                };
                conflicts.push(Conflict::of(*student, reason).with_kind(kind));
            }
        }
        conflicts
    }

    /// The students of the turn who do not get back what they had.
    fn kept(&self, turned: &TurnedRecords) -> Vec<StudentId> {
        let restored: BTreeSet<StudentId> =
            self.restored.iter().map(|student| student.id).collect();
        let kept = turned.students.iter().filter(|turned| {
            let now = self.base.students().get(turned.student.get());
            let now = now.map(|profile| &profile.student.enrollment_status);
            turned.before.is_some() && turned.before.as_ref() != now
        });
        let kept = kept.map(|turned| turned.student);
        kept.filter(|student| !restored.contains(student)).collect()
    }

    fn undo_student(&mut self, turned: &TurnedStudent) {
        let id = turned.student;
        let now = self.base.students().get(id.get());
        let Some(now) = now.map(|profile| &profile.student) else {
            if turned.before.is_some() {
                let conflict = Conflict::of(id, "was removed since the turn");
                self.conflicts
                    .push(conflict.with_kind(ConflictKind::RemovedSince));
            }
            return;
        };
        let Some(before) = &turned.before else {
            if self.changed.contains(&id.get()) {
                let reason = "came with the turn and has changed since: the record stays";
                self.conflicts
                    .push(Conflict::of(id, reason).with_kind(ConflictKind::NewStudentChanged));
            } else {
                self.removed.push(id);
            }
            return;
        };
        if now.enrollment_status == *before {
            return;
        }
        if now.enrollment_status != turned.after {
            let reason =
                "has another class, number, club, room or role since the turn: the record stays";
            self.conflicts
                .push(Conflict::of(id, reason).with_kind(ConflictKind::EnrollmentChanged));
            return;
        }
        let status = self.without_lost_clubs(id, before);
        self.restored.push(Student {
            enrollment_status: status,
            ..now.clone()
        });
    }

    /// The status without clubs that were removed or changed their type since.
    fn without_lost_clubs(&mut self, id: StudentId, status: &EnrollmentStatus) -> EnrollmentStatus {
        let EnrollmentStatus::Enrolled(enrollment) = status else {
            return status.clone();
        };
        let mut keep = |club: Option<ClubId>, kind: ClubType| {
            let club = club?;
            let now = self.base.clubs().get(club.get());
            let fits = now.is_some_and(|profile| profile.club.kind == kind);
            if !fits {
                let reason = format!("does not come back to club {club}, which is gone");
                self.conflicts
                    .push(Conflict::of(id, reason).with_kind(ConflictKind::ClubGone(club)));
            }
            fits.then_some(club)
        };
        EnrollmentStatus::Enrolled(Enrollment {
            major_club: keep(enrollment.major_club, ClubType::Major),
            autonomous_club: keep(enrollment.autonomous_club, ClubType::Autonomous),
            ..enrollment.clone()
        })
    }

    /// The clubs that get back their leaders.
    fn leaders(&mut self, turned: &TurnedRecords) -> Vec<DirectoryChange> {
        let mut changes = Vec::new();
        for (club, leader) in &turned.leaders {
            let Some(profile) = self.base.clubs().get(club.get()) else {
                continue;
            };
            let mut club = profile.club.clone();
            if club.leader == Some(*leader) || self.refused_clubs.contains(&club.id) {
                continue;
            }
            let restored = self.restored.iter().find(|student| student.id == *leader);
            let is_member = match restored {
                Some(student) => student.is_member_of(club.id),
                None => profile.members.iter().any(|member| member.id == *leader),
            };
            if club.leader.is_some() || !is_member {
                let reason = format!("does not lead club {} again", club.id);
                let kind = ConflictKind::LeaderNotRestored(club.id);
                self.conflicts
                    .push(Conflict::of(*leader, reason).with_kind(kind));
                continue;
            }
            club.leader = Some(*leader);
            changes.push(club.into());
        }
        changes
    }
}
