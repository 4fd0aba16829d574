use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;

use super::school::SchoolResources;
use super::snapshot::Snapshot;
use crate::flight::Flight;
use crate::panics::unless_it_panics;
use crate::store::{DatasetVersion, DirectoryStore, StorageError};
use crate::threads::Threads;

/// For how long a snapshot counts as present after the store was asked, in microseconds.
pub(super) const FRESH: i64 = 1_000_000;

/// How long the store may take to tell its version, in microseconds. The library has no timer, so the first request after it abandons the look
/// and begins another.
const TIMEOUT: i64 = 5_000_000;

/// How long a look may take in all, in microseconds. A million records take some ten seconds to read.
const READING_TIMEOUT: i64 = 60_000_000;

/// Stands for a moment that is always too long ago.
pub(super) const NEVER: i64 = i64::MIN / 2;

/// How often a snapshot is read in a row.
const TRIES: usize = 4;

/// The present snapshot, and when the store was last asked whether it still is.
pub(super) struct Looks {
    pub(super) state: Arc<State>,
    last: Mutex<Option<Look>>,
}

pub(super) struct State {
    pub(super) store: Arc<dyn DirectoryStore>,
    pub(super) resources: Arc<SchoolResources>,
    pub(super) snapshot: ArcSwap<Snapshot>,
    /// When the last look began that found the snapshot to be the present one, or [`NEVER`] to make the next reader look.
    seen_at: AtomicI64,
    /// When the last look began that found the snapshot to be the present one.
    confirmed_at: AtomicI64,
    /// What takes long is done there; `None` where a test chooses the order of steps and has to see the same order again.
    thread: Option<Threads>,
}

/// A look at the store's version, under way or done, shared by all requests that wait for it.
struct Look {
    begun: i64,
    /// Whether the store has told its version, and what changed is read.
    is_reading: Arc<AtomicBool>,
    flight: Arc<Flight<Result<(), Arc<StorageError>>>>,
}

/// What a look found.
pub(super) enum Looked {
    /// The snapshot is the present one.
    Fresh,
    /// The store could not be asked.
    Failed(Arc<StorageError>),
    /// The store did not answer in time.
    TimedOut,
}

impl Looks {
    pub(super) fn new(
        store: Arc<dyn DirectoryStore>,
        resources: Arc<SchoolResources>,
        snapshot: Snapshot,
        now: i64,
        thread: Option<Threads>,
    ) -> Self {
        let state = State {
            store,
            resources,
            snapshot: ArcSwap::from_pointee(snapshot),
            seen_at: AtomicI64::new(now),
            confirmed_at: AtomicI64::new(now),
            thread,
        };
        Self { state: Arc::new(state), last: Mutex::default() }
    }

    /// When the last look began that found the snapshot to be the present one.
    pub(super) fn confirmed_at(&self) -> i64 {
        self.state.confirmed_at.load(Ordering::Relaxed)
    }

    /// Whether the snapshot needs no look. A clock that was set back makes it look.
    pub(super) fn is_fresh(&self, now: i64) -> bool {
        (0..FRESH).contains(&now.saturating_sub(self.state.seen_at.load(Ordering::Acquire)))
    }

    /// Looks, or waits for the look that is under way. After a look that failed, the next one begins a second later.
    pub(super) async fn look(&self, now: i64) -> Looked {
        match self.flight(now).outcome().await {
            Some(Ok(())) => Looked::Fresh,
            Some(Err(error)) => Looked::Failed(error),
            None => Looked::TimedOut,
        }
    }

    /// Whether a look has found another version and reads it.
    pub(super) fn is_reading(&self) -> bool {
        self.last().as_ref().is_some_and(|look| look.is_reading.load(Ordering::Relaxed) && look.flight.is_under_way())
    }

    /// Makes the next reader look.
    pub(super) fn forget(&self) {
        self.state.seen_at.store(NEVER, Ordering::Release);
        self.last().take();
    }

    fn flight(&self, now: i64) -> Arc<Flight<Result<(), Arc<StorageError>>>> {
        let mut last = self.last();
        if let Some(look) = &*last {
            let age = now.saturating_sub(look.begun);
            let is_under_way = look.flight.is_under_way();
            let failed = matches!(look.flight.result(), Some(None | Some(Err(_))));
            let timeout = if look.is_reading.load(Ordering::Relaxed) { READING_TIMEOUT } else { TIMEOUT };
            if (is_under_way && (0..timeout).contains(&age)) || (failed && (0..FRESH).contains(&age)) {
                return Arc::clone(&look.flight);
            }
            look.flight.abandon();
        }
        let (state, is_reading) = (Arc::clone(&self.state), Arc::<AtomicBool>::default());
        let reads = Arc::clone(&is_reading);
        let flight = Flight::new(async move {
            let caught_up = unless_it_panics(state.catch_up(now, &reads)).await;
            caught_up.unwrap_or_else(|| Err(StorageError::failed("the directory", "the store panicked"))).map_err(Arc::new)
        });
        *last = Some(Look { begun: now, is_reading, flight: Arc::clone(&flight) });
        flight
    }

    fn last(&self) -> MutexGuard<'_, Option<Look>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Asks the store for its version, and takes over what others wrote until then. `now` is when the look began; `is_reading` is
    /// set once the store has answered.
    pub(super) async fn catch_up(&self, now: i64, is_reading: &AtomicBool) -> Result<(), StorageError> {
        // In this order: a snapshot that is ahead of the version asked for after it is of a database that was replaced by its backup.
        let before = self.snapshot.load_full();
        let present = self.store.directory_version().await?;
        is_reading.store(true, Ordering::Relaxed);
        if before.version() != present {
            let next = self.next(&before).await?;
            self.install(&before, next);
            self.reach(present).await?;
        }
        self.confirmed_at.store(now, Ordering::Relaxed);
        self.seen_at.store(now, Ordering::Release);
        Ok(())
    }

    /// Reads on until the snapshot is at this version or after it. Another snapshot may have come in between, which another task read.
    async fn reach(&self, version: DatasetVersion) -> Result<(), StorageError> {
        for _ in 0..TRIES {
            let before = self.snapshot.load_full();
            if before.knows(version) {
                return Ok(());
            }
            let next = self.next(&before).await?;
            self.install(&before, next);
        }
        Err(StorageError::unavailable("the directory", "it was replaced again and again while it was read"))
    }

    async fn next(&self, before: &Arc<Snapshot>) -> Result<Snapshot, StorageError> {
        match self.store.directory_changes(before.version()).await? {
            Some(rows) => {
                let before = Arc::clone(before);
                self.work(move || before.after(rows)).await
            }
            None => self.loaded().await,
        }
    }

    async fn loaded(&self) -> Result<Snapshot, StorageError> {
        let rows = self.store.load_directory().await?;
        let resources = Arc::clone(&self.resources);
        self.work(move || Snapshot::loaded(rows, &resources)).await
    }

    /// Does work that may take long, away from the async workers.
    pub(super) async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, StorageError> {
        match &self.thread {
            Some(thread) => off_thread(thread, work).await,
            None => Ok(work()),
        }
    }

    /// Puts `next` in the place of `before`, unless somebody else has put another one there.
    pub(super) fn install(&self, before: &Arc<Snapshot>, next: Snapshot) {
        self.snapshot.compare_and_swap(before, Arc::new(next));
    }
}

/// A thread on which a directory is laid out, so that no async worker is held up.
pub(super) const fn thread() -> Threads {
    Threads::new("lyceum-directory", 1)
}

/// Does `work` on the thread.
///
/// # Errors
/// When the work panicked.
pub(super) async fn off_thread<T: Send + 'static>(thread: &Threads, work: impl FnOnce() -> T + Send + 'static) -> Result<T, StorageError> {
    thread.run(work).await.ok_or_else(|| StorageError::failed("the directory", "its thread panicked"))
}
