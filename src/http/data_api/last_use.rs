//! How often keys are used and when they last were: collected in memory, and written in batches behind the requests.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::domain::{ApiKeyId, Date, KeyUse, Timestamp};
use crate::flight::Flight;
use crate::http::shards::Shards;
use crate::http::unless_it_panics;
use crate::store::{ApiKeyStore, StorageError};

/// How old a batch becomes, and how many keys are in it before it is written. A write that takes longer than that is given up.
const OLD: Duration = Duration::from_secs(60);
const LARGE: usize = 1_000;

/// How many keys are counted while a store does not write: no more come in, and those that are there go on counting.
const MOST: usize = 2 * LARGE;

/// The moment of a batch in which there is nothing.
const NONE: i64 = i64::MAX;

type Uses = HashMap<(ApiKeyId, Date), KeyUse>;
type Write = Flight<Result<(), Arc<StorageError>>>;

/// What is not written yet, and the write that is under way.
pub(super) struct LastUses {
    store: Arc<dyn ApiKeyStore>,
    uses: Shards<Uses>,
    kept: AtomicUsize,
    /// When the first of these was, or the last write failed, in seconds since the epoch.
    since: AtomicI64,
    /// Whether a write may be under way, for requests to see without a lock.
    is_writing: AtomicBool,
    writing: Mutex<Writing>,
}

#[derive(Default)]
struct Writing {
    current: Option<(Timestamp, Arc<Write>)>,
    /// The futures that [`LastUses::run`] has given out, and how to wake the last one.
    runs: usize,
    waker: Option<Waker>,
}

impl LastUses {
    pub(super) fn new(store: Arc<dyn ApiKeyStore>) -> Arc<Self> {
        let (kept, since) = (AtomicUsize::new(0), AtomicI64::new(NONE));
        Arc::new(Self { store, uses: Shards::default(), kept, since, is_writing: AtomicBool::new(false), writing: Mutex::default() })
    }

    /// Takes down that a key is used, and has the batch written if it is due. It never waits: the write goes on in [`run`](Self::run), or where
    /// nobody runs that, a step with each request. A write that fails fails no request: it is tried again with the next batch.
    pub(super) fn note(self: &Arc<Self>, key: ApiKeyId, today: Date, now: Timestamp) {
        self.add(KeyUse { key, day: today, calls: 1, last_used_at: now });
        self.since.fetch_min(now.seconds(), Ordering::SeqCst);
        let is_writing = self.is_writing.load(Ordering::SeqCst);
        if is_writing {
            self.give_up_late(now);
        }
        let since = self.since.load(Ordering::SeqCst);
        if now >= Timestamp::from_seconds(since).plus(OLD) || self.kept.load(Ordering::SeqCst) >= LARGE {
            self.begin(now);
            self.step();
        } else if is_writing {
            self.step();
        }
    }

    /// Drives the writes on for as long as it is polled.
    pub(super) async fn run(self: Arc<Self>) {
        let running = Running::new(self);
        loop {
            let write = poll_fn(|context| running.0.next(context)).await;
            write.outcome().await;
            running.0.has_ended(&write);
        }
    }

    /// Writes all that is not written.
    ///
    /// # Errors
    /// When the store could not. What is not written is kept, as far as there is room.
    pub(super) async fn flush(self: &Arc<Self>, now: Timestamp) -> Result<(), StorageError> {
        loop {
            let before = self.writing().current.as_ref().map(|(_, write)| Arc::clone(write));
            if let Some(before) = before {
                before.outcome().await;
                self.has_ended(&before);
            }
            if let Some(last) = self.begin(now) {
                let outcome = last.outcome().await;
                self.has_ended(&last);
                return outcome.unwrap_or(Ok(())).map_err(not_written);
            }
            // A request may have begun the next one.
            if self.writing().current.is_none() {
                return Ok(());
            }
        }
    }

    fn add(&self, used: KeyUse) {
        let mut uses = self.uses.of(&used.key);
        if let Some(sum) = uses.get_mut(&(used.key, used.day)) {
            sum.calls = sum.calls.saturating_add(used.calls);
            sum.last_used_at = sum.last_used_at.max(used.last_used_at);
        } else if self.kept.load(Ordering::SeqCst) < MOST {
            uses.insert((used.key, used.day), used);
            self.kept.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Gives up a write that takes too long. What it had comes back.
    fn give_up_late(&self, now: Timestamp) {
        let is_late = |begun: Timestamp| now < begun || begun.plus(OLD) <= now;
        // Not under the lock, which is not for what comes back.
        let late = self.writing().current.take_if(|(begun, _)| is_late(*begun));
        if let Some((_, late)) = late {
            late.abandon();
        }
    }

    /// Begins to write what there is, unless a write is under way.
    fn begin(self: &Arc<Self>, now: Timestamp) -> Option<Arc<Write>> {
        let mut writing = self.writing();
        if writing.current.is_some() {
            return None;
        }
        self.since.store(NONE, Ordering::SeqCst);
        let mut uses = Uses::new();
        for mut part in self.uses.all() {
            self.kept.fetch_sub(part.len(), Ordering::SeqCst);
            uses.extend(part.drain());
        }
        if uses.is_empty() {
            return None;
        }
        let (store, mut batch) = (Arc::clone(&self.store), Batch { uses, back_to: Arc::downgrade(self), now });
        let write = Flight::new(async move {
            let uses = batch.uses.values().copied().collect();
            let outcome = unless_it_panics(store.touch_api_keys(uses)).await;
            match outcome.unwrap_or_else(|| Err(StorageError::failed("the last uses of API keys could not be written", "it panicked"))) {
                Ok(()) => {
                    batch.uses.clear();
                    Ok(())
                }
                Err(error) => {
                    tracing::warn!(target: "lyceum::data", %error, "the last use of API keys could not be written");
                    Err(Arc::new(error))
                }
            }
        });
        writing.current = Some((now, Arc::clone(&write)));
        self.is_writing.store(true, Ordering::SeqCst);
        if let Some(waker) = writing.waker.take() {
            waker.wake();
        }
        Some(write)
    }

    /// Polls the write that is under way once, if nobody else does.
    fn step(&self) {
        let write = {
            let writing = self.writing();
            match &writing.current {
                Some((_, write)) if writing.runs == 0 => Arc::clone(write),
                _ => return,
            }
        };
        if pin!(write.outcome()).poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            self.has_ended(&write);
        }
    }

    /// The write that is under way, as soon as one is.
    fn next(&self, context: &Context<'_>) -> Poll<Arc<Write>> {
        let mut writing = self.writing();
        writing.waker = Some(context.waker().clone());
        match &writing.current {
            Some((_, write)) => Poll::Ready(Arc::clone(write)),
            None => Poll::Pending,
        }
    }

    fn has_ended(&self, write: &Arc<Write>) {
        let mut writing = self.writing();
        writing.current.take_if(|(_, current)| Arc::ptr_eq(current, write));
        self.is_writing.store(writing.current.is_some(), Ordering::SeqCst);
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_written(error: Arc<StorageError>) -> StorageError {
    if error.is_unavailable() {
        return StorageError::unavailable("the last uses of API keys cannot be written", error);
    }
    StorageError::failed("the last uses of API keys could not be written", error)
}

/// Somebody who drives writes on, until this is dropped.
struct Running(Arc<LastUses>);

impl Running {
    fn new(uses: Arc<LastUses>) -> Self {
        uses.writing().runs += 1;
        Self(uses)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.writing().runs -= 1;
    }
}

/// A batch on its way. What is not written in the end goes back: a use may so be counted twice, when the store had written it and could not say
/// so, but the last use is never lost.
struct Batch {
    uses: Uses,
    /// Weak, because what it goes back to owns the write.
    back_to: Weak<LastUses>,
    now: Timestamp,
}

impl Drop for Batch {
    fn drop(&mut self) {
        let Some(back_to) = self.back_to.upgrade().filter(|_| !self.uses.is_empty()) else { return };
        // Half of the room stays free, so that a store that fails is not asked at every request.
        let room = (LARGE / 2).saturating_sub(back_to.kept.load(Ordering::SeqCst));
        for (_, used) in self.uses.drain().take(room) {
            back_to.add(used);
        }
        back_to.since.fetch_min(self.now.seconds(), Ordering::SeqCst);
    }
}
