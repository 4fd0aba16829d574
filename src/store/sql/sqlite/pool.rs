use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::job::{Job, job};
use super::queue::Queue;
use super::{reader, writer};
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Transition};
use crate::store::sql::watch::Watched;

/// How many transitions may wait for the writer, and how many for the readers.
const CAPACITY: usize = 1024;

/// The threads that alone touch the database, so that no other ever waits for a disk. The last one to let go of the pool waits until
/// they have done what was asked of them.
#[derive(Debug)]
pub(in crate::store::sql) struct Pool {
    writes: Arc<Queue<Job>>,
    reads: Arc<Queue<Job>>,
    readers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Pool {
    /// A thread for each connection.
    pub(super) fn start(write: Connection, readers: Vec<Connection>) -> io::Result<Self> {
        let mut pool =
            Self { writes: Arc::new(Queue::new(CAPACITY)), reads: Arc::new(Queue::new(CAPACITY)), readers: Vec::new(), writer: None };
        let writes = Arc::clone(&pool.writes);
        pool.writer = Some(thread("lyceum-sqlite-writer", move || writer::run(write, &writes))?);
        for connection in readers {
            let reads = Arc::clone(&pool.reads);
            pool.readers.push(thread("lyceum-sqlite-reader", move || reader::run(connection, &reads))?);
        }
        Ok(pool)
    }

    /// Runs a transition that changes something. When this returns its changes are on the disk.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        watched: Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        ask(&self.writes, watched, run).await
    }

    /// Runs a transition that only reads. All its statements see the same state.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        watched: Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        ask(&self.reads, watched, run).await
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The writer's connection closes last and alone, so that SQLite takes the log away with it.
        self.reads.close();
        self.readers.drain(..).for_each(wait_for);
        self.writes.close();
        self.writer.take().into_iter().for_each(wait_for);
    }
}

fn wait_for(thread: JoinHandle<()>) {
    // An answer can wake a caller whose last act is to drop the pool on the thread that answers. That one cannot wait for itself.
    if thread.thread().id() != std::thread::current().id() {
        // Jobs' panics are caught on the thread; one that ended otherwise has been missed long before.
        let _ = thread.join();
    }
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run)
}

async fn ask<T: Send + 'static>(
    queue: &Queue<Job>,
    watched: Watched,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> Result<T, StorageError> {
    let (job, answer) = job(watched, run);
    if queue.push(job).is_err() {
        return Err(StorageError::unavailable("too many transitions wait for the database", "the queue is full"));
    }
    answer.await.unwrap_or_else(|_| Err(StorageError::failed("a transition did not answer", "it panicked, or its transaction broke")))
}

#[cfg(test)]
mod tests;
