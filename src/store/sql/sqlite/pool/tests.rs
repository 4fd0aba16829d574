use std::path::PathBuf;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use super::*;
use crate::store::sql::executor::Statement;
use crate::store::sql::sqlite::open;

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
    assert!(pool.write::<()>(|_| Box::pin(async { panic!("as told") })).await.is_err());
    assert!(pool.read::<()>(|_| Box::pin(async { panic!("as told") })).await.is_err());
    assert_eq!(pool.write(|tx| Box::pin(async { tx.execute(statement(GROW)).await })).await.unwrap(), 1);
    assert_eq!(pool.read(|tx| Box::pin(version(tx))).await.unwrap(), 1);
}

#[tokio::test]
async fn what_reads_sees_one_state_and_cannot_change_it() {
    let (_folder, path, pool) = pool();
    let versions = pool.read(move |tx| {
        Box::pin(async move {
            let before = version(tx).await?;
            Connection::open(&path).unwrap().execute_batch(GROW).unwrap();
            Ok((before, version(tx).await?))
        })
    });
    assert_eq!(versions.await.unwrap(), (0, 0));
    assert!(pool.read(|tx| Box::pin(async { tx.execute(statement(GROW)).await })).await.is_err());
    assert_eq!(pool.read(|tx| Box::pin(version(tx))).await.unwrap(), 1);
}

#[test]
fn a_queue_that_is_full_is_unavailable_and_what_waits_in_it_is_still_done() {
    let (_folder, _path, pool) = pool();
    let (started, has_started) = channel();
    let (go_on, may_go_on) = channel();
    let mut context = Context::from_waker(Waker::noop());
    let mut slow = Box::pin(pool.write(move |_| {
        Box::pin(async move {
            started.send(()).unwrap();
            may_go_on.recv().map_err(|error| StorageError::failed("as told", error))
        })
    }));
    assert!(slow.as_mut().poll(&mut context).is_pending());
    has_started.recv().unwrap();
    let mut waiting: Vec<_> =
        (0..CAPACITY).map(|_| Box::pin(pool.write(|tx| Box::pin(async { tx.execute(statement(GROW)).await })))).collect();
    assert!(waiting.iter_mut().all(|one| one.as_mut().poll(&mut context).is_pending()));
    let Poll::Ready(Err(refused)) = Box::pin(pool.write(|_| Box::pin(async { Ok(()) }))).as_mut().poll(&mut context) else {
        panic!("there was room for one more");
    };
    assert!(refused.is_unavailable());
    go_on.send(()).unwrap();
    // Whoever gives up waiting changes nothing: what was asked for is done all the same.
    let last = waiting.pop().unwrap();
    drop((slow, waiting));
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(last).unwrap(), 1);
    let done = runtime.block_on(pool.read(|tx| Box::pin(version(tx)))).unwrap();
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
    let future = async move { pool.write(move |_| Box::pin(async move { answered(may_go_on) })).await.unwrap() };
    Arc::new(Task { future: Mutex::new(Some(Box::pin(future))), finished }).wake();
    // Only now does the transition end, so that it is its thread that wakes the task.
    go_on.send(()).unwrap();
    has_finished.recv().unwrap();
}
