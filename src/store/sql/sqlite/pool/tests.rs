use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use super::*;
use crate::store::sql::executor::Statement;
use crate::store::sql::sqlite::open;
use crate::store::sql::watch::{Step, Watch};

fn pool() -> (tempfile::TempDir, PathBuf, Pool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.db");
    let pool = open(&path, 1).unwrap();
    (folder, path, pool)
}

fn statement(text: &str) -> Statement {
    Statement { text: text.to_owned().into(), values: Vec::new() }
}

/// The version of the directory, as something that is there to be read and changed.
async fn version(tx: &mut dyn Executor) -> Result<i64, StorageError> {
    let mut rows = tx.query(statement("SELECT version FROM directory_version")).await?;
    rows.remove(0).integer("version")
}

const GROW: &str = "UPDATE directory_version SET version = version + 1";

#[tokio::test]
async fn a_transition_that_panics_is_an_error_and_the_threads_go_on() {
    let (_folder, _path, pool) = pool();
    assert!(pool.write::<()>(Watched::default(), |_| Box::pin(async { panic!("as told") })).await.is_err());
    assert!(pool.read::<()>(Watched::default(), |_| Box::pin(async { panic!("as told") })).await.is_err());
    assert_eq!(pool.write(Watched::default(), |tx| Box::pin(async { tx.execute(statement(GROW)).await })).await.unwrap(), 1);
    assert_eq!(pool.read(Watched::default(), |tx| Box::pin(version(tx))).await.unwrap(), 1);
}

#[tokio::test]
async fn what_reads_sees_one_state_and_cannot_change_it() {
    let (_folder, path, pool) = pool();
    let versions = pool.read(Watched::default(), move |tx| {
        Box::pin(async move {
            let before = version(tx).await?;
            Connection::open(&path).unwrap().execute_batch(GROW).unwrap();
            Ok((before, version(tx).await?))
        })
    });
    assert_eq!(versions.await.unwrap(), (0, 0));
    assert!(pool.read(Watched::default(), |tx| Box::pin(async { tx.execute(statement(GROW)).await })).await.is_err());
    assert_eq!(pool.read(Watched::default(), |tx| Box::pin(version(tx))).await.unwrap(), 1);
}

#[test]
fn a_queue_that_is_full_is_unavailable_and_what_waits_in_it_is_still_done() {
    let (_folder, _path, pool) = pool();
    let (started, has_started) = channel();
    let (go_on, may_go_on) = channel();
    let mut context = Context::from_waker(Waker::noop());
    let mut slow = Box::pin(pool.write(Watched::default(), move |_| {
        Box::pin(async move {
            started.send(()).unwrap();
            may_go_on.recv().map_err(|error| StorageError::failed("as told", error))
        })
    }));
    assert!(slow.as_mut().poll(&mut context).is_pending());
    has_started.recv().unwrap();
    let mut waiting: Vec<_> = (0..CAPACITY)
        .map(|_| Box::pin(pool.write(Watched::default(), |tx| Box::pin(async { tx.execute(statement(GROW)).await }))))
        .collect();
    assert!(waiting.iter_mut().all(|one| one.as_mut().poll(&mut context).is_pending()));
    let Poll::Ready(Err(refused)) = Box::pin(pool.write(Watched::default(), |_| Box::pin(async { Ok(()) }))).as_mut().poll(&mut context)
    else {
        panic!("there was room for one more");
    };
    assert!(refused.is_unavailable());
    go_on.send(()).unwrap();
    // Whoever gives up waiting changes nothing: what was asked for is done all the same.
    let last = waiting.pop().unwrap();
    drop((slow, waiting));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(last).unwrap(), 1);
    let done = runtime.block_on(pool.read(Watched::default(), |tx| Box::pin(version(tx)))).unwrap();
    assert_eq!(usize::try_from(done).unwrap(), CAPACITY);
}

/// A task that whoever wakes it runs on, as some executors do when they shut down.
struct Task {
    future: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    finished: Sender<()>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let mut future = self.future.lock().unwrap_or_else(PoisonError::into_inner);
        let waker = Waker::from(Arc::clone(&self));
        if future.as_mut().is_some_and(|future| future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready()) {
            *future = None;
            self.finished.send(()).unwrap();
        }
    }
}

#[test]
fn a_pool_can_be_dropped_by_the_thread_that_answers() {
    let (_folder, _path, pool) = pool();
    let (finished, has_finished) = channel();
    let (go_on, may_go_on) = channel();
    let answered = |may_go_on: Receiver<()>| may_go_on.recv().map_err(|error| StorageError::failed("as told", error));
    let future = async move { pool.write(Watched::default(), move |_| Box::pin(async move { answered(may_go_on) })).await.unwrap() };
    Arc::new(Task { future: Mutex::new(Some(Box::pin(future))), finished }).wake();
    // Only now does the transition end, so that it is its thread that wakes the task.
    go_on.send(()).unwrap();
    has_finished.recv().unwrap();
}

/// Writes down each step, and dies before or after the one of its number.
#[derive(Debug)]
struct Witness {
    seen: Mutex<Vec<String>>,
    dies_at: usize,
}

impl Witness {
    fn see(&self, when: &str, step: Step) -> Result<(), StorageError> {
        let mut seen = self.seen.lock().unwrap();
        seen.push(format!("{when} {step:?}"));
        if seen.len() == self.dies_at { Err(StorageError::unavailable("died", "as told")) } else { Ok(()) }
    }
}

#[async_trait::async_trait]
impl Watch for Witness {
    async fn before(&self, step: Step) -> Result<(), StorageError> {
        // The thread has to wait for somebody else here.
        let (wake, woken) = futures_channel::oneshot::channel();
        std::thread::spawn(move || wake.send(()));
        woken.await.unwrap();
        self.see("before", step)
    }

    async fn after(&self, step: Step) -> Result<(), StorageError> {
        self.see("after", step)
    }
}

#[tokio::test]
async fn who_watches_sees_every_step_and_can_let_the_program_die_at_each() {
    let steps = ["before Begin", "after Begin", "before Statement", "after Statement", "before Commit", "after Commit"];
    for dies_at in 1..=steps.len() + 1 {
        let (_folder, _path, pool) = pool();
        let witness = Arc::new(Witness { seen: Mutex::default(), dies_at });
        let watched = Watched::by(Arc::clone(&witness) as Arc<dyn Watch>);
        let outcome = pool.write(watched.clone(), |tx| Box::pin(async { tx.execute(statement(GROW)).await })).await;
        assert_eq!(outcome.is_ok(), dies_at > steps.len());
        assert_eq!(*witness.seen.lock().unwrap(), steps[..dies_at.min(steps.len())]);
        let kept = pool.read(Watched::default(), |tx| Box::pin(version(tx))).await.unwrap();
        assert_eq!(kept, i64::from(dies_at >= steps.len()), "who dies before the commit has changed nothing");
        pool.write(Watched::default(), |tx| Box::pin(async { tx.execute(statement(GROW)).await })).await.unwrap();
    }
}

#[tokio::test]
async fn what_only_reads_is_watched_without_a_commit() {
    let (_folder, _path, pool) = pool();
    let witness = Arc::new(Witness { seen: Mutex::default(), dies_at: 0 });
    let watched = Watched::by(Arc::clone(&witness) as Arc<dyn Watch>);
    assert_eq!(pool.read(watched, |tx| Box::pin(version(tx))).await.unwrap(), 0);
    assert_eq!(*witness.seen.lock().unwrap(), ["before Begin", "after Begin", "before Statement", "after Statement"]);
}
