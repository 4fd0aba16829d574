//! Refreshes the snapshot from the store, once for all requests that wait for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;

use super::school::SchoolResources;
use super::snapshot::Snapshot;
use crate::catch_panic::catch_panic;
use crate::clock::AtomicTimestamp;
use crate::domain::Timestamp;
use crate::single_flight::SingleFlight;
use crate::store::{DatasetVersion, DirectoryStore, StorageError};
use crate::thread_pool::ThreadPool;

/// Time for which a snapshot counts as current after the store was queried.
pub(super) const FRESH_FOR: Duration = Duration::from_secs(1);

/// Timeout for the store's version. The library has no timer, so the first request after the
/// timeout abandons the refresh and starts another.
const VERSION_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for a whole refresh. Loading a million records takes some ten seconds.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// A time in the distant past, after which every snapshot is stale.
pub(super) const NEVER: Timestamp = Timestamp::MIN;

/// Maximum attempts to reach a version in one refresh.
const MAX_ATTEMPTS: usize = 4;

/// Refreshes the current snapshot and shares one refresh among all callers.
pub(super) struct Refresher {
    pub(super) state: Arc<SnapshotState>,
    latest: Mutex<Option<Refresh>>,
}

pub(super) struct SnapshotState {
    pub(super) store: Arc<dyn DirectoryStore>,
    pub(super) resources: Arc<SchoolResources>,
    pub(super) snapshot: ArcSwap<Snapshot>,
    /// Start of the last refresh that found the snapshot current, or [`NEVER`] to make the next
    /// read refresh.
    fresh_since: AtomicTimestamp,
    /// Start of the last refresh that found the snapshot current.
    confirmed_at: AtomicTimestamp,
    /// Runs long computations; `None` where a test replays a fixed order of steps.
    thread: Option<ThreadPool>,
}

/// A refresh, in flight or done, shared by all requests that wait for it.
struct Refresh {
    started_at: Timestamp,
    /// Whether the store has returned its version.
    is_loading: Arc<AtomicBool>,
    flight: Arc<SingleFlight<Result<(), Arc<StorageError>>>>,
}

/// Outcome of a refresh.
pub(super) enum RefreshOutcome {
    /// The snapshot is current.
    Fresh,
    /// The store failed.
    Failed(Arc<StorageError>),
    /// The store did not respond in time.
    TimedOut,
}

impl Refresher {
    pub(super) fn new(
        store: Arc<dyn DirectoryStore>,
        resources: Arc<SchoolResources>,
        snapshot: Snapshot,
        now: Timestamp,
        thread: Option<ThreadPool>,
    ) -> Self {
        let state = SnapshotState {
            store,
            resources,
            snapshot: ArcSwap::from_pointee(snapshot),
            fresh_since: AtomicTimestamp::new(now),
            confirmed_at: AtomicTimestamp::new(now),
            thread,
        };
        Self {
            state: Arc::new(state),
            latest: Mutex::default(),
        }
    }

    /// Start of the last refresh that found the snapshot current.
    pub(super) fn confirmed_at(&self) -> Timestamp {
        self.state.confirmed_at.load(Ordering::Relaxed)
    }

    /// Whether the snapshot needs no refresh. Setting the clock back causes a refresh.
    pub(super) fn is_fresh(&self, now: Timestamp) -> bool {
        now.is_within(FRESH_FOR, self.state.fresh_since.load(Ordering::Acquire))
    }

    /// Starts a refresh, or waits for the one in flight. After a failed refresh the next one starts
    /// a second later.
    pub(super) async fn refresh(&self, now: Timestamp) -> RefreshOutcome {
        match self.flight(now).wait().await {
            Some(Ok(())) => RefreshOutcome::Fresh,
            Some(Err(error)) => RefreshOutcome::Failed(error),
            None => RefreshOutcome::TimedOut,
        }
    }

    /// Whether a refresh in flight is past the version check and loads changes.
    pub(super) fn is_loading(&self) -> bool {
        self.latest().as_ref().is_some_and(|refresh| {
            refresh.is_loading.load(Ordering::Relaxed) && refresh.flight.is_pending()
        })
    }

    /// Makes the next read refresh.
    pub(super) fn invalidate(&self) {
        self.state.fresh_since.store(NEVER, Ordering::Release);
        self.latest().take();
    }

    fn flight(&self, now: Timestamp) -> Arc<SingleFlight<Result<(), Arc<StorageError>>>> {
        let mut latest = self.latest();
        if let Some(refresh) = &*latest {
            let is_under_way = refresh.flight.is_pending();
            let failed = matches!(refresh.flight.result(), Some(None | Some(Err(_))));
            let timeout = if refresh.is_loading.load(Ordering::Relaxed) {
                LOAD_TIMEOUT
            } else {
                VERSION_TIMEOUT
            };
            if (is_under_way && now.is_within(timeout, refresh.started_at))
                || (failed && now.is_within(FRESH_FOR, refresh.started_at))
            {
                return Arc::clone(&refresh.flight);
            }
            refresh.flight.cancel();
        }
        let (state, is_loading) = (Arc::clone(&self.state), Arc::<AtomicBool>::default());
        let loading = Arc::clone(&is_loading);
        let flight = SingleFlight::new(async move {
            let caught_up = catch_panic(state.catch_up(now, &loading)).await;
            caught_up
                .unwrap_or_else(|| Err(StorageError::failed("the directory", "the store panicked")))
                .map_err(Arc::new)
        });
        *latest = Some(Refresh {
            started_at: now,
            is_loading,
            flight: Arc::clone(&flight),
        });
        flight
    }

    fn latest(&self) -> MutexGuard<'_, Option<Refresh>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SnapshotState {
    /// Queries the store's version and loads what other processes have written. `now` is the start
    /// of the refresh; `is_loading` is set once the version is known.
    pub(super) async fn catch_up(
        &self,
        now: Timestamp,
        is_loading: &AtomicBool,
    ) -> Result<(), StorageError> {
        // Load the snapshot first. Then a snapshot that is ahead of the version means that the
        // database was restored from a backup.
        let before = self.snapshot.load_full();
        let current = self.store.directory_version().await?;
        is_loading.store(true, Ordering::Relaxed);
        if before.version() != current {
            let next = self.load_next(&before).await?;
            self.install(&before, next);
            self.catch_up_to(current).await?;
        }
        self.confirmed_at.store(now, Ordering::Relaxed);
        self.fresh_since.store(now, Ordering::Release);
        Ok(())
    }

    /// Loads changes until the snapshot knows this version. Another task may have installed its own
    /// snapshot in between.
    async fn catch_up_to(&self, version: DatasetVersion) -> Result<(), StorageError> {
        for _ in 0..MAX_ATTEMPTS {
            let before = self.snapshot.load_full();
            if before.knows(version) {
                return Ok(());
            }
            let next = self.load_next(&before).await?;
            self.install(&before, next);
        }
        Err(StorageError::unavailable(
            "the directory",
            "it was replaced repeatedly while it was loaded",
        ))
    }

    async fn load_next(&self, before: &Arc<Snapshot>) -> Result<Snapshot, StorageError> {
        match self.store.directory_changes(before.version()).await? {
            Some(rows) => {
                let before = Arc::clone(before);
                self.run_blocking(move || before.with_changes(rows)).await
            }
            None => self.load_all().await,
        }
    }

    async fn load_all(&self) -> Result<Snapshot, StorageError> {
        let rows = self.store.load_directory().await?;
        let resources = Arc::clone(&self.resources);
        self.run_blocking(move || Snapshot::from_rows(rows, &resources))
            .await
    }

    /// Runs work that may take long, outside the async workers.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StorageError> {
        match &self.thread {
            Some(thread) => run_on(thread, work).await,
            None => Ok(work()),
        }
    }

    /// Replaces the snapshot `before` by `next`, unless another task has replaced it.
    pub(super) fn install(&self, before: &Arc<Snapshot>, next: Snapshot) {
        self.snapshot.compare_and_swap(before, Arc::new(next));
    }
}

/// The thread that builds snapshots, so that no async worker is blocked.
pub(super) const fn directory_thread() -> ThreadPool {
    ThreadPool::new("lyceum-directory", 1)
}

/// Runs `work` on the thread.
///
/// # Errors
/// When `work` panics.
pub(super) async fn run_on<T: Send + 'static>(
    thread: &ThreadPool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StorageError> {
    thread
        .run(work)
        .await
        .ok_or_else(|| StorageError::failed("the directory", "its thread panicked"))
}
