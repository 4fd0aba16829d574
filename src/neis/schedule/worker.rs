//! The work in the background: daily runs, retries, and runs that somebody asks for.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use super::{RunState, Schedule, SyncAttempt, SyncSchedule};
use crate::catch_panic::catch_panic;
use crate::domain::{DataKind, SubjectId, SyncResult, SyncRunRecord, Timestamp};
use crate::neis::SyncKind;
use crate::store::retention::CLOCK_SKEW;
use crate::store::{MAX_LISTED_SYNC_RUNS, StorageError};

/// Time after a run, and after the store did not respond, until the worker looks again.
const SHORT_PAUSE: Duration = Duration::from_secs(60);

/// Maximum time between two looks at the store, for the runs of other processes.
const LONG_PAUSE: Duration = Duration::from_secs(5 * 60);

/// Time until the next daily run of this process after one that the store or a panic ended.
const AFTER_FAILURE: Duration = Duration::from_secs(60 * 60);

impl SyncSchedule {
    /// Runs the sync at its daily time, a missed run at once, and a run that somebody
    /// [asks for](Self::request_run) when they do. An hour after a failure that may be over by
    /// then, such as one of the portal, the failed kinds run again. Failures are logged, with the
    /// target `lyceum::neis`, and never end this future: spawn it beside the services, and drop it
    /// to stop.
    pub fn run(&self) -> impl Future<Output = ()> + Send + 'static {
        let schedule = self.clone();
        async move {
            let mut not_before = Timestamp::MIN;
            loop {
                let step = catch_panic(schedule.0.step(&mut not_before)).await;
                let wait = step.unwrap_or_else(|| {
                    tracing::error!(target: "lyceum::neis", "a run of the sync panicked");
                    not_before = schedule.0.now().plus(AFTER_FAILURE);
                    SHORT_PAUSE
                });
                schedule.0.pause_or_request(wait).await;
            }
        }
    }
}

impl Schedule {
    /// Does what is due, and returns the time until the next step.
    async fn step(&self, not_before: &mut Timestamp) -> Duration {
        if let Some(by) = self.take_request() {
            let _running = Running(self);
            self.report(self.attempt(&by, |_, _| SyncKind::ALL.to_vec()).await);
        }
        let now = self.now();
        let due = match self.update_status(now).await {
            Ok(due) => due.max(*not_before),
            Err(error) => {
                tracing::warn!(target: "lyceum::neis", %error, "the runs of the sync were not read");
                return SHORT_PAUSE;
            }
        };
        if due > now {
            return due.since(now).min(LONG_PAUSE);
        }
        let Some(_running) = Running::start(self) else {
            let is_running = *self.state() == RunState::Running;
            return if is_running {
                SHORT_PAUSE
            } else {
                Duration::ZERO
            };
        };
        let choose = |now: Timestamp, runs: &[SyncRunRecord]| {
            let due = self.daily.iter().flat_map(|daily| daily.due(now, runs));
            let due = due.filter(|(_, due)| *due <= now);
            due.map(|(kind, _)| kind).collect()
        };
        let attempt = self.attempt(&SubjectId::service(), choose).await;
        if attempt.is_err() {
            *not_before = now.plus(AFTER_FAILURE);
        }
        self.report(attempt);
        SHORT_PAUSE
    }

    /// Notes how current the records are, and returns when a kind is next due.
    async fn update_status(&self, now: Timestamp) -> Result<Timestamp, StorageError> {
        let has_running = |runs: &[SyncRunRecord]| {
            let mut results = runs.iter().map(|run| run.result);
            results.any(|result| result == SyncResult::Running)
        };
        if has_running(&self.store.sync_runs(MAX_LISTED_SYNC_RUNS).await?)
            && let Some(_running) = Running::start(self)
        {
            // Without a kind to run, to record the runs that were interrupted.
            let _ = self
                .attempt(&SubjectId::service(), |_, _| Vec::new())
                .await?;
        }
        let (runs, mut data_as_of) = (self.runs().await?, self.store.data_as_of().await?);
        // A time of the future is of a clock that was ahead, and would hide that the sync fails.
        data_as_of.retain(|(_, as_of)| *as_of <= now.plus(CLOCK_SKEW));
        let time_of = |times: &[(DataKind, Timestamp)], kind| {
            let known = times.iter().find(|(known, _)| *known == kind);
            known.map(|(_, time)| *time)
        };
        let mut kinds = SyncKind::ALL.iter().map(|kind| DataKind::from(*kind));
        let mut first_runs = Vec::new();
        if kinds.any(|kind| time_of(&data_as_of, kind).is_none()) {
            first_runs = self.store.first_sync_runs().await?;
        }
        let mut current_as_of: Option<Timestamp> = None;
        for kind in SyncKind::ALL.iter().map(|kind| DataKind::from(*kind)) {
            let success = runs
                .iter()
                .find(|run| run.kind == kind && run.result.is_success());
            let confirmed = time_of(&data_as_of, kind).or(success.map(|run| run.started_at));
            let first_run = time_of(&first_runs, kind).map(|first_run| now.min(first_run));
            if let (None, Some(first_run)) = (confirmed, first_run) {
                let seconds = first_run.seconds() as f64;
                self.first_run_gauges.set([kind.as_str()], seconds);
            }
            let last_run = runs.iter().find(|run| run.kind == kind);
            let is_wanted =
                self.daily.is_some() || last_run.is_some_and(|run| !run.result.is_success());
            if let Some(as_of) = confirmed.or(first_run)
                && is_wanted
            {
                current_as_of = Some(current_as_of.map_or(as_of, |oldest| oldest.min(as_of)));
            }
        }
        *self.current_as_of() = current_as_of;
        let due = self.daily.iter().flat_map(|daily| daily.due(now, &runs));
        Ok(due.map(|(_, due)| due).min().unwrap_or(Timestamp::MAX))
    }

    fn report(&self, attempt: Result<SyncAttempt, StorageError>) {
        match attempt {
            // Failures of runs are logged as they happen.
            Ok(SyncAttempt::Ran(runs)) => {
                for run in runs {
                    tracing::info!(target: "lyceum::neis", "{}", run.run);
                }
            }
            Ok(SyncAttempt::Busy) => {
                tracing::debug!(target: "lyceum::neis", "another process syncs");
            }
            Err(error) => {
                tracing::warn!(target: "lyceum::neis", %error, "the sync did not end");
            }
        }
    }

    /// Takes a request that waits, and turns it into a run.
    fn take_request(&self) -> Option<SubjectId> {
        let mut state = self.state();
        let RunState::Requested(by) = &*state else {
            return None;
        };
        let by = by.clone();
        *state = RunState::Running;
        Some(by)
    }

    /// Waits for a time, or until somebody asks for a run.
    async fn pause_or_request(&self, time: Duration) {
        let mut pause = (self.pause)(time);
        let mut requested = pin!(self.requested.notified());
        std::future::poll_fn(|context| {
            let is_over = pause.as_mut().poll(context).is_ready()
                || requested.as_mut().poll(context).is_ready();
            if is_over {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }
}

/// Marks a run as under way until it is dropped.
pub(super) struct Running<'a>(&'a Schedule);

impl<'a> Running<'a> {
    /// Starts a run, unless one is under way or somebody has just asked for one.
    pub(super) fn start(schedule: &'a Schedule) -> Option<Self> {
        let mut state = schedule.state();
        if *state != RunState::Idle {
            return None;
        }
        *state = RunState::Running;
        drop(state);
        Some(Self(schedule))
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *self.0.state() = RunState::Idle;
    }
}
