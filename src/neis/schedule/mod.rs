//! Daily runs of a sync, of which one process does each, and runs that somebody asks for.

mod builder;
mod due;
mod lease;
mod run_kinds;
mod worker;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use builder::SyncScheduleBuilder;
pub use run_kinds::YearRun;
use tokio::sync::Notify;

use self::due::DailyTime;
use self::worker::Running;
use super::client::Pause;
use super::{Sync, SyncKind};
use crate::domain::{ShortText, SubjectId, SyncResult, SyncRunRecord, SyncStatus, Timestamp};
use crate::metrics::Gauges;
use crate::store::retention::CLOCK_SKEW;
use crate::store::{MAX_LISTED_SYNC_RUNS, StorageError, SyncStore};

/// Time without a success after which a sync counts as [failing](SyncSchedule::failing_since).
const FAILING_AFTER: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// Runs a [`Sync`] over the current academic year once a day, and when somebody asks for it.
///
/// The processes that share a store take turns by a lease: while one syncs, no other does. Each run
/// is recorded in the [store](SyncStore), from where every process knows the runs of the others,
/// and whether the portal's quota of the day is spent.
///
/// ```no_run
/// # fn run(
/// #     sync: lyceum::neis::Sync,
/// #     store: std::sync::Arc<lyceum::store::memory::MemoryStore>,
/// # ) -> Result<(), Box<dyn std::error::Error>> {
/// use lyceum::neis::SyncSchedule;
///
/// let schedule = SyncSchedule::builder(sync, store, tokio::time::sleep)
///     .daily_at("05:30")
///     .time_zone("Asia/Seoul")
///     .build()?;
/// tokio::spawn(schedule.run());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct SyncSchedule(Arc<Schedule>);

struct Schedule {
    sync: Sync,
    store: Arc<dyn SyncStore>,
    pause: Arc<Pause>,
    daily: Option<DailyTime>,
    on_run: Option<Box<OnRun>>,
    /// The name of this process among those that want the lease.
    holder: ShortText,
    state: Mutex<RunState>,
    requested: Notify,
    /// When the kind that is least current was so, as [`run`](SyncSchedule::run) last saw it.
    current_as_of: Mutex<Option<Timestamp>>,
    first_run_gauges: Gauges<1>,
}

type OnRun = dyn Fn(&SyncRunRecord) + Send + std::marker::Sync;

/// State of the runs of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RunState {
    Idle,
    /// This user asks for a run.
    Requested(SubjectId),
    /// A run is under way.
    Running,
}

/// Result of a run of all kinds.
#[derive(Debug)]
#[non_exhaustive]
pub enum SyncAttempt {
    /// The runs, in their order. After a failure that
    /// [affects all kinds](super::SyncOutcome::affects_all_kinds) there are no more.
    Ran(Vec<YearRun>),
    /// Another process syncs, or this one does already. Nothing was done.
    Busy,
}

impl SyncSchedule {
    /// Runs all kinds of the current academic year now, if no sync is under way. Each kind is
    /// read window after window; a window that fails leaves the others to be read, unless the
    /// portal is unavailable.
    ///
    /// # Errors
    /// When the store does not respond. What was read before is stored, and the next run finds out.
    pub async fn run_now(&self, by: SubjectId) -> Result<SyncAttempt, StorageError> {
        let Some(_running) = Running::start(&self.0) else {
            return Ok(SyncAttempt::Busy);
        };
        self.0.attempt(&by, |_, _| SyncKind::ALL.to_vec()).await
    }

    /// Asks [`run`](Self::run) of this process for a run now, in the background. Returns whether it
    /// will: false if a run is under way in this process or asked for already.
    pub fn request_run(&self, by: SubjectId) -> bool {
        let mut state = self.0.state();
        if *state != RunState::Idle {
            return false;
        }
        *state = RunState::Requested(by);
        drop(state);
        self.0.requested.notify_one();
        true
    }

    /// Returns what a page about the sync shows, with so many of the last runs, at most
    /// [`MAX_LISTED_SYNC_RUNS`].
    ///
    /// # Errors
    /// When the store does not respond.
    pub async fn status(&self, runs: u32) -> Result<SyncStatus, StorageError> {
        let (schedule, now) = (&self.0, self.0.now());
        let mut found = schedule.store.sync_runs(runs).await?;
        let is_busy = *schedule.state() != RunState::Idle;
        let is_running = is_busy || schedule.is_leased(now).await?;
        let is_under_way = |run: &SyncRunRecord| run.result == SyncResult::Running;
        if !is_running && found.iter().any(is_under_way) {
            // A run that has ended since has another record by now. One that has not was
            // interrupted, unless it has just begun.
            let again = schedule.store.sync_runs(runs).await?;
            let was_interrupted = |run: &SyncRunRecord| is_under_way(run) && found.contains(run);
            let end = |run: SyncRunRecord| {
                if was_interrupted(&run) {
                    run_kinds::interrupted(run)
                } else {
                    run
                }
            };
            found = again.into_iter().map(end).collect();
        }
        let mut data_as_of = schedule.store.data_as_of().await?;
        for (_, as_of) in &mut data_as_of {
            *as_of = now.min(*as_of);
        }
        Ok(SyncStatus {
            is_running,
            runs: found,
            data_as_of,
        })
    }

    /// The last time at which every kind was current, or the first stored run of one that never
    /// was, if that is two days ago or more: the sync fails. Without a
    /// [daily time](SyncScheduleBuilder::daily_at) only kinds whose last run failed count.
    /// [`run`](Self::run) looks at the store every few minutes.
    pub fn failing_since(&self) -> Option<Timestamp> {
        let current_as_of = *self.0.current_as_of();
        current_as_of.filter(|as_of| self.0.now().since(*as_of) >= FAILING_AFTER)
    }
}

impl Schedule {
    fn now(&self) -> Timestamp {
        self.sync.clock.now()
    }

    fn state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn current_as_of(&self) -> MutexGuard<'_, Option<Timestamp>> {
        let guard = self.current_as_of.lock();
        guard.unwrap_or_else(PoisonError::into_inner)
    }

    /// The runs that decide about the next one. One that is under way does not. One that started in
    /// the future, by the clock of a node that was ahead, does not either: no kind would be due
    /// until then.
    async fn runs(&self) -> Result<Vec<SyncRunRecord>, StorageError> {
        let mut runs = self.store.sync_runs(MAX_LISTED_SYNC_RUNS).await?;
        let latest = self.now().plus(CLOCK_SKEW);
        runs.retain(|run| run.started_at <= latest && run.result != SyncResult::Running);
        Ok(runs)
    }
}

impl fmt::Debug for SyncSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSchedule")
            .field("sync", &self.0.sync)
            .field("daily", &self.0.daily)
            .finish_non_exhaustive()
    }
}
