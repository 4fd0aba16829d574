use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::run_alone;
use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::{Done, Job, drive};
use super::log::{Log, write_back};
use super::queue::{Queue, Taken};
use crate::store::StorageError;
use crate::store::sql::watch::{Step, Watched};

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
                // Who watches a job sees its steps and no other's.
                let (watched, others): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.watched.is_watched());
                write(&mut connection, others);
                watched.into_iter().for_each(|job| write(&mut connection, vec![job]));
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

/// Runs the jobs in one transaction, each in a savepoint of its own, and answers them only when it is committed. One that is watched
/// comes alone. Jobs whose callers have gone are not begun.
fn write(connection: &mut Connection, mut jobs: Vec<Job>) {
    jobs.retain(|job| job.limits.is_wanted());
    let Some(watched) = jobs.first().map(|job| job.watched.clone()) else { return };
    let mut jobs = jobs.into_iter();
    let (mut done, mut is_kept) = (Vec::new(), false);
    let mut outcome = step(&watched, Step::Begin, || run_alone(connection, "BEGIN IMMEDIATE"));
    while outcome.is_ok()
        && let Some(job) = jobs.next()
    {
        outcome = write_one(connection, job, &mut done).map(|kept| is_kept |= kept).map_err(storage_error);
    }
    // Where nothing is kept nothing is committed: a program that died while it was watched would not.
    if outcome.is_ok() && is_kept {
        outcome = step(&watched, Step::Commit, || run_alone(connection, "COMMIT"));
    }
    if !connection.is_autocommit() {
        // When even this fails the transaction is gone already.
        let _ = run_alone(connection, "ROLLBACK");
    }
    for finished in done {
        finished.answer(outcome.as_ref().map_err(again).copied());
    }
    if let Err(error) = &outcome {
        jobs.for_each(|job| job.run(Err(again(error))).answer(Ok(())));
    }
}

/// Takes a step between what is told to whoever watches. When they panic it is as if they let the program die.
fn step(watched: &Watched, step: Step, take: impl FnOnce() -> rusqlite::Result<()>) -> Result<(), StorageError> {
    let told = async {
        watched.before(step).await?;
        take().map_err(storage_error)?;
        watched.after(step).await
    };
    catch_unwind(AssertUnwindSafe(|| drive(told))).unwrap_or(Err(StorageError::corrupt("whoever watches panicked")))
}

/// Runs one job and says whether what it did is kept. An error or a panic inside it undoes what it did and nothing else.
///
/// # Errors
/// When the transaction itself is broken, so that nothing of it can be kept.
fn write_one(connection: &mut Connection, job: Job, done: &mut Vec<Done>) -> rusqlite::Result<bool> {
    run_alone(connection, "SAVEPOINT job")?;
    let watched = job.watched.clone();
    let mut executor = SqliteExecutor::new(connection, &watched);
    // A job that panics answers by dropping its end of the channel. What it did to the connection is rolled back.
    let finished = catch_unwind(AssertUnwindSafe(|| job.run(Ok(&mut executor)))).ok();
    let keep = finished.as_ref().is_some_and(|finished| finished.is_good) && !executor.is_undone();
    done.extend(finished);
    if !keep {
        run_alone(connection, "ROLLBACK TO job")?;
    }
    run_alone(connection, "RELEASE job")?;
    Ok(keep)
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
