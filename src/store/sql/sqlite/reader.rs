use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::run_alone;
use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::{Done, Job, drive};
use super::limits::Limits;
use super::queue::{Queue, Taken};
use crate::store::StorageError;
use crate::store::sql::executor::Snapshot;
use crate::store::sql::watch::{Step, Watched};

/// Runs what comes until the queue is closed and empty.
pub(super) fn run(mut connection: Connection, queue: &Queue<Job>) {
    loop {
        match queue.take(1, Duration::MAX) {
            Taken::Some(jobs) => jobs.into_iter().for_each(|job| read(&mut connection, job)),
            Taken::Idle => {}
            Taken::Closed => return,
        }
    }
}

/// Runs a job in a read transaction, so that all its statements see the same state. A job without a caller is not begun.
fn read(connection: &mut Connection, job: Job) {
    if !job.limits.is_wanted() {
        return;
    }
    // A job that panics, or whoever watches it, answers by dropping its end of the channel.
    let finished = catch_unwind(AssertUnwindSafe(|| run_job(connection, job))).ok();
    let _ = Limits::unwatch(connection);
    // Nothing was changed, so there is nothing that could be lost.
    if !connection.is_autocommit() {
        let _ = run_alone(connection, "ROLLBACK");
    }
    if let Some(finished) = finished {
        finished.answer(Ok(()));
    }
}

fn run_job(connection: &mut Connection, job: Job) -> Done {
    let watched = job.watched.clone();
    if job.limits.is_late() {
        return job.run(Err(StorageError::unavailable("a read did not end in time", "it waited too long for its turn")));
    }
    // Who watches a job sees it begin.
    let begins = job.snapshot == Snapshot::Transaction || watched.is_watched();
    let limited = job.limits.watch(connection).map_err(storage_error);
    match limited.and_then(|()| if begins { drive(begin(connection, &watched)) } else { Ok(()) }) {
        Ok(()) => job.run(Ok(&mut SqliteExecutor::new(connection, &watched))),
        Err(error) => job.run(Err(error)),
    }
}

async fn begin(connection: &Connection, watched: &Watched) -> Result<(), StorageError> {
    watched.before(Step::Begin).await?;
    run_alone(connection, "BEGIN DEFERRED").map_err(storage_error)?;
    watched.after(Step::Begin).await
}
