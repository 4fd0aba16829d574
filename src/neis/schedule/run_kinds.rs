//! Runs over the days of an academic year, and their records.

use super::due::quota_is_spent;
use super::{Schedule, SyncAttempt};
use crate::domain::{Date, DateRange, ShortText, SubjectId, SyncResult, SyncRunRecord, Timestamp};
use crate::neis::{AcademicYear, SyncKind, SyncOutcome, SyncRun};
use crate::store::{MAX_LISTED_SYNC_RUNS, StorageError};

/// Why a run that found nothing does not confirm its kind.
const MISSING: &str = "the portal has nothing of these days, and the directory has records of them";

/// The reason in the record of a run that has not ended.
const UNDER_WAY: &str = "the run has not ended";

/// The reason in the record of a run whose process ended first.
const INTERRUPTED: &str = "the process ended before the run did";

/// Runs of one kind over the days of an academic year.
#[derive(Debug)]
#[non_exhaustive]
pub struct YearRun {
    /// All of them [as one](SyncRun::append).
    pub run: SyncRun,
    /// Those of them that failed.
    pub failures: Vec<SyncRun>,
    /// Days of which the portal has nothing.
    empty: Vec<DateRange>,
}

/// Why a run of which no row was used does not confirm its kind.
const UNUSABLE: &str = "the portal has rows of these days, and none could be used";

impl Schedule {
    /// Runs the kinds that `choose` names, given the time and the last runs, if this process gets
    /// the lease.
    pub(super) async fn attempt(
        &self,
        by: &SubjectId,
        choose: impl FnOnce(Timestamp, &[SyncRunRecord]) -> Vec<SyncKind>,
    ) -> Result<SyncAttempt, StorageError> {
        if !self.acquire_lease().await? {
            return Ok(SyncAttempt::Busy);
        }
        // Whoever had the lease before has stored its runs.
        let work = async {
            self.end_interrupted_runs().await?;
            let (now, runs) = (self.now(), self.runs().await?);
            if quota_is_spent(now, &runs) {
                self.sync.set_quota_spent(now);
            }
            self.run_kinds(&choose(now, &runs), by).await
        };
        let outcome = self.while_leased(work).await;
        self.release_lease().await;
        outcome.map(SyncAttempt::Ran)
    }

    /// Records the end of the runs that processes left when they stopped. This process has the
    /// lease, so that none of them is under way.
    async fn end_interrupted_runs(&self) -> Result<(), StorageError> {
        let mut stored = self.store.sync_runs(MAX_LISTED_SYNC_RUNS).await?;
        stored.retain(|run| run.result == SyncResult::Running);
        for run in stored {
            self.sync.directory.check().await?;
            let version = self.sync.directory.snapshot().await?.version().number;
            let run = SyncRunRecord {
                versions: [run.versions[0], version],
                ended_at: self.now().max(run.started_at),
                ..interrupted(run)
            };
            tracing::warn!(target: "lyceum::neis", "{}: {INTERRUPTED}", run.kind);
            self.record(run).await?;
        }
        Ok(())
    }

    async fn run_kinds(
        &self,
        kinds: &[SyncKind],
        by: &SubjectId,
    ) -> Result<Vec<YearRun>, StorageError> {
        let year = AcademicYear::at(self.now());
        let mut ran = Vec::new();
        for kind in kinds {
            let windows = year.windows(*kind);
            let Some(run) = self.run_windows(*kind, windows, by).await? else {
                continue;
            };
            let mut record = record(&run.run, None, by);
            if record.result.is_success() {
                let fault = if run.run.used == 0 && run.run.skipped > 0 {
                    Some((SyncResult::Rejected, UNUSABLE))
                } else {
                    let is_missing = self.is_missing(*kind, &run).await?;
                    is_missing.then_some((SyncResult::Missing, MISSING))
                };
                if let Some((result, reason)) = fault {
                    record.result = result;
                    record.detail = ShortText::from_static(reason);
                    tracing::warn!(target: "lyceum::neis", "{kind}: {reason}");
                }
            }
            self.record(record).await?;
            let is_last = run.run.outcome.affects_all_kinds();
            ran.push(run);
            if is_last {
                break;
            }
        }
        Ok(ran)
    }

    /// Whether the portal has nothing of days of which the directory has records: of the whole year,
    /// or of days that are not over.
    async fn is_missing(&self, kind: SyncKind, run: &YearRun) -> Result<bool, StorageError> {
        if run.run.outcome == SyncOutcome::Empty {
            return self.sync.has_records(kind, run.run.window).await;
        }
        let today = Date::korean(self.now());
        for days in run.empty.iter().filter(|days| days.to() >= today) {
            if self.sync.has_records(kind, *days).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs over these days, and adds the runs up. Days that fail for a reason of their own do not
    /// keep the others from being read.
    async fn run_windows(
        &self,
        kind: SyncKind,
        windows: Vec<DateRange>,
        by: &SubjectId,
    ) -> Result<Option<YearRun>, StorageError> {
        let (Some(first), Some(last)) = (windows.first(), windows.last()) else {
            return Ok(None);
        };
        let days = DateRange::new(first.from(), last.to()).unwrap_or(*first);
        let mut begun = SyncRun::new(kind, days, self.now());
        begun.versions = [self.sync.directory.snapshot().await?.version().number; 2];
        let under_way = |run: &SyncRun| SyncRunRecord {
            window: days,
            result: SyncResult::Running,
            detail: ShortText::from_static(UNDER_WAY),
            ..record(run, None, by)
        };
        // Before the first write, so that no change is without a record.
        self.store.append_sync_run(under_way(&begun)).await?;
        let mut whole: Option<YearRun> = None;
        for window in windows {
            let run = match self.sync.run(kind, window).await {
                Ok(run) => run,
                Err(error) => {
                    let before = whole.map(|whole| whole.run);
                    let run = before.unwrap_or_else(|| SyncRun::new(kind, window, self.now()));
                    // The error of the run itself says why.
                    let _ = self.record(record(&run, Some(self.now()), by)).await;
                    return Err(error);
                }
            };
            let outcome = run.outcome.clone();
            let has_changes = run.inserted + run.updated + run.deleted > 0;
            let failure = (!outcome.is_success()).then(|| run.clone());
            let empty = (outcome == SyncOutcome::Empty).then_some(window);
            if failure.is_some() {
                tracing::warn!(target: "lyceum::neis", "{run}");
            }
            let whole = match &mut whole {
                Some(whole) => {
                    whole.run.append(run);
                    whole
                }
                None => whole.insert(YearRun {
                    run,
                    failures: Vec::new(),
                    empty: Vec::new(),
                }),
            };
            whole.failures.extend(failure);
            whole.empty.extend(empty);
            if has_changes
                && let Err(error) = self.store.append_sync_run(under_way(&whole.run)).await
            {
                // The record of the beginning covers the changes too.
                tracing::warn!(target: "lyceum::neis", %error, "the progress of {kind} was not recorded");
            }
            let is_unavailable = matches!(outcome, SyncOutcome::Unavailable(_));
            if is_unavailable || outcome.affects_all_kinds() {
                break;
            }
        }
        Ok(whole)
    }

    /// Stores the record and tells the host of it, which it also does if the store fails.
    async fn record(&self, record: SyncRunRecord) -> Result<(), StorageError> {
        let stored = self.store.append_sync_run(record.clone()).await;
        if let Some(on_run) = &self.on_run {
            on_run(&record);
        }
        stored
    }
}

/// The record of a run, or of one that the store ended at a time.
fn record(run: &SyncRun, store_failed_at: Option<Timestamp>, by: &SubjectId) -> SyncRunRecord {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let (result, detail) = match store_failed_at {
        None => (run.outcome.result(), run.outcome.to_string()),
        Some(_) => (
            SyncResult::StoreFailed,
            "the store did not respond".to_owned(),
        ),
    };
    SyncRunRecord {
        kind: run.kind.into(),
        window: run.window,
        result,
        detail: one_line(&detail),
        code: run.code.and_then(|code| code.to_string().parse().ok()),
        calls: run.calls,
        inserted: count(run.inserted),
        updated: count(run.updated),
        deleted: count(run.deleted),
        skipped: count(run.skipped),
        versions: run.versions,
        by: by.clone(),
        started_at: run.started_at,
        ended_at: store_failed_at.unwrap_or(run.ended_at),
    }
}

/// The record of a run that has not ended and never will.
pub(super) fn interrupted(run: SyncRunRecord) -> SyncRunRecord {
    SyncRunRecord {
        result: SyncResult::Interrupted,
        detail: ShortText::from_static(INTERRUPTED),
        ..run
    }
}

/// The text without what a line may not have. Reasons of a failed connection may be long.
fn one_line(text: &str) -> ShortText {
    let visible = |character: char| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    };
    let line: String = text.chars().map(visible).take(255).collect();
    line.parse().unwrap_or_else(|_| ShortText::from_static("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if a long reason, or one with a line break, has no record.
    #[test]
    fn every_reason_fits_a_line() {
        assert_eq!(one_line("a\nb").as_str(), "a b");
        assert_eq!(one_line(&"가".repeat(300)).chars().count(), 255);
        assert_eq!(one_line("").as_str(), "-");
    }
}
