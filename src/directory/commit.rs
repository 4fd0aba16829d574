//! Writes a batch of changes: applies it to the snapshot in memory, stores the changed rows, and
//! installs the next snapshot.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::change::{DirectoryChange, RejectionReason, WriteOutcome};
use super::history::{HistoryStep, history_change};
use super::record_limit::TooManyRecords;
use super::shared_directory::Directory;
use super::snapshot::Snapshot;
use super::snapshot_refresh::Refresher;
use super::write_batch::WriteBatch;
#[cfg(feature = "neis")]
use crate::domain::{InvalidValue, Lesson};
use crate::store::{
    DatasetVersion, DirectoryRows, DirectoryWrite, HistoryChange, SchoolHistoryStore, StorageError,
};

/// Number of the last turns of the school year among which the latest year is looked for. Only
/// turns that were undone come after it.
pub(crate) const MAX_READ_TURNS: u32 = 100;

/// Maximum attempts of a write while other processes write too.
const MAX_ATTEMPTS: usize = 5;

/// The index and reason of each rejected change.
#[cfg(feature = "import")]
pub(crate) type Rejections = Vec<(usize, RejectionReason)>;

/// Result of applying a batch to a snapshot.
enum Plan {
    /// There is nothing to store: the batch is rejected or has no effect.
    Decided(WriteOutcome),
    /// The rows to store, and the snapshot to install afterwards.
    Changed(Arc<DirectoryRows>, Snapshot),
}

impl Directory {
    /// Maximum number of changes in a batch. A SQL store blocks all other writes, such as those of
    /// a login, while it stores a batch.
    pub const MAX_CHANGES: usize = 10_000;

    /// Applies all changes in order, or none of them.
    ///
    /// * A student's clubs must exist and be of the right type.
    /// * A club's leader must be a member of it. A student who stops being a member, also by
    ///   leaving the school, stops being its leader.
    /// * A club's type cannot change while it has members. A removed club is removed from its
    ///   members and projects.
    /// * Grades, classes, seat numbers and majors must be within the school's bounds, unless the
    ///   record already has that value.
    /// * No student may get the e-mail address of another one, compared without case.
    /// * A project's club and participants must exist. A removed student is removed from their
    ///   projects.
    /// * Removing a record that does not exist changes nothing and is not an error.
    ///
    /// A batch without effect creates no new version. A batch of more than
    /// [`MAX_CHANGES`](Self::MAX_CHANGES) changes is refused; the caller decides where to split it.
    ///
    /// # Errors
    /// When the store does not respond. It is then unknown whether the batch was stored; the next
    /// read refreshes the snapshot.
    pub async fn write(&self, changes: Vec<DirectoryChange>) -> Result<WriteOutcome, StorageError> {
        if changes.len() > Self::MAX_CHANGES {
            return Ok(WriteOutcome::Rejected {
                index: Self::MAX_CHANGES,
                reason: RejectionReason::TooManyChanges,
            });
        }
        let _guard = self.0.write_lock.lock().await;
        let changes = Arc::new(changes);
        for _ in 0..MAX_ATTEMPTS {
            let base = self.cached_snapshot();
            if let Some(outcome) = self.attempt(&base, &changes, &HistoryStep::Leaving).await? {
                return Ok(outcome);
            }
            self.catch_up().await?;
        }
        Ok(WriteOutcome::Contended)
    }

    /// As [`write`](Self::write), but only if the directory still has the version `expected`.
    /// Otherwise nothing is stored, the outcome is [`WriteOutcome::Contended`], and the next
    /// [`snapshot`](Self::snapshot) has the other version.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub async fn write_if(
        &self,
        expected: DatasetVersion,
        changes: Vec<DirectoryChange>,
    ) -> Result<WriteOutcome, StorageError> {
        self.write_step(expected, changes, HistoryStep::Leaving)
            .await
    }

    /// As [`write_if`](Self::write_if), with what the write means for the school's history.
    pub(crate) async fn write_step(
        &self,
        expected: DatasetVersion,
        changes: Vec<DirectoryChange>,
        step: HistoryStep,
    ) -> Result<WriteOutcome, StorageError> {
        if changes.len() > Self::MAX_CHANGES {
            return Ok(WriteOutcome::Rejected {
                index: Self::MAX_CHANGES,
                reason: RejectionReason::TooManyChanges,
            });
        }
        let _guard = self.0.write_lock.lock().await;
        if self.cached_snapshot().version() != expected {
            self.catch_up().await?;
        }
        let base = self.cached_snapshot();
        if base.version() != expected {
            return Ok(WriteOutcome::Contended);
        }
        match self.attempt(&base, &Arc::new(changes), &step).await? {
            Some(outcome) => Ok(outcome),
            None => {
                self.catch_up().await?;
                Ok(WriteOutcome::Contended)
            }
        }
    }

    /// Writes the changes if the store is at the version of `base`; `None` if it is not.
    async fn attempt(
        &self,
        base: &Arc<Snapshot>,
        changes: &Arc<Vec<DirectoryChange>>,
        step: &HistoryStep,
    ) -> Result<Option<WriteOutcome>, StorageError> {
        let state = &self.0.refresher.state;
        match self.plan(base, changes).await? {
            Plan::Changed(rows, next) => {
                let (expected, version) = (base.version(), rows.version);
                let history = self.history_of(base, &rows, &next, step).await?;
                let uncertain = UncertainWrite(Some(&self.0.refresher));
                let write = match history {
                    Some((store, history)) => {
                        store
                            .write_directory_with_history(expected, rows, history)
                            .await?
                    }
                    None => state.store.write_directory(expected, rows).await?,
                };
                if write == DirectoryWrite::Conflict {
                    return Ok(None);
                }
                state.install(base, next);
                uncertain.resolve();
                Ok(Some(WriteOutcome::Written(version)))
            }
            Plan::Decided(outcome) => {
                // The result holds only if the snapshot is still current.
                let is_current = state.store.directory_version().await? == base.version();
                Ok(is_current.then_some(outcome))
            }
        }
    }

    /// The history that a write makes, with its store; `None` if it makes none or none is kept.
    async fn history_of(
        &self,
        base: &Snapshot,
        rows: &DirectoryRows,
        next: &Snapshot,
        step: &HistoryStep,
    ) -> Result<Option<(&dyn SchoolHistoryStore, Arc<HistoryChange>)>, StorageError> {
        let Some(store) = &self.0.history else {
            return Ok(None);
        };
        let Some(mut change) = history_change((base, rows, next), step, self.now()) else {
            return Ok(None);
        };
        if matches!(step, HistoryStep::Leaving) {
            // After an early turn, the classes are those of the year that has not begun.
            let turned = store.year_turns(MAX_READ_TURNS).await?;
            let latest = turned.iter().filter(|turn| turn.undone.is_none());
            if let Some(turned) = latest.map(|turn| turn.year.next()).max() {
                for entry in &mut change.entries {
                    entry.year = entry.year.max(turned);
                }
            }
        }
        Ok(Some((&**store, Arc::new(change))))
    }

    /// The store of the history, if one is kept.
    #[cfg(feature = "import")]
    pub(crate) fn history_store(&self) -> Option<&dyn SchoolHistoryStore> {
        self.0.history.as_deref()
    }

    /// Loads what other processes have written.
    async fn catch_up(&self) -> Result<(), StorageError> {
        let state = &self.0.refresher.state;
        state.catch_up(self.now(), &AtomicBool::new(false)).await
    }

    /// Applies the changes to a snapshot without storing them. Returns the changed rows and the
    /// next snapshot, or nothing if there would be no change.
    ///
    /// # Errors
    /// The index and reason of each rejected change.
    #[cfg(feature = "import")]
    pub(crate) fn dry_run(
        &self,
        base: &Snapshot,
        changes: &[DirectoryChange],
    ) -> Result<Option<(DirectoryRows, Snapshot)>, Rejections> {
        let current = base.version();
        let version = DatasetVersion {
            number: current.number + 1,
            ..current
        };
        let mut batch = WriteBatch::new(base, self.resources());
        let rejected = batch.apply_each(changes);
        if rejected.is_empty() {
            Ok(base.with_effective_changes(batch.into_rows(version)))
        } else {
            Err(rejected)
        }
    }

    /// Returns the index and reason of each change that a snapshot rejects.
    #[cfg(feature = "console")]
    pub(crate) fn rejections(&self, base: &Snapshot, changes: &[DirectoryChange]) -> Rejections {
        WriteBatch::new(base, self.resources()).apply_each(changes)
    }

    /// Runs work that may take long on the thread of the directory.
    #[cfg(feature = "import")]
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StorageError> {
        self.0.refresher.state.run_blocking(work).await
    }

    /// Checks whether a write accepts the grade and the class of a lesson.
    #[cfg(feature = "neis")]
    pub(crate) fn check_lesson(
        &self,
        snapshot: &Snapshot,
        lesson: &Lesson,
    ) -> Result<(), (&'static str, InvalidValue)> {
        let before = snapshot.lesson(&lesson.id);
        self.resources().timetables.check(lesson, before)
    }

    /// Applies the changes to a snapshot, on a thread for blocking work.
    async fn plan(
        &self,
        base: &Arc<Snapshot>,
        changes: &Arc<Vec<DirectoryChange>>,
    ) -> Result<Plan, StorageError> {
        let mut mark = [0; 8];
        self.0.entropy.fill(&mut mark);
        let current = base.version();
        let version = DatasetVersion {
            number: current.number + 1,
            mark: u64::from_be_bytes(mark),
            ..current
        };
        let (base, changes, max) = (Arc::clone(base), Arc::clone(changes), self.0.max_records);
        let resources = Arc::clone(&self.0.refresher.state.resources);
        let plan = move || {
            let mut batch = WriteBatch::new(&base, &resources);
            if let Err((index, reason)) = batch.apply_all(&changes) {
                return Plan::Decided(WriteOutcome::Rejected { index, reason });
            }
            let changed = base.with_effective_changes(batch.into_rows(version));
            let Some((rows, next)) = changed else {
                return Plan::Decided(WriteOutcome::Written(current));
            };
            let records = next.record_count();
            if records > base.record_count().max(max) {
                let reason = RejectionReason::TooManyRecords(TooManyRecords { records, max });
                return Plan::Decided(WriteOutcome::Rejected {
                    index: changes.len() - 1,
                    reason,
                });
            }
            Plan::Changed(Arc::new(rows), next)
        };
        self.0.refresher.state.run_blocking(plan).await
    }
}

/// Invalidates the snapshot when dropped before the outcome of the write is known, because the
/// store failed or the future was dropped.
struct UncertainWrite<'a>(Option<&'a Refresher>);

impl UncertainWrite<'_> {
    fn resolve(mut self) {
        self.0 = None;
    }
}

impl Drop for UncertainWrite<'_> {
    fn drop(&mut self) {
        if let Some(refresher) = self.0 {
            refresher.invalidate();
        }
    }
}
