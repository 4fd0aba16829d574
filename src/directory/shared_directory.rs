use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::Mutex;

use super::freshness::Freshness;
use super::school::SchoolResources;
use super::snapshot::Snapshot;
use super::snapshot_refresh::{FRESH_FOR, RefreshOutcome, Refresher};
use crate::circuit_breaker::CircuitBreaker;
use crate::clock::{AtomicTimestamp, Clock};
use crate::crypto::Entropy;
use crate::domain::{DataKind, Timestamp};
use crate::metrics::Gauges;
use crate::store::{DatasetVersion, DirectoryStore, SchoolHistoryStore, StorageError};

/// Pause of [`Directory::keep_fresh`] between two refreshes.
const REFRESH_INTERVAL: Duration = Duration::from_millis(500);

/// The school's records: one [`Snapshot`] in memory that serves every list, over any
/// [`DirectoryStore`].
///
/// Clones share the snapshot: pass the same directory to [`DataApi`](crate::DataApi),
/// [`AuthServer`](crate::AuthServer) and the console. Every clone sees a write through any of them
/// at once; writes of other processes become visible within a second. Reads take no lock and query
/// the store's version at most once a second.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::directory::Directory;
/// use lyceum::store::memory::MemoryStore;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let directory = Directory::open(Arc::new(MemoryStore::new())).await?;
/// assert_eq!(directory.snapshot().await?.version().number, 0);
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Directory(pub(super) Arc<DirectoryState>);

pub(super) struct DirectoryState {
    pub(super) refresher: Refresher,
    /// The same store, if it keeps the history of enrollments that end.
    pub(super) history: Option<Arc<dyn SchoolHistoryStore>>,
    /// Serializes the writes of this process.
    pub(super) write_lock: Mutex<()>,
    /// When the store was last queried for a version that it does not have.
    pub(super) unknown_version_queried_at: AtomicTimestamp,
    pub(super) circuit_breaker: CircuitBreaker,
    /// Number of [`Directory::keep_fresh`] futures being polled.
    pub(super) keep_fresh_tasks: AtomicUsize,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) outage_tolerance: Duration,
    pub(super) max_records: usize,
    pub(super) age_gauge: Gauges<0>,
    pub(super) freshness: Freshness,
}

impl Directory {
    /// Loads the directory from its store, with the default options.
    ///
    /// # Errors
    /// When the store does not respond, or its data is damaged.
    pub async fn open(store: Arc<dyn DirectoryStore>) -> Result<Self, StorageError> {
        Self::builder(store).open().await
    }

    /// Returns the current snapshot.
    ///
    /// If the store's version was last checked more than a second ago, it is checked first; all
    /// callers share one check. A caller does not wait while the store is known to be unavailable,
    /// nor while [`keep_fresh`](Self::keep_fresh) loads what another process wrote.
    ///
    /// # Errors
    /// When the store has not responded for longer than the [outage
    /// tolerance](super::DirectoryBuilder::outage_tolerance).
    pub async fn snapshot(&self) -> Result<Arc<Snapshot>, StorageError> {
        let now = self.now();
        let is_usable = self.0.refresher.is_fresh(now)
            || (self.is_within_outage_tolerance(now) && self.is_refreshed_elsewhere(now));
        if !is_usable {
            match self.refresh(now).await {
                Err(_) if self.is_within_outage_tolerance(self.now()) => {}
                outcome => outcome?,
            }
        }
        Ok(self.cached_snapshot())
    }

    /// Whether a caller can use the cached snapshot without waiting for a refresh: `keep_fresh` is
    /// loading one, or the circuit breaker is open.
    fn is_refreshed_elsewhere(&self, now: Timestamp) -> bool {
        (self.0.keep_fresh_tasks.load(Ordering::Relaxed) > 0 && self.0.refresher.is_loading())
            || self.0.circuit_breaker.is_open(now)
    }

    /// Checks that the store is available: it has responded within the last second, or does so now.
    ///
    /// # Errors
    /// When the store does not respond.
    pub async fn check(&self) -> Result<(), StorageError> {
        let now = self.now();
        if self.0.refresher.is_fresh(now) {
            Ok(())
        } else {
            self.refresh(now).await
        }
    }

    /// Time since the store last confirmed that the snapshot is current.
    pub fn age(&self) -> Duration {
        self.now().since(self.0.refresher.confirmed_at())
    }

    /// Returns when each kind of records was last confirmed to be current, by a sync or an import,
    /// as the store had it some seconds ago. Kinds that never were are absent, and all of them
    /// without a [store](super::DirectoryBuilder::freshness) that knows.
    pub fn data_as_of(&self) -> Arc<Vec<(DataKind, Timestamp)>> {
        self.0.freshness.known()
    }

    /// Stores that every record of a kind is current now, as an import of all records says. Does
    /// nothing without a [store](super::DirectoryBuilder::freshness).
    ///
    /// # Errors
    /// When the store does not respond.
    pub async fn confirm_data(&self, kind: DataKind) -> Result<(), StorageError> {
        self.0.freshness.confirm(kind, self.now()).await
    }

    /// Whether there is a [store](super::DirectoryBuilder::freshness) that knows when each kind of
    /// records was last current.
    #[cfg(all(feature = "console", feature = "import"))]
    pub(crate) fn keeps_freshness(&self) -> bool {
        self.0.freshness.is_stored()
    }

    /// Time since each kind of records was last confirmed to be current.
    pub(crate) fn data_ages(&self) -> Vec<(DataKind, Duration)> {
        let (now, known) = (self.now(), self.0.freshness.known());
        let age = |(kind, as_of): &(DataKind, Timestamp)| (*kind, now.since(*as_of));
        known.iter().map(age).collect()
    }

    /// Returns a snapshot for a client that has seen `version`, in an entity tag or a cursor. If
    /// this process does not know the version, it queries the store, because another process may
    /// have written it. For versions that do not exist the store is queried at most twice a second.
    ///
    /// # Errors
    /// As [`snapshot`](Self::snapshot). Also when `version` is newer than the snapshot and the
    /// store could not be queried: it is unavailable, or it was queried for a nonexistent version
    /// less than a second ago.
    pub async fn snapshot_after(
        &self,
        version: DatasetVersion,
    ) -> Result<Arc<Snapshot>, StorageError> {
        let snapshot = self.snapshot().await?;
        if snapshot.knows(version) {
            return Ok(snapshot);
        }
        let now = self.now();
        let queried_at = self.0.unknown_version_queried_at.load(Ordering::Relaxed);
        let mut is_confirmed =
            !now.is_within(FRESH_FOR, queried_at) && !self.0.circuit_breaker.is_open(now);
        if is_confirmed {
            // The first refresh may have begun before the version was written.
            for _ in 0..2 {
                is_confirmed = self.refresh(now).await.is_ok();
                let snapshot = self.cached_snapshot();
                if snapshot.knows(version) {
                    return Ok(snapshot);
                }
            }
            self.0
                .unknown_version_queried_at
                .store(now, Ordering::Relaxed);
        }
        let snapshot = self.cached_snapshot();
        let current = snapshot.version();
        if !is_confirmed && version.lineage == current.lineage && version.number > current.number {
            return Err(StorageError::unavailable(
                "the directory",
                "the store was not queried for this version",
            ));
        }
        Ok(snapshot)
    }

    /// Refreshes the snapshot twice a second, so that no request waits for the store. `pause`
    /// sleeps for the given time, like `tokio::time::sleep`. Spawn the future beside the services.
    /// It ends after the last clone of the directory is dropped.
    ///
    /// ```no_run
    /// # async fn run(directory: lyceum::directory::Directory) {
    /// tokio::spawn(directory.keep_fresh(tokio::time::sleep));
    /// # }
    /// ```
    pub fn keep_fresh<P: Future<Output = ()> + Send>(
        &self,
        mut pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let shared = Arc::downgrade(&self.0);
        async move {
            let _guard = KeepFreshGuard::new(Weak::clone(&shared));
            while let Some(directory) = shared.upgrade().map(Self) {
                // Callers of `snapshot` report a failure, and the next refresh may succeed.
                let _ = directory.refresh(directory.now()).await;
                drop(directory);
                pause(REFRESH_INTERVAL).await;
            }
        }
    }

    /// Returns a random number, such as for the name of this process.
    #[cfg(feature = "neis")]
    pub(crate) fn random_number(&self) -> u128 {
        u128::from_ne_bytes(self.0.entropy.bytes())
    }

    /// Definitions of the school's lists.
    pub(crate) fn resources(&self) -> &SchoolResources {
        &self.0.refresher.state.resources
    }

    /// Refreshes the snapshot and records its age.
    async fn refresh(&self, now: Timestamp) -> Result<(), StorageError> {
        let outcome = self.0.refresher.refresh(now).await;
        self.0.age_gauge.set([], self.age().as_secs_f64());
        let error = match outcome {
            RefreshOutcome::Fresh => {
                self.0.circuit_breaker.record_success();
                self.0.freshness.refresh(now).await;
                return Ok(());
            }
            RefreshOutcome::Failed(error) => StorageError::shared(&error),
            RefreshOutcome::TimedOut => {
                StorageError::unavailable("the directory", "the store did not respond in time")
            }
        };
        self.0.circuit_breaker.record_failure(self.now());
        Err(error)
    }

    pub(super) fn cached_snapshot(&self) -> Arc<Snapshot> {
        self.0.refresher.state.snapshot.load_full()
    }

    fn is_within_outage_tolerance(&self, now: Timestamp) -> bool {
        now.is_within(self.0.outage_tolerance, self.0.refresher.confirmed_at())
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.precise_now()
    }
}

/// Counts a [`Directory::keep_fresh`] future from its first poll until it is dropped.
struct KeepFreshGuard(Weak<DirectoryState>);

impl KeepFreshGuard {
    fn new(shared: Weak<DirectoryState>) -> Self {
        if let Some(shared) = shared.upgrade() {
            shared.keep_fresh_tasks.fetch_add(1, Ordering::Relaxed);
        }
        Self(shared)
    }
}

impl Drop for KeepFreshGuard {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.keep_fresh_tasks.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Directory")
            .field(&self.cached_snapshot())
            .finish()
    }
}
