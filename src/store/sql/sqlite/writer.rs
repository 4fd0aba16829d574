use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::{Done, Job};
use super::log::{Log, write_back};
use super::queue::{Queue, Taken};
use crate::store::StorageError;

/// How many jobs share a commit at most. A commit waits for the disk, so sharing it is what makes durability cheap.
const BATCH: usize = 64;
/// How long nothing must come before the log is written back in peace.
const IDLE: Duration = Duration::from_millis(500);

/// Runs what comes until the queue is closed and empty.
pub(super) fn run(mut connection: Connection, queue: &Queue<Job>) {
    let (mut patience, mut log) = (Duration::MAX, Log::default());
    loop {
        match queue.take(BATCH, patience) {
            Taken::Some(jobs) => {
                write(&mut connection, jobs);
                log.keep_short(&connection);
                patience = IDLE;
            }
            Taken::Idle => {
                write_back(&connection, 1);
                patience = Duration::MAX;
            }
            Taken::Closed => return write_back(&connection, 1),
        }
    }
}

/// Runs the jobs in one transaction, each in a savepoint of its own, and answers them only when it is committed.
fn write(connection: &mut Connection, jobs: Vec<Job>) {
    let mut jobs = jobs.into_iter();
    let mut done = Vec::new();
    let mut outcome = connection.execute_batch("BEGIN IMMEDIATE");
    while outcome.is_ok()
        && let Some(job) = jobs.next()
    {
        outcome = write_one(connection, job, &mut done);
    }
    let outcome = outcome.and_then(|()| connection.execute_batch("COMMIT")).map_err(storage_error);
    if outcome.is_err() && !connection.is_autocommit() {
        // When even this fails the transaction is gone already.
        let _ = connection.execute_batch("ROLLBACK");
    }
    for finished in done {
        finished.answer(outcome.as_ref().map_err(again).copied());
    }
    if let Err(error) = &outcome {
        jobs.for_each(|job| job(Err(again(error))).answer(Ok(())));
    }
}

/// Runs one job. An error or a panic inside it undoes what it did and nothing else.
///
/// # Errors
/// When the transaction itself is broken, so that nothing of it can be kept.
fn write_one(connection: &mut Connection, job: Job, done: &mut Vec<Done>) -> rusqlite::Result<()> {
    connection.prepare_cached("SAVEPOINT job")?.execute([])?;
    let mut executor = SqliteExecutor::new(connection);
    // A job that panics answers by dropping its end of the channel. What it did to the connection is rolled back.
    let finished = catch_unwind(AssertUnwindSafe(|| job(Ok(&mut executor)))).ok();
    let keep = finished.as_ref().is_some_and(|finished| finished.is_good) && !executor.is_undone();
    done.extend(finished);
    if !keep {
        connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
    }
    connection.prepare_cached("RELEASE job")?.execute([]).map(drop)
}

/// The same failure once more, for the next of those who share it.
fn again(error: &StorageError) -> StorageError {
    let cause = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
    match error.is_unavailable() {
        true => StorageError::unavailable("the transaction failed", cause),
        false => StorageError::failed("the transaction failed", cause),
    }
}

#[cfg(test)]
mod tests;
