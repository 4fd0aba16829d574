use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::cancellation::Cancellation;
use super::job::{Job, new_job};
use super::queue::Queue;
use super::{reader, writer};
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, ReadKind, SnapshotScope, Transition};
use crate::store::sql::transaction_hook::OptionalHook;

/// Maximum number of transitions that wait for the writer, and for the readers of each kind.
const CAPACITY: usize = 1024;

/// Connections to one file, each for one thread.
pub(super) struct Connections {
    pub(super) writer: Connection,
    pub(super) lookups: Vec<Connection>,
    pub(super) lists: Vec<Connection>,
}

/// The threads that use the database. No other thread blocks on disk I/O. Dropping the pool waits
/// until they have finished their jobs.
#[derive(Debug)]
pub(in crate::store::sql) struct Pool {
    path: PathBuf,
    writes: Arc<Queue<Job>>,
    lookups: Arc<Queue<Job>>,
    lists: Arc<Queue<Job>>,
    read_deadline: Duration,
    readers: Vec<JoinHandle<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Pool {
    /// Starts a thread for each connection.
    pub(super) fn start(
        path: &Path,
        connections: Connections,
        read_deadline: Duration,
    ) -> io::Result<Self> {
        let queue = || Arc::new(Queue::new(CAPACITY));
        let (readers, writer) = (Vec::new(), None);
        let mut pool = Self {
            path: path.to_owned(),
            writes: queue(),
            lookups: queue(),
            lists: queue(),
            read_deadline,
            readers,
            writer,
        };
        let writes = Arc::clone(&pool.writes);
        pool.writer = Some(thread("lyceum-sqlite-writer", move || {
            writer::run(connections.writer, &writes)
        })?);
        for (kind, connections) in [
            (ReadKind::Lookup, connections.lookups),
            (ReadKind::List, connections.lists),
        ] {
            for connection in connections {
                let reads = Arc::clone(pool.reads(kind));
                pool.readers.push(thread("lyceum-sqlite-reader", move || {
                    reader::run(connection, &reads)
                })?);
            }
        }
        Ok(pool)
    }

    /// The path of the file.
    pub(in crate::store::sql) fn path(&self) -> &Path {
        &self.path
    }

    const fn reads(&self, kind: ReadKind) -> &Arc<Queue<Job>> {
        match kind {
            ReadKind::Lookup => &self.lookups,
            ReadKind::List | ReadKind::Directory => &self.lists,
        }
    }

    /// Runs a transition that writes. Its changes are on disk when this returns. It does not start
    /// if its caller is gone.
    pub(in crate::store::sql) async fn write<T: Send + 'static>(
        &self,
        hook: OptionalHook,
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        submit(&self.writes, hook, SnapshotScope::Transaction, None, run).await
    }

    /// Runs a transition that only reads. All its statements see the same state. It is cancelled
    /// when its caller is gone, and is unavailable at its deadline, if its kind has one.
    pub(in crate::store::sql) async fn read<T: Send + 'static>(
        &self,
        hook: OptionalHook,
        (kind, snapshot): (ReadKind, SnapshotScope),
        run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let deadline = (kind != ReadKind::Directory).then_some(self.read_deadline);
        submit(self.reads(kind), hook, snapshot, deadline, run).await
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // The writer's connection closes last and alone, so that SQLite deletes the log.
        self.lookups.close();
        self.lists.close();
        self.readers.drain(..).for_each(wait_for);
        self.writes.close();
        self.writer.take().into_iter().for_each(wait_for);
    }
}

fn wait_for(thread: JoinHandle<()>) {
    // A result can wake a caller whose last act drops the pool on the thread that sent the result.
    // That thread cannot wait for itself.
    if thread.thread().id() != std::thread::current().id() {
        // Panics of jobs are caught on the thread, so `join` does not fail.
        let _ = thread.join();
    }
}

fn thread(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run)
}

async fn submit<T: Send + 'static>(
    queue: &Queue<Job>,
    hook: OptionalHook,
    snapshot: SnapshotScope,
    timeout: Option<Duration>,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> Result<T, StorageError> {
    // A test's hook may hold a job for as long as it needs.
    let timeout = timeout.filter(|_| !hook.is_set());
    // Dropped together with this future, which tells the threads that the caller is gone.
    let (cancellation, _caller) = Cancellation::new(timeout);
    let (mut job, result) = new_job(hook, cancellation, run);
    job.snapshot = snapshot;
    let Some(_slot) = queue.push(job) else {
        return Err(StorageError::unavailable(
            "too many transitions wait for the database",
            "the queue is full",
        ));
    };
    result.await.unwrap_or_else(|_| {
        Err(StorageError::failed(
            "a transition returned no result",
            "it panicked, or its transaction broke",
        ))
    })
}

#[cfg(test)]
mod tests;
