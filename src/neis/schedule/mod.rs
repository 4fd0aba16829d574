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
use super::client::Pause;
use super::{Sync, SyncKind};
use crate::clock::AtomicTimestamp;
use crate::domain::{ShortText, SubjectId, SyncRunRecord, SyncStatus, Timestamp};
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
    request: Mutex<Request>,
    requested: Notify,
    /// The time since which no kind is older, as [`run`](SyncSchedule::run) last saw it;
    /// [`Timestamp::MAX`] before the first run.
    current_as_of: AtomicTimestamp,
}

type OnRun = dyn Fn(&SyncRunRecord) + Send + std::marker::Sync;

/// What [`SyncSchedule::run`] of this process is to do beside its daily runs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Request {
    None,
    /// This user asks for a run.
    Wanted(SubjectId),
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
    /// Another process syncs. Nothing was done.
    Busy,
}

impl SyncSchedule {
    /// Runs all kinds of the current academic year now, if no other process syncs. Each kind is
    /// read window after window; a window that fails leaves the others to be read, unless the
    /// portal is unavailable.
    ///
    /// # Errors
    /// When the store does not respond. What was read before is stored, and the next run finds out.
    pub async fn run_now(&self, by: SubjectId) -> Result<SyncAttempt, StorageError> {
        self.0.attempt(&by, |_, _| SyncKind::ALL.to_vec()).await
    }

    /// Asks [`run`](Self::run) of this process for a run now, in the background. Returns whether it
    /// will: false if a run is under way in this process or asked for already.
    pub fn request_run(&self, by: SubjectId) -> bool {
        let mut request = self.0.request();
        if *request != Request::None {
            return false;
        }
        *request = Request::Wanted(by);
        drop(request);
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
        let is_requested = *schedule.request() != Request::None;
        Ok(SyncStatus {
            is_running: is_requested || schedule.store.lease(&lease::name(), now).await?.is_some(),
            runs: schedule.store.sync_runs(runs).await?,
            data_as_of: schedule.store.data_as_of().await?,
        })
    }

    /// The last time at which every kind was current, if that is two days ago or more: the sync
    /// fails. [`run`](Self::run) looks at the store every few minutes.
    pub fn failing_since(&self) -> Option<Timestamp> {
        let current_as_of = self
            .0
            .current_as_of
            .load(std::sync::atomic::Ordering::Relaxed);
        (self.0.now().since(current_as_of) >= FAILING_AFTER).then_some(current_as_of)
    }
}

impl Schedule {
    fn now(&self) -> Timestamp {
        self.sync.clock.now()
    }

    fn request(&self) -> MutexGuard<'_, Request> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runs that decide about the next one.
    async fn runs(&self) -> Result<Vec<SyncRunRecord>, StorageError> {
        self.store.sync_runs(MAX_LISTED_SYNC_RUNS).await
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
