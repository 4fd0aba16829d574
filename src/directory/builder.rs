use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use tokio::sync::Mutex;

use super::freshness::Freshness;
use super::record_limit::TooManyRecords;
use super::school::{SchoolResources, SchoolSettings};
use super::shared_directory::{Directory, DirectoryState};
use super::snapshot::Snapshot;
use super::snapshot_refresh::{NEVER, Refresher, directory_thread, run_on};
use crate::circuit_breaker::CircuitBreaker;
use crate::clock::{AtomicTimestamp, Clock, SystemClock};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::Major;
use crate::metrics::Gauges;
use crate::metrics::definitions::DIRECTORY_AGE;
use crate::store::{DirectoryStore, SchoolHistoryStore, StorageError, SyncStore};

/// Builder of a [`Directory`]. Every option has a default.
#[must_use]
pub struct DirectoryBuilder {
    store: Arc<dyn DirectoryStore>,
    history: Option<Arc<dyn SchoolHistoryStore>>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    outage_tolerance: Duration,
    max_records: usize,
    settings: SchoolSettings,
    freshness: Option<Arc<dyn SyncStore>>,
}

impl Directory {
    /// Returns a builder for a directory with options.
    pub fn builder(store: Arc<dyn DirectoryStore>) -> DirectoryBuilder {
        DirectoryBuilder {
            store,
            history: None,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            outage_tolerance: Duration::from_secs(5 * 60),
            max_records: usize::MAX,
            settings: SchoolSettings::default(),
            freshness: None,
        }
    }

    /// Returns a builder for a directory that keeps a history: a write that ends enrollments also
    /// stores who was in which class, in the same transition. The turn of the school year needs it.
    pub fn builder_with_history(store: Arc<dyn SchoolHistoryStore>) -> DirectoryBuilder {
        DirectoryBuilder {
            history: Some(Arc::clone(&store)),
            ..Self::builder(store)
        }
    }

    /// Returns a directory that starts with this one's snapshot and uses another handle on the same
    /// data. For tests that load once and follow often.
    #[cfg(feature = "testing")]
    pub(crate) fn fork(&self, store: Arc<dyn DirectoryStore>) -> Self {
        let resources = Arc::clone(&self.0.refresher.state.resources);
        let refresher = Refresher::new(
            store,
            resources,
            Snapshot::clone(&self.cached_snapshot()),
            NEVER,
            None,
        );
        Self(Arc::new(DirectoryState {
            refresher,
            history: None,
            write_lock: Mutex::default(),
            unknown_version_queried_at: AtomicTimestamp::new(NEVER),
            circuit_breaker: CircuitBreaker::default(),
            keep_fresh_tasks: AtomicUsize::new(0),
            clock: Arc::clone(&self.0.clock),
            entropy: Arc::clone(&self.0.entropy),
            outage_tolerance: self.0.outage_tolerance,
            max_records: self.0.max_records,
            age_gauge: Gauges::new(DIRECTORY_AGE),
            freshness: Freshness::new(None),
        }))
    }
}

impl DirectoryBuilder {
    /// Sets the clock; the system's clock by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the random source of [`DatasetVersion::mark`](crate::store::DatasetVersion::mark); the
    /// operating system's generator by default.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Sets how long reads are served from memory while the store does not respond; 5 minutes by
    /// default. With zero, reads fail from the next refresh on, after a second at most.
    pub fn outage_tolerance(mut self, time: Duration) -> Self {
        self.outage_tolerance = time;
        self
    }

    /// Sets the store that knows when each kind of records was last confirmed to be current, by a
    /// sync or an import. Lists of the data API then say so in `X-Data-As-Of`, and so do readiness
    /// and metrics.
    pub fn freshness(mut self, store: Arc<dyn SyncStore>) -> Self {
        self.freshness = Some(store);
        self
    }

    /// Limits the records of all six kinds; unlimited by default. Each process holds them all in
    /// memory, about 2,000 bytes each; docs/operations.md has measurements.
    ///
    /// A directory with more records is not opened, and a write that would grow it past the limit
    /// is refused. Records that other processes write are loaded regardless of the limit.
    pub fn max_records(mut self, max: usize) -> Self {
        self.max_records = max;
        self
    }

    /// Sets the school's grades, within 1–12; 1–3 by default. Writes and query parameters must be
    /// within these bounds. Stored records outside the bounds are still served, and can be written
    /// again with the value they have. The same applies to the other bounds.
    pub fn grades(mut self, grades: RangeInclusive<i32>) -> Self {
        self.settings.grades = grades;
        self
    }

    /// Sets the classes of a grade, within 1–99; 1–4 by default.
    pub fn classes(mut self, classes: RangeInclusive<i32>) -> Self {
        self.settings.classes = classes;
        self
    }

    /// Sets the seat numbers of a class, within 1–99; 1–18 by default.
    pub fn seat_numbers(mut self, numbers: RangeInclusive<i32>) -> Self {
        self.settings.seat_numbers = numbers;
        self
    }

    /// Sets the school's majors in their order; those of spec 2.18 by default. The console shows a
    /// major without a text of its own by its name.
    pub fn majors(mut self, majors: impl IntoIterator<Item = Major>) -> Self {
        self.settings.majors = super::school::major_values(&majors.into_iter().collect::<Vec<_>>());
        self
    }

    /// Loads the directory from its store.
    ///
    /// # Errors
    /// When the bounds are invalid, the store does not respond, its data is damaged, or there are
    /// more than [`max_records`](Self::max_records); the source of that error is
    /// [`TooManyRecords`].
    pub async fn open(self) -> Result<Directory, StorageError> {
        let resources = Arc::new(SchoolResources::new(&self.settings.validated()?));
        let now = self.clock.precise_now();
        let rows = self.store.load_directory().await?;
        let (records, max) = (rows.record_count(), self.max_records);
        if records > max {
            return Err(StorageError::failed(
                "the directory cannot be opened",
                TooManyRecords { records, max },
            ));
        }
        let thread = directory_thread();
        let snapshot = run_on(&thread, {
            let resources = Arc::clone(&resources);
            move || Snapshot::from_rows(rows, &resources)
        })
        .await?;
        let freshness = Freshness::new(self.freshness);
        freshness.refresh(now).await;
        Ok(Directory(Arc::new(DirectoryState {
            refresher: Refresher::new(self.store, resources, snapshot, now, Some(thread)),
            history: self.history,
            write_lock: Mutex::default(),
            unknown_version_queried_at: AtomicTimestamp::new(NEVER),
            circuit_breaker: CircuitBreaker::default(),
            keep_fresh_tasks: AtomicUsize::new(0),
            clock: self.clock,
            entropy: self.entropy,
            outage_tolerance: self.outage_tolerance,
            max_records: self.max_records,
            age_gauge: Gauges::new(DIRECTORY_AGE),
            freshness,
        })))
    }
}

impl fmt::Debug for DirectoryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirectoryBuilder").finish_non_exhaustive()
    }
}
