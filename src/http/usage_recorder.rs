//! Usage of API keys and client secrets, collected in memory and written in batches in the
//! background.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::hash::Hash;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::clock::{AtomicTimestamp, Clock};
use crate::domain::Timestamp;
use crate::http::catch_panic;
use crate::http::sharded_mutex::ShardedMutex;
use crate::single_flight::SingleFlight;
use crate::store::StorageError;

/// Age and number of rows at which a batch is written. A write that takes longer than this age is
/// abandoned.
const MAX_BATCH_AGE: Duration = Duration::from_secs(60);
const BATCH_SIZE: usize = 1_000;

/// Time that a page waits for the write that it started. The write then goes on without it.
const PAGE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum number of rows collected while the store fails. Further rows are dropped; uses still
/// add to those already collected.
const MAX_BUFFERED: usize = 2 * BATCH_SIZE;

/// Value of `oldest` for an empty batch.
const EMPTY: Timestamp = Timestamp::MAX;

type Uses<U> = HashMap<<U as Usage>::Key, U>;
type Write = SingleFlight<Result<(), Arc<StorageError>>>;

/// One use, or the sum of several, to be added to what is stored.
pub(crate) trait Usage: Copy + Send + 'static {
    /// Uses with the same key add up to one row.
    type Key: Copy + Eq + Hash + Send;

    /// The store that it is written to.
    type Store: ?Sized + Send + Sync + 'static;

    /// The error of a write that failed.
    const NOT_WRITTEN: &'static str;

    fn key(&self) -> Self::Key;

    /// Adds another use with the same key.
    fn add(&mut self, other: &Self);

    fn write(
        store: &Self::Store,
        uses: Vec<Self>,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;

    /// Logs a failed write. The targets of events are constants, so each kind logs its own.
    fn warn(error: &StorageError);
}

/// Collects usage that is not yet written, and tracks the current write.
pub(crate) struct UsageRecorder<U: Usage> {
    store: Arc<U::Store>,
    uses: ShardedMutex<Uses<U>>,
    buffered: AtomicUsize,
    /// Time of the first use in the batch or of the last failed write.
    oldest: AtomicTimestamp,
    /// Until then pages start no write, because the last one failed or took too long for a page.
    paused_until: AtomicTimestamp,
    /// Whether a write may be running; read by requests without a lock.
    is_writing: AtomicBool,
    writing: Mutex<Writing>,
}

#[derive(Default)]
struct Writing {
    current: Option<Current>,
    /// Number of futures of [`UsageRecorder::run`], and the wakers of those that wait for a write.
    drivers: usize,
    wakers: Vec<Waker>,
}

struct Current {
    begun: Timestamp,
    write: Arc<Write>,
    /// Whether a page waits for it.
    has_page: bool,
}

impl<U: Usage> UsageRecorder<U> {
    pub(crate) fn new(store: Arc<U::Store>) -> Arc<Self> {
        Arc::new(Self {
            store,
            uses: ShardedMutex::default(),
            buffered: AtomicUsize::new(0),
            oldest: AtomicTimestamp::new(EMPTY),
            paused_until: AtomicTimestamp::new(Timestamp::from_micros(0)),
            is_writing: AtomicBool::new(false),
            writing: Mutex::default(),
        })
    }

    /// Records a use, and starts a write if the batch is due. It never waits: [`run`](Self::run)
    /// drives the write and starts one where no further use does, or, without it, each request polls
    /// it once. A failed write does not fail
    /// the request; it is retried with the next batch.
    pub(crate) fn record(self: &Arc<Self>, used: U, now: Timestamp) {
        self.add(used);
        self.oldest.fetch_min(now, Ordering::SeqCst);
        let is_writing = self.is_writing.load(Ordering::SeqCst);
        if is_writing {
            self.abandon_overdue(now);
        }
        if now >= self.oldest.load(Ordering::SeqCst).plus(MAX_BATCH_AGE)
            || self.buffered.load(Ordering::SeqCst) >= BATCH_SIZE
        {
            self.begin_write(now, false);
            self.poll_once();
        } else if is_writing {
            self.poll_once();
        }
    }

    /// Writes what is collected once a minute, and drives all writes, while the returned future is
    /// polled, with a deadline for the pages that wait. It never completes. `pause` sleeps for the
    /// given time.
    pub(crate) async fn run<P: Future<Output = ()>>(
        self: Arc<Self>,
        clock: Arc<dyn Clock>,
        pause: impl FnMut(Duration) -> P,
    ) {
        let pause = Mutex::new(pause);
        let pause = |time| {
            let mut pause = pause.lock().unwrap_or_else(PoisonError::into_inner);
            (*pause)(time)
        };
        let mut starting = pin!(self.start_each_minute(&*clock, pause));
        let mut driving = pin!(self.drive(pause));
        poll_fn(|context| {
            // First, so that this poll also drives the write that it starts. It never completes.
            let _ = starting.as_mut().poll(context);
            driving.as_mut().poll(context)
        })
        .await;
    }

    /// Starts a write each minute. Otherwise the last uses would stay unwritten until the next one,
    /// which may be days later.
    async fn start_each_minute<P: Future<Output = ()>>(
        self: &Arc<Self>,
        clock: &dyn Clock,
        pause: impl Fn(Duration) -> P,
    ) {
        loop {
            pause(MAX_BATCH_AGE).await;
            let now = clock.now();
            self.abandon_overdue(now);
            self.begin_write(now, false);
        }
    }

    async fn drive<P: Future<Output = ()>>(self: &Arc<Self>, pause: impl Fn(Duration) -> P) {
        let driver = Driver::new(Arc::clone(self));
        loop {
            let (write, has_page) = poll_fn(|context| driver.0.poll_current(context)).await;
            let mut ended = pin!(write.wait());
            if has_page {
                let mut deadline = pin!(pause(PAGE_TIMEOUT));
                let is_late = poll_fn(|context| match ended.as_mut().poll(context) {
                    Poll::Ready(_) => Poll::Ready(false),
                    Poll::Pending => deadline.as_mut().poll(context).map(|()| true),
                });
                if is_late.await {
                    driver.0.release_page(&write);
                }
            }
            ended.await;
            driver.0.finish(&write);
        }
    }

    /// Ends the wait of the page that started this write.
    fn release_page(&self, write: &Arc<Write>) {
        let mut writing = self.writing();
        if let Some(current) = &mut writing.current
            && Arc::ptr_eq(&current.write, write)
        {
            current.has_page = false;
            let paused_until = current.begun.plus(MAX_BATCH_AGE);
            self.paused_until.store(paused_until, Ordering::SeqCst);
            drop(writing);
            Waker::from(Arc::clone(write)).wake();
        }
    }

    /// Writes everything that is not yet written.
    ///
    /// # Errors
    /// When the store could not write. The unwritten usage stays buffered, as far as there is room.
    pub(crate) async fn flush(self: &Arc<Self>, now: Timestamp) -> Result<(), StorageError> {
        loop {
            let before = self
                .writing()
                .current
                .as_ref()
                .map(|current| Arc::clone(&current.write));
            if let Some(before) = before {
                before.wait().await;
                self.finish(&before);
            }
            if let Some(last) = self.begin_write(now, false) {
                let outcome = last.wait().await;
                self.finish(&last);
                return outcome.unwrap_or(Ok(())).map_err(write_error::<U>);
            }
            // A request may have started the next write.
            if self.writing().current.is_none() {
                return Ok(());
            }
        }
    }

    /// Writes what is not yet written, for a page that reads it next. A page waits for no write that
    /// is running already, and for its own at most [`PAGE_TIMEOUT`], or for one poll if [`run`](Self::run) is
    /// not being polled. It starts none within a minute after one that failed or was late.
    #[cfg(feature = "console")]
    pub(crate) async fn flush_for_page(self: &Arc<Self>, now: Timestamp) {
        if now < self.paused_until.load(Ordering::SeqCst) {
            return;
        }
        let Some(write) = self.begin_write(now, true) else {
            self.poll_once();
            return;
        };
        let mut ended = pin!(write.wait());
        poll_fn(|context| {
            if ended.as_mut().poll(context).is_ready() {
                self.finish(&write);
                return Poll::Ready(());
            }
            let writing = self.writing();
            match &writing.current {
                Some(current) if current.has_page && writing.drivers > 0 => Poll::Pending,
                _ => Poll::Ready(()),
            }
        })
        .await;
    }

    fn add(&self, used: U) {
        let key = used.key();
        let mut uses = self.uses.lock(&key);
        if let Some(sum) = uses.get_mut(&key) {
            sum.add(&used);
        } else if self.buffered.load(Ordering::SeqCst) < MAX_BUFFERED {
            uses.insert(key, used);
            self.buffered.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Abandons a write that takes too long. Its batch is put back.
    fn abandon_overdue(&self, now: Timestamp) {
        // The lock is released before the cancellation, which puts the batch back.
        let overdue = self
            .writing()
            .current
            .take_if(|current| !now.is_within(MAX_BATCH_AGE, current.begun));
        if let Some(overdue) = overdue {
            overdue.write.cancel();
        }
    }

    /// Starts a write of the collected usage, unless one is running.
    fn begin_write(self: &Arc<Self>, now: Timestamp, has_page: bool) -> Option<Arc<Write>> {
        let mut writing = self.writing();
        if writing.current.is_some() {
            return None;
        }
        self.oldest.store(EMPTY, Ordering::SeqCst);
        let mut uses = Uses::<U>::new();
        for mut part in self.uses.lock_each() {
            self.buffered.fetch_sub(part.len(), Ordering::SeqCst);
            uses.extend(part.drain());
        }
        if uses.is_empty() {
            return None;
        }
        let (store, mut batch) = (
            Arc::clone(&self.store),
            Batch {
                uses,
                recorder: Arc::downgrade(self),
                now,
            },
        );
        let write = SingleFlight::new(async move {
            let uses = batch.uses.values().copied().collect();
            let outcome = catch_panic(U::write(&store, uses)).await;
            match outcome
                .unwrap_or_else(|| Err(StorageError::failed(U::NOT_WRITTEN, "it panicked")))
            {
                Ok(()) => {
                    batch.uses.clear();
                    Ok(())
                }
                Err(error) => {
                    U::warn(&error);
                    Err(Arc::new(error))
                }
            }
        });
        writing.current = Some(Current {
            begun: now,
            write: Arc::clone(&write),
            has_page,
        });
        self.is_writing.store(true, Ordering::SeqCst);
        for waker in writing.wakers.drain(..) {
            waker.wake();
        }
        Some(write)
    }

    /// Polls the current write once, unless a driver does.
    fn poll_once(&self) {
        let write = {
            let writing = self.writing();
            match &writing.current {
                Some(current) if writing.drivers == 0 => Arc::clone(&current.write),
                _ => return,
            }
        };
        if pin!(write.wait())
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready()
        {
            self.finish(&write);
        }
    }

    /// Resolves to the current write as soon as there is one, and to whether a page waits for it.
    fn poll_current(&self, context: &Context<'_>) -> Poll<(Arc<Write>, bool)> {
        let mut writing = self.writing();
        if let Some(current) = &writing.current {
            return Poll::Ready((Arc::clone(&current.write), current.has_page));
        }
        let waker = context.waker();
        if !writing.wakers.iter().any(|known| known.will_wake(waker)) {
            writing.wakers.push(waker.clone());
        }
        Poll::Pending
    }

    fn finish(&self, write: &Arc<Write>) {
        let mut writing = self.writing();
        writing
            .current
            .take_if(|current| Arc::ptr_eq(&current.write, write));
        self.is_writing
            .store(writing.current.is_some(), Ordering::SeqCst);
    }

    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_error<U: Usage>(error: Arc<StorageError>) -> StorageError {
    if error.is_unavailable() {
        return StorageError::unavailable(U::NOT_WRITTEN, error);
    }
    StorageError::failed(U::NOT_WRITTEN, error)
}

/// Marks that a future drives the writes, until it is dropped.
struct Driver<U: Usage>(Arc<UsageRecorder<U>>);

impl<U: Usage> Driver<U> {
    fn new(uses: Arc<UsageRecorder<U>>) -> Self {
        uses.writing().drivers += 1;
        Self(uses)
    }
}

impl<U: Usage> Drop for Driver<U> {
    fn drop(&mut self) {
        let mut writing = self.0.writing();
        writing.drivers -= 1;
        // Without a driver a waiting page has no deadline, so it is woken and goes on.
        if let Some(current) = &writing.current {
            let write = Arc::clone(&current.write);
            drop(writing);
            Waker::from(write).wake();
        }
    }
}

/// A batch that is being written. Its unwritten rest is put back when it is dropped. A use may be
/// counted twice if the store wrote it but failed to confirm; the last use is never lost.
struct Batch<U: Usage> {
    uses: Uses<U>,
    /// Weak, because the recorder owns the write.
    recorder: Weak<UsageRecorder<U>>,
    now: Timestamp,
}

impl<U: Usage> Drop for Batch<U> {
    fn drop(&mut self) {
        let Some(recorder) = self.recorder.upgrade().filter(|_| !self.uses.is_empty()) else {
            return;
        };
        let paused_until = self.now.plus(MAX_BATCH_AGE);
        recorder.paused_until.store(paused_until, Ordering::SeqCst);
        // Half of the buffer stays free, so that a failing store is not written to on every
        // request.
        let free = (BATCH_SIZE / 2).saturating_sub(recorder.buffered.load(Ordering::SeqCst));
        for (_, used) in self.uses.drain().take(free) {
            recorder.add(used);
        }
        recorder.oldest.fetch_min(self.now, Ordering::SeqCst);
    }
}

#[cfg(all(test, feature = "console"))]
mod tests;
