use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::UNDO_PERIOD;
use super::error::{Conflict, ConflictKind, YearError, YearObstacle, YearOutcome, turns};
use super::seat::{Seat, seat};
use crate::directory::{Directory, DirectoryChange, HistoryStep, RejectionReason, Snapshot};
use crate::domain::{
    ClubId, ClubType, Enrollment, EnrollmentStatus, Student, StudentId, SubjectId, Timestamp, Year,
    YearTurnRecord,
};
use crate::import::{PlannedRecord, code, planned_records};
use crate::store::{DatasetVersion, DirectoryRows, StorageError, TurnedRecords, TurnedStudent};

/// The undo of the last turn of the school year that is not undone.
#[derive(Debug)]
pub struct YearUndo;

/// What the undo of a turn would change, for one version of the directory.
///
/// Every student gets back the enrollment from before the turn, and every club its leader; new
/// students are removed. Records that have changed since the turn are conflicts: they are shown and
/// stay as they are, with the history of these students. So are students whose number somebody else
/// has now, and records for which a rule of the school is in the way.
///
/// It displays as lines for people: `~` for a record that changes, with its fields before and after,
/// `-` for a new student who is removed, `!` for what stays as it is, and the counts. It has personal
/// data; the counts and the [conflicts](Self::conflicts) have none.
#[derive(Clone)]
pub struct YearUndoPlan {
    pub(super) turn: YearTurnRecord,
    pub(super) version: DatasetVersion,
    pub(super) restored: usize,
    pub(super) removed: usize,
    pub(super) conflicts: Vec<Conflict>,
    /// The students and others that change.
    pub(super) records: Vec<PlannedRecord>,
    /// Students who keep what the turn gave them, and their history.
    kept: Vec<StudentId>,
    changes: Vec<DirectoryChange>,
}

impl YearUndo {
    /// Shows what the undo of the last turn that is not undone would change. Nothing is written.
    ///
    /// # Errors
    /// [`YearError::NothingToUndo`] if there is no such turn within [`UNDO_PERIOD`] before `at`. Also when the directory keeps no history, or the store does not respond.
    pub async fn plan(directory: &Directory, at: Timestamp) -> Result<YearUndoPlan, YearError> {
        directory.check().await?;
        let base = directory.snapshot().await?;
        // After the snapshot: an undo in between is a later version, to which the plan is not applied.
        let mut turns = turns(directory).await?.into_iter();
        let turn = turns
            .find(|turn| turn.undone.is_none())
            .filter(|turn| is_in_time(turn, at))
            .ok_or(YearError::NothingToUndo)?;
        let store = directory.history_store().ok_or(YearError::NoHistory)?;
        let turned = store.turned_records(turn.version).await?;
        let context = directory.clone();
        let work = move || Undo::new(&base, turn.version).plan(&context, turn, &turned);
        Ok(directory.run_blocking(work).await?)
    }
}

pub(super) fn is_in_time(turn: &YearTurnRecord, at: Timestamp) -> bool {
    at < turn.at.plus(UNDO_PERIOD)
}

impl YearUndoPlan {
    /// The turn.
    pub const fn turn(&self) -> &YearTurnRecord {
        &self.turn
    }

    /// The school year that the turn had ended.
    pub const fn year(&self) -> Year {
        self.turn.year
    }

    /// The version of the directory that the plan is for.
    pub const fn version(&self) -> DatasetVersion {
        self.version
    }

    /// Number of students who get back their enrollment from before the turn.
    pub const fn restored(&self) -> usize {
        self.restored
    }

    /// Number of new students who are removed.
    pub const fn removed(&self) -> usize {
        self.removed
    }

    /// What has changed since the turn and stays as it is.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The students and others that change, with their fields.
    #[cfg(feature = "console")]
    pub(crate) fn records(&self) -> &[PlannedRecord] {
        &self.records
    }

    /// What the undo changes.
    #[cfg(feature = "console")]
    pub(crate) fn changes(&self) -> &[DirectoryChange] {
        &self.changes
    }

    /// A code of 16 characters for the turn, the version and all changes. A plan with the same code
    /// shows the same.
    pub fn code(&self) -> String {
        code(self.version, &("undo", self.turn.version, &self.changes))
    }

    /// Undoes the turn as the plan shows, in one transaction with its history, if the directory
    /// still has its version.
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the plan was applied.
    pub async fn apply(
        &self,
        directory: &Directory,
        by: SubjectId,
        at: Timestamp,
    ) -> Result<YearOutcome, StorageError> {
        if !is_in_time(&self.turn, at) {
            return Ok(YearOutcome::Obstructed(YearObstacle::TooLate));
        }
        if self.changes.is_empty() {
            return Ok(YearOutcome::Obstructed(YearObstacle::NothingChanges));
        }
        let step = HistoryStep::Undo {
            turn: self.turn.version,
            kept: self.kept.clone(),
            at: at.floor_to_seconds(),
            by,
        };
        let outcome = directory.write_step(self.version, self.changes.clone(), step);
        Ok(outcome.await?.into())
    }
}

/// Omits the students, who are personal data.
impl fmt::Debug for YearUndoPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YearUndoPlan")
            .field("turn", &self.turn)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

struct Undo<'a> {
    base: &'a Snapshot,
    /// The students that have changed since the turn.
    changed: BTreeSet<i64>,
    conflicts: Vec<Conflict>,
    restored: Vec<Student>,
    removed: Vec<StudentId>,
    /// Clubs that a rule of the school keeps from getting back their leaders.
    refused_clubs: BTreeSet<ClubId>,
}

impl<'a> Undo<'a> {
    fn new(base: &'a Snapshot, turn: u64) -> Self {
        Self {
            base,
            changed: base.students().changed_after(turn).collect(),
            conflicts: Vec::new(),
            restored: Vec::new(),
            removed: Vec::new(),
            refused_clubs: BTreeSet::new(),
        }
    }

    fn plan(
        mut self,
        directory: &Directory,
        turn: YearTurnRecord,
        turned: &TurnedRecords,
    ) -> YearUndoPlan {
        for student in &turned.students {
            self.undo_student(student);
        }
        let (changes, next) = self.settle(directory, turned);
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
    fn settle(
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
        let rule = format!("because of a rule of the school: {reason:?}");
        match change {
            DirectoryChange::PutStudent(student) => {
                self.restored.retain(|restored| restored.id != student.id);
                let reason = format!("stays as it is {rule}");
                Some(Conflict::of(student.id, reason).with_kind(ConflictKind::RuleOfSchool))
            }
            DirectoryChange::RemoveStudent(student) => {
                self.removed.retain(|removed| removed != student);
                let reason = format!("stays as it is {rule}");
                Some(Conflict::of(*student, reason).with_kind(ConflictKind::RuleOfSchool))
            }
            DirectoryChange::PutClub(club) => {
                self.refused_clubs.insert(club.id);
                let mut leaders = turned.leaders.iter();
                let (_, leader) = leaders.find(|(led, _)| *led == club.id)?;
                let id = club.id;
                let reason = format!("does not lead club {id} again {rule}");
                Some(Conflict::of(*leader, reason).with_kind(ConflictKind::LeadsNoMore(id)))
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
                    .push(Conflict::of(id, reason).with_kind(ConflictKind::NewOneChanged));
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
                "has another class, number, club, room or office since the turn: the record stays";
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
                let kind = ConflictKind::LeadsNoMore(club.id);
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
