use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::job::{Job, job};
use super::limits::Limits;
use super::queue::Queue;
use super::{reader, writer};
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Lane, Snapshot, Transition};
use crate::store::sql::watch::Watched;

/// How many transitions may wait for the writer, and how many for the readers of each lane.
const CAPACITY: usize = 1024;

/// Connections to one file, each for a thread of its own.
pub(super) struct Connections {
    pub(super) writer: Connection,
    pub(super) lookups: Vec<Connection>,
    pub(super) lists: Vec<Connection>,
}

/// The threads that alone touch the database, so that no other ever waits for a disk. The last one to let go of the pool waits until
/// they have done what was asked of them.
#[derive(Debug)]
pub(in crate::store::sql) struct Pool {
    writes: Arc<Queue<Job>>,
    lookups: Arc<Queue<Job>>,
    lists: Arc<Queue<Job>>,
    read_deadline: Duration,
    readers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Pool {
    /// A thread for each connection.
    pub(super) fn start(connections: Connections, read_deadline: Duration) -> io::Result<Self> {
        let queue = || Arc::new(Queue::new(CAPACITY));
        let (readers, writer) = (Vec::new(), None);
        let mut pool = Self { writes: queue(), lookups: queue(), lists: queue(), read_deadline, readers, writer };
        let writes = Arc::clone(&pool.writes);
        pool.writer = Some(thread("lyceum-sqlite-writer", move || writer::run(connections.writer, &writes))?);
        for (lane, connections) in [(Lane::Lookups, connections.lookups), (Lane::Lists, connections.lists)] {
            for connection in connections {
                let reads = Arc::clone(pool.reads(lane));
                pool.readers.push(thread("lyceum-sqlite-reader", move || reader::run(connection, &reads))?);
            }
        }
        Ok(pool)
    }

    const fn reads(&self, lane: Lane) -> &Arc<Queue<Job>> {
        match lane {
            Lane::Lookups => &self.lookups,
            Lane::Lists | Lane::Directory => &self.lists,
        }
    }

    /// Runs a transition that changes something. When this returns its changes are on the disk. It is not begun
    /// once its caller has gone.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        watched: Watched,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        ask(&self.writes, watched, Snapshot::Transaction, None, run).await
    }

    /// Runs a transition that only reads. All its statements see the same state. It ends without an answer once its
    /// caller has gone, and as unavailable at its deadline if the lane has one.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        watched: Watched,
        (lane, snapshot): (Lane, Snapshot),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let deadline = (lane != Lane::Directory).then_some(self.read_deadline);
        ask(self.reads(lane), watched, snapshot, deadline, run).await
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The writer's connection closes last and alone, so that SQLite takes the log away with it.
        self.lookups.close();
        self.lists.close();
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
    snapshot: Snapshot,
    at_most: Option<Duration>,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> Result<T, StorageError> {
    // Who watches a job may hold it for as long as a test takes.
    let at_most = at_most.filter(|_| !watched.is_watched());
    // Dropped together with this future, which tells the threads that the caller has gone.
    let (limits, _caller) = Limits::new(at_most);
    let (mut job, answer) = job(watched, limits, run);
    job.snapshot = snapshot;
    let Some(_place) = queue.push(job) else {
        return Err(StorageError::unavailable("too many transitions wait for the database", "the queue is full"));
    };
    answer.await.unwrap_or_else(|_| Err(StorageError::failed("a transition did not answer", "it panicked, or its transaction broke")))
}

#[cfg(test)]
mod tests;
