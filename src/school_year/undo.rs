use std::collections::BTreeSet;
use std::fmt;

use super::UNDO_PERIOD;
use super::error::{Conflict, ConflictKind, YearError, YearObstacle, YearOutcome, turns};
use crate::directory::{Directory, DirectoryChange, HistoryStep, Snapshot};
use crate::domain::{
    ClubId, ClubType, Enrollment, EnrollmentStatus, Student, StudentId, SubjectId, Timestamp, Year,
    YearTurnRecord,
};
use crate::import::code;
use crate::store::{DatasetVersion, StorageError, TurnedRecords, TurnedStudent};

/// The undo of the last turn of the school year.
#[derive(Debug)]
pub struct YearUndo;

/// What the undo of a turn would change, for one version of the directory.
///
/// Every student gets back the enrollment from before the turn, and every club its leader; new
/// students are removed. Records that have changed since the turn are conflicts: they are shown and
/// stay as they are.
///
/// It displays as lines for people: `!` for what stays as it is, and the counts.
#[derive(Clone)]
pub struct YearUndoPlan {
    pub(super) turn: YearTurnRecord,
    pub(super) version: DatasetVersion,
    pub(super) restored: usize,
    pub(super) removed: usize,
    pub(super) conflicts: Vec<Conflict>,
    changes: Vec<DirectoryChange>,
}

impl YearUndo {
    /// Shows what the undo of the last turn would change. Nothing is written.
    ///
    /// # Errors
    /// [`YearError::NothingToUndo`] if there is no turn within [`UNDO_PERIOD`] before `at`, or it
    /// was undone. Also when the directory keeps no history, or the store does not respond.
    pub async fn plan(directory: &Directory, at: Timestamp) -> Result<YearUndoPlan, YearError> {
        directory.check().await?;
        let base = directory.snapshot().await?;
        // After the snapshot: an undo in between is a later version, to which the plan is not applied.
        let turn = turns(directory).await?.into_iter().next();
        let turn = turn
            .filter(|turn| turn.undone.is_none() && is_in_time(turn, at))
            .ok_or(YearError::NothingToUndo)?;
        let store = directory.history_store().ok_or(YearError::NoHistory)?;
        let turned = store.turned_records(turn.version).await?;
        let context = directory.clone();
        let work = move || Undo::new(&base, turn.version).plan(&context, turn, &turned);
        Ok(directory.run_blocking(work).await?)
    }
}

fn is_in_time(turn: &YearTurnRecord, at: Timestamp) -> bool {
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
}

impl<'a> Undo<'a> {
    fn new(base: &'a Snapshot, turn: u64) -> Self {
        Self {
            base,
            changed: base.students().changed_after(turn).collect(),
            conflicts: Vec::new(),
            restored: Vec::new(),
            removed: Vec::new(),
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
        let leaders = self.leaders(turned);
        let restored = self.restored.iter().cloned();
        let mut changes: Vec<DirectoryChange> = restored.map(DirectoryChange::PutStudent).collect();
        let removed = self.removed.iter().copied();
        changes.extend(removed.map(DirectoryChange::RemoveStudent));
        changes.extend(leaders);
        if let Err(rejected) = directory.dry_run(self.base, &changes) {
            let reasons = rejected.into_iter().map(|(_, reason)| {
                Conflict::general(format!("a rule of the school is in the way: {reason:?}"))
                    .with_kind(ConflictKind::RuleOfSchool)
            });
            self.conflicts.extend(reasons);
        }
        YearUndoPlan {
            turn,
            version: self.base.version(),
            restored: self.restored.len(),
            removed: self.removed.len(),
            conflicts: self.conflicts,
            changes,
        }
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
            if club.leader == Some(*leader) {
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
