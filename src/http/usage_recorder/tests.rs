use std::collections::BTreeMap;
use std::future::pending;
use std::pin::Pin;
use std::task::Wake;

use super::*;
use crate::testing::ManualClock;

const NOW: Timestamp = Timestamp::from_micros(1_790_000_000_000_000);

/// Uses of a thing.
#[derive(Clone, Copy)]
struct Uses {
    of: u8,
    count: u32,
}

#[derive(Default)]
struct Store {
    hangs: AtomicBool,
    fails: AtomicBool,
    writes: AtomicUsize,
    written: Mutex<BTreeMap<u8, u32>>,
}

impl Usage for Uses {
    type Key = u8;
    type Store = Store;

    const NOT_WRITTEN: &'static str = "the uses could not be written";

    fn key(&self) -> u8 {
        self.of
    }

    fn add(&mut self, other: &Self) {
        self.count += other.count;
    }

    async fn write(store: &Store, uses: Vec<Self>) -> Result<(), StorageError> {
        store.writes.fetch_add(1, Ordering::SeqCst);
        poll_fn(|_| match store.hangs.load(Ordering::SeqCst) {
            true => Poll::Pending,
            false => Poll::Ready(()),
        })
        .await;
        if store.fails.load(Ordering::SeqCst) {
            return Err(StorageError::failed("writing", "planted"));
        }
        let mut written = store.written.lock().expect("no test panicked with it");
        for used in uses {
            *written.entry(used.of).or_default() += used.count;
        }
        Ok(())
    }

    fn warn(_: &StorageError) {}
}

#[derive(Default)]
struct WakeCounter(AtomicUsize);

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// A recorder, and what polls it.
struct Process {
    store: Arc<Store>,
    recorder: Arc<UsageRecorder<Uses>>,
    /// Whether the time is over that a page waits.
    is_late: Arc<AtomicBool>,
    wakes: Arc<WakeCounter>,
}

impl Process {
    fn new() -> Self {
        let store = Arc::new(Store::default());
        Self {
            recorder: UsageRecorder::new(Arc::clone(&store)),
            store,
            is_late: Arc::default(),
            wakes: Arc::default(),
        }
    }

    fn uses(&self, of: u8, now: Timestamp) {
        self.recorder.record(Uses { of, count: 1 }, now);
    }

    /// The background task, whose pause of a minute never ends.
    fn background(&self) -> Task {
        let is_late = Arc::clone(&self.is_late);
        let pause = move |time| {
            let is_late = Arc::clone(&is_late);
            async move {
                if time != PAGE_TIMEOUT {
                    pending::<()>().await;
                }
                poll_fn(|_| match is_late.load(Ordering::SeqCst) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                })
                .await;
            }
        };
        let clock = Arc::new(ManualClock::new(NOW));
        let mut background: Task = Box::pin(Arc::clone(&self.recorder).run(clock, pause));
        assert!(!self.poll(&mut background));
        background
    }

    fn page(&self, now: Timestamp) -> Task {
        let recorder = Arc::clone(&self.recorder);
        Box::pin(async move { recorder.flush_for_page(now).await })
    }

    /// Whether a page at this time is shown without a wait.
    fn shows_page(&self, now: Timestamp) -> bool {
        self.poll(&mut self.page(now))
    }

    /// Whether the task has ended.
    fn poll(&self, task: &mut Task) -> bool {
        let waker = Waker::from(Arc::clone(&self.wakes));
        task.as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
    }

    fn writes(&self) -> usize {
        self.store.writes.load(Ordering::SeqCst)
    }

    fn written(&self) -> Vec<(u8, u32)> {
        self.store
            .written
            .lock()
            .expect("no test panicked with it")
            .clone()
            .into_iter()
            .collect()
    }
}

/// Fails if a page hangs with the database, if its write is cut off, or if one is repeated.
#[test]
fn a_page_waits_a_second_for_a_database_that_hangs_and_no_use_is_lost_or_written_twice() {
    let process = Process::new();
    let mut background = process.background();
    process.uses(1, NOW);
    process.store.hangs.store(true, Ordering::SeqCst);
    let mut page = process.page(NOW);
    for _ in 0..3 {
        assert!(!process.poll(&mut page));
        assert!(!process.poll(&mut background));
    }
    process.is_late.store(true, Ordering::SeqCst);
    process.wakes.0.store(0, Ordering::SeqCst);
    assert!(!process.poll(&mut background));
    assert!(process.wakes.0.load(Ordering::SeqCst) > 0);
    assert!(process.poll(&mut page), "it shows what is stored");
    assert_eq!((process.writes(), process.written()), (1, vec![]));

    process.uses(1, NOW);
    process.store.hangs.store(false, Ordering::SeqCst);
    assert!(!process.poll(&mut background));
    assert_eq!(process.written(), [(1, 1)], "the write went on");
    assert!(process.shows_page(NOW.plus(MAX_BATCH_AGE / 2)));
    assert_eq!(process.writes(), 1, "the database may still be slow");
    assert!(process.shows_page(NOW.plus(MAX_BATCH_AGE)));
    assert_eq!((process.writes(), process.written()), (2, vec![(1, 2)]));
    assert!(process.shows_page(NOW.plus(MAX_BATCH_AGE * 2)));
    assert_eq!(process.writes(), 2, "there is nothing to write");
}

/// Fails if each page makes a database that fails fail again.
#[test]
fn after_a_failed_write_no_page_tries_again_within_a_minute() {
    let process = Process::new();
    let _background = process.background();
    process.uses(1, NOW);
    process.store.fails.store(true, Ordering::SeqCst);
    assert!(process.shows_page(NOW));
    process.store.fails.store(false, Ordering::SeqCst);
    for seconds in [0, 1, 59] {
        assert!(process.shows_page(NOW.plus(Duration::from_secs(seconds))));
        assert_eq!((process.writes(), process.written()), (1, vec![]));
    }
    assert!(process.shows_page(NOW.plus(MAX_BATCH_AGE)));
    assert_eq!((process.writes(), process.written()), (2, vec![(1, 1)]));
}

/// Fails if pages queue behind a slow write, of a page or of the task.
#[test]
fn a_page_never_waits_for_a_write_that_is_running() {
    for by_page in [true, false] {
        let process = Process::new();
        let mut background = process.background();
        process.uses(1, NOW);
        process.store.hangs.store(true, Ordering::SeqCst);
        let later = NOW.plus(MAX_BATCH_AGE);
        if by_page {
            let mut page = process.page(later);
            assert!(!process.poll(&mut page));
        } else {
            process.uses(1, later);
        }
        assert!(!process.poll(&mut background));
        for _ in 0..3 {
            process.uses(2, later);
            assert!(process.shows_page(later));
        }
        assert_eq!(process.writes(), 1);
    }
}

/// Fails if a page waits although nothing ends its wait, or if pages leave a write unfinished.
#[test]
fn without_the_background_task_a_page_polls_the_write_and_does_not_wait() {
    let process = Process::new();
    let background = process.background();
    process.uses(1, NOW);
    process.store.hangs.store(true, Ordering::SeqCst);
    let mut page = process.page(NOW);
    assert!(!process.poll(&mut page));
    process.wakes.0.store(0, Ordering::SeqCst);
    drop(background);
    assert!(process.wakes.0.load(Ordering::SeqCst) > 0);
    assert!(
        process.poll(&mut page),
        "the task that ended its wait ended"
    );
    assert!(process.shows_page(NOW));
    process.store.hangs.store(false, Ordering::SeqCst);
    assert!(process.shows_page(NOW));
    assert_eq!((process.writes(), process.written()), (1, vec![(1, 1)]));
    process.uses(1, NOW);
    assert!(process.shows_page(NOW));
    assert_eq!(process.written(), [(1, 2)]);
}
