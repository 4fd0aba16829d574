use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use super::*;
use crate::store::sql::executor::Statement;
use crate::store::sql::sqlite::open::open;
use crate::store::sql::transaction_hook::{Phase, TransactionHook};

const LOOKUPS: (ReadKind, SnapshotScope) = (ReadKind::Lookup, SnapshotScope::Transaction);
/// Long enough for the slowest machine.
const LONG: Duration = Duration::from_secs(3600);

/// A pool with one reader for each kind.
fn pool() -> (tempfile::TempDir, PathBuf, Pool) {
    pool_with(LONG)
}

fn pool_with(read_deadline: Duration) -> (tempfile::TempDir, PathBuf, Pool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.db");
    let pool = open(&path, [1, 1], read_deadline).unwrap();
    (folder, path, pool)
}

fn statement(text: &str) -> Statement {
    Statement {
        text: text.to_owned().into(),
        values: Vec::new(),
    }
}

/// Reads the directory's version, an existing value to read and change.
async fn version(tx: &mut dyn Executor) -> Result<i64, StorageError> {
    let mut rows = tx
        .query(statement("SELECT version FROM directory_version"))
        .await?;
    rows.remove(0).integer("version")
}

const GROW: &str = "UPDATE directory_version SET version = version + 1";

#[tokio::test]
async fn a_transition_that_panics_is_an_error_and_the_threads_go_on() {
    let (_folder, _path, pool) = pool();
    assert!(
        pool.write::<()>(OptionalHook::default(), |_| Box::pin(async {
            panic!("as requested")
        }))
        .await
        .is_err()
    );
    assert!(
        pool.read::<()>(OptionalHook::default(), LOOKUPS, |_| Box::pin(async {
            panic!("as requested")
        }))
        .await
        .is_err()
    );
    assert_eq!(
        pool.write(OptionalHook::default(), |tx| Box::pin(async {
            tx.execute(statement(GROW)).await
        }))
        .await
        .unwrap(),
        1
    );
    assert_eq!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap(),
        1
    );
}

#[tokio::test]
async fn a_read_sees_one_state_and_cannot_change_it() {
    let (_folder, path, pool) = pool();
    let versions = pool.read(OptionalHook::default(), LOOKUPS, move |tx| {
        Box::pin(async move {
            let before = version(tx).await?;
            Connection::open(&path)
                .unwrap()
                .execute_batch(GROW)
                .unwrap();
            Ok((before, version(tx).await?))
        })
    });
    assert_eq!(versions.await.unwrap(), (0, 0));
    assert!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(async {
            tx.execute(statement(GROW)).await
        }))
        .await
        .is_err()
    );
    assert_eq!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap(),
        1
    );
}

#[test]
fn a_full_queue_is_unavailable_until_a_waiting_caller_is_dropped() {
    let (_folder, _path, pool) = pool();
    let (started, has_started) = channel();
    let (go_on, may_go_on) = channel();
    let mut context = Context::from_waker(Waker::noop());
    let mut slow = Box::pin(pool.write(OptionalHook::default(), move |_| {
        Box::pin(async move {
            started.send(()).unwrap();
            may_go_on
                .recv()
                .map_err(|error| StorageError::failed("as requested", error))
        })
    }));
    assert!(slow.as_mut().poll(&mut context).is_pending());
    has_started.recv().unwrap();
    let grow = || {
        Box::pin(pool.write(OptionalHook::default(), |tx| {
            Box::pin(async { tx.execute(statement(GROW)).await })
        }))
    };
    let mut waiting: Vec<_> = (0..CAPACITY).map(|_| grow()).collect();
    assert!(
        waiting
            .iter_mut()
            .all(|one| one.as_mut().poll(&mut context).is_pending())
    );
    let Poll::Ready(Err(refused)) = grow().as_mut().poll(&mut context) else {
        panic!("the queue had room for one more")
    };
    assert!(refused.is_unavailable());
    // A job that has not started when its caller goes is never run, and its slot is free.
    waiting.truncate(1);
    let mut last = grow();
    assert!(last.as_mut().poll(&mut context).is_pending());
    // A job that has started runs to its end.
    drop(slow);
    go_on.send(()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    assert_eq!(runtime.block_on(last).unwrap(), 1);
    let done = runtime
        .block_on(pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx))))
        .unwrap();
    assert_eq!(done, 2, "only jobs with a caller are run");
}

/// A query that never ends by itself.
const ENDLESS: &str = "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n) SELECT max(value) AS version FROM n";

#[tokio::test]
async fn a_read_is_interrupted_when_its_caller_is_dropped_and_queued_ones_are_not_begun() {
    let (_folder, _path, pool) = pool();
    let mut context = Context::from_waker(Waker::noop());
    let (begun, has_begun) = channel();
    let mut endless = Box::pin(pool.read(OptionalHook::default(), LOOKUPS, move |tx| {
        Box::pin(async move {
            begun.send(()).unwrap();
            tx.query(statement(ENDLESS)).await.map(drop)
        })
    }));
    assert!(endless.as_mut().poll(&mut context).is_pending());
    has_begun.recv().unwrap();
    let (second, second_ran) = channel();
    let mut given_up = Box::pin(pool.read(OptionalHook::default(), LOOKUPS, move |_| {
        Box::pin(async move {
            second.send(()).unwrap();
            Ok(())
        })
    }));
    assert!(given_up.as_mut().poll(&mut context).is_pending());
    drop((given_up, endless));
    // The only reader runs this job, so it has left both others.
    assert_eq!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap(),
        0
    );
    assert!(
        second_ran.try_recv().is_err(),
        "a read was started for a caller that is gone"
    );
}

#[tokio::test]
async fn a_read_is_unavailable_at_its_deadline_and_its_reader_goes_on() {
    let (_folder, _path, pool) = pool_with(Duration::from_millis(20));
    for _ in 0..2 {
        let late = pool.read(OptionalHook::default(), LOOKUPS, |tx| {
            Box::pin(async { tx.query(statement(ENDLESS)).await.map(drop) })
        });
        assert!(late.await.unwrap_err().is_unavailable());
    }
}

#[tokio::test]
async fn a_read_that_waited_past_its_deadline_is_not_begun() {
    let (_folder, _path, pool) = pool_with(Duration::ZERO);
    let (begun, has_begun) = channel();
    let late = pool.read(OptionalHook::default(), LOOKUPS, move |_| {
        Box::pin(async move {
            begun.send(()).unwrap();
            Ok(())
        })
    });
    assert!(late.await.unwrap_err().is_unavailable());
    assert!(has_begun.try_recv().is_err());
    pool.write(OptionalHook::default(), |tx| {
        Box::pin(async { tx.execute(statement(GROW)).await })
    })
    .await
    .unwrap();
}

/// Fails if reads of the directory have the deadline of other reads.
#[tokio::test]
async fn the_directory_is_read_however_long_it_takes() {
    let (_folder, _path, pool) = pool_with(Duration::ZERO);
    assert!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .is_err()
    );
    assert_eq!(
        pool.read(
            OptionalHook::default(),
            (ReadKind::Directory, SnapshotScope::Transaction),
            |tx| Box::pin(version(tx))
        )
        .await
        .unwrap(),
        0
    );
}

#[tokio::test]
async fn lists_that_never_end_hold_up_no_lookup() {
    let (_folder, _path, pool) = pool();
    let mut context = Context::from_waker(Waker::noop());
    let mut lists: Vec<_> = (0..16)
        .map(|_| {
            Box::pin(pool.read(
                OptionalHook::default(),
                (ReadKind::List, SnapshotScope::Transaction),
                |tx| Box::pin(async { tx.query(statement(ENDLESS)).await.map(drop) }),
            ))
        })
        .collect();
    assert!(
        lists
            .iter_mut()
            .all(|list| list.as_mut().poll(&mut context).is_pending())
    );
    assert_eq!(
        pool.read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap(),
        0
    );
    assert!(
        lists
            .iter_mut()
            .all(|list| list.as_mut().poll(&mut context).is_pending())
    );
}

/// A task that runs on the thread that wakes it, as some executors do when they shut down.
struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    finished: Sender<()>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let mut future = self.future.lock().unwrap_or_else(PoisonError::into_inner);
        let waker = Waker::from(Arc::clone(&self));
        if future.as_mut().is_some_and(|future| {
            future
                .as_mut()
                .poll(&mut Context::from_waker(&waker))
                .is_ready()
        }) {
            *future = None;
            self.finished.send(()).unwrap();
        }
    }
}

#[test]
fn a_pool_can_be_dropped_by_the_thread_that_sends_a_result() {
    let (_folder, _path, pool) = pool();
    let (finished, has_finished) = channel();
    let (go_on, may_go_on) = channel();
    let transition = |may_go_on: Receiver<()>| {
        may_go_on
            .recv()
            .map_err(|error| StorageError::failed("as requested", error))
    };
    let future = async move {
        pool.write(OptionalHook::default(), move |_| {
            Box::pin(async move { transition(may_go_on) })
        })
        .await
        .unwrap()
    };
    Arc::new(Task {
        future: Mutex::new(Some(Box::pin(future))),
        finished,
    })
    .wake();
    // The transition ends only now, so its thread wakes the task.
    go_on.send(()).unwrap();
    has_finished.recv().unwrap();
}

/// Records each step, and simulates a crash before or after the step with its number.
#[derive(Debug)]
struct Witness {
    seen: Mutex<Vec<String>>,
    dies_at: usize,
}

impl Witness {
    fn see(&self, when: &str, phase: Phase) -> Result<(), StorageError> {
        let mut seen = self.seen.lock().unwrap();
        seen.push(format!("{when} {phase:?}"));
        if seen.len() == self.dies_at {
            Err(StorageError::unavailable("died", "as requested"))
        } else {
            Ok(())
        }
    }
}

#[async_trait::async_trait]
impl TransactionHook for Witness {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        // The thread waits for another thread here.
        let (wake, woken) = futures_channel::oneshot::channel();
        std::thread::spawn(move || wake.send(()));
        woken.await.unwrap();
        self.see("before", phase)
    }

    async fn after(&self, phase: Phase) -> Result<(), StorageError> {
        self.see("after", phase)
    }
}

#[tokio::test]
async fn a_hook_sees_every_step_and_can_simulate_a_crash_at_each() {
    let steps = [
        "before Begin",
        "after Begin",
        "before Statement",
        "after Statement",
        "before Commit",
        "after Commit",
    ];
    for dies_at in 1..=steps.len() + 1 {
        let (_folder, _path, pool) = pool();
        let witness = Arc::new(Witness {
            seen: Mutex::default(),
            dies_at,
        });
        let hook = OptionalHook::new(Arc::clone(&witness) as Arc<dyn TransactionHook>);
        let outcome = pool
            .write(hook.clone(), |tx| {
                Box::pin(async { tx.execute(statement(GROW)).await })
            })
            .await;
        assert_eq!(outcome.is_ok(), dies_at > steps.len());
        assert_eq!(
            *witness.seen.lock().unwrap(),
            steps[..dies_at.min(steps.len())]
        );
        let kept = pool
            .read(OptionalHook::default(), LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap();
        assert_eq!(
            kept,
            i64::from(dies_at >= steps.len()),
            "a crash before the commit changes nothing"
        );
        pool.write(OptionalHook::default(), |tx| {
            Box::pin(async { tx.execute(statement(GROW)).await })
        })
        .await
        .unwrap();
    }
}

#[tokio::test]
async fn a_hook_sees_no_commit_of_a_read() {
    let (_folder, _path, pool) = pool();
    let witness = Arc::new(Witness {
        seen: Mutex::default(),
        dies_at: 0,
    });
    let hook = OptionalHook::new(Arc::clone(&witness) as Arc<dyn TransactionHook>);
    assert_eq!(
        pool.read(hook, LOOKUPS, |tx| Box::pin(version(tx)))
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        *witness.seen.lock().unwrap(),
        [
            "before Begin",
            "after Begin",
            "before Statement",
            "after Statement"
        ]
    );
}
