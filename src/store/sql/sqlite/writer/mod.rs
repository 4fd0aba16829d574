use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::connection::execute_cached;
use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::{FinishedJob, Job, block_on};
use super::queue::{Queue, Received};
use super::wal::{Wal, checkpoint_if_waiting};
use crate::store::StorageError;
use crate::store::sql::transaction_hook::{OptionalHook, Phase};

/// Maximum number of jobs in a commit. A commit waits for the disk, so sharing it makes durability
/// cheap.
const BATCH: usize = 64;
/// Time without jobs after which the log is checkpointed.
const IDLE: Duration = Duration::from_millis(500);

/// Runs jobs until the queue is closed and empty.
pub(super) fn run(mut connection: Connection, queue: &Queue<Job>) {
    let (mut timeout, mut log) = (Duration::MAX, Wal::default());
    loop {
        match queue.recv_many(BATCH, timeout) {
            Received::Items(jobs) => {
                // A hook sees only the steps of its own job.
                let (hooked, others): (Vec<_>, Vec<_>) =
                    jobs.into_iter().partition(|job| job.hook.is_set());
                run_in_transaction(&mut connection, others);
                hooked
                    .into_iter()
                    .for_each(|job| run_in_transaction(&mut connection, vec![job]));
                log.checkpoint_if_needed(&connection);
                timeout = IDLE;
            }
            Received::Idle => {
                checkpoint_if_waiting(&connection, 1);
                timeout = Duration::MAX;
            }
            Received::Closed => return checkpoint_if_waiting(&connection, 1),
        }
    }
}

/// Runs the jobs in one transaction, each in a savepoint, and sends their results only after the
/// commit. A job with a hook runs alone. Jobs whose callers are gone do not start.
fn run_in_transaction(connection: &mut Connection, mut jobs: Vec<Job>) {
    jobs.retain(|job| job.cancellation.has_caller());
    let Some(hook) = jobs.first().map(|job| job.hook.clone()) else {
        return;
    };
    let mut jobs = jobs.into_iter();
    let (mut finished_jobs, mut has_changes) = (Vec::new(), false);
    let mut outcome = run_phase(&hook, Phase::Begin, || {
        execute_cached(connection, "BEGIN IMMEDIATE")
    });
    while outcome.is_ok()
        && let Some(job) = jobs.next()
    {
        outcome = run_in_savepoint(connection, job, &mut finished_jobs)
            .map(|is_kept| has_changes |= is_kept)
            .map_err(storage_error);
    }
    // Without changes to keep there is no commit, so a hook sees no commit of a rolled-back job.
    if outcome.is_ok() && has_changes {
        outcome = run_phase(&hook, Phase::Commit, || {
            execute_cached(connection, "COMMIT")
        });
    }
    // Not in autocommit mode: the transaction is still open.
    if !connection.is_autocommit() {
        // If the rollback fails, there is no transaction any more.
        let _ = execute_cached(connection, "ROLLBACK");
    }
    for finished in finished_jobs {
        finished.send_result(outcome.as_ref().map_err(copy_error).copied());
    }
    if let Err(error) = &outcome {
        jobs.for_each(|job| job.run(Err(copy_error(error))).send_result(Ok(())));
    }
}

/// Runs the action of a phase between the two calls of the hook. A panic of the hook counts as a
/// simulated crash.
fn run_phase(
    hook: &OptionalHook,
    phase: Phase,
    action: impl FnOnce() -> rusqlite::Result<()>,
) -> Result<(), StorageError> {
    let hooked_phase = async {
        hook.before(phase).await?;
        action().map_err(storage_error)?;
        hook.after(phase).await
    };
    catch_unwind(AssertUnwindSafe(|| block_on(hooked_phase)))
        .unwrap_or(Err(StorageError::corrupt("the transaction hook panicked")))
}

/// Runs one job and returns whether its changes are kept. An error or a panic inside the job rolls
/// back its changes and no others.
///
/// # Errors
/// When the transaction itself failed. Then none of its changes can be kept.
fn run_in_savepoint(
    connection: &mut Connection,
    job: Job,
    finished_jobs: &mut Vec<FinishedJob>,
) -> rusqlite::Result<bool> {
    execute_cached(connection, "SAVEPOINT job")?;
    let hook = job.hook.clone();
    let mut executor = SqliteExecutor::new(connection, &hook);
    // A panic drops the sender, which tells the caller. The job's changes are rolled back.
    let finished = catch_unwind(AssertUnwindSafe(|| job.run(Ok(&mut executor)))).ok();
    let keep = finished.as_ref().is_some_and(|finished| finished.succeeded)
        && !executor.is_rollback_only();
    finished_jobs.extend(finished);
    if !keep {
        execute_cached(connection, "ROLLBACK TO job")?;
    }
    execute_cached(connection, "RELEASE job")?;
    Ok(keep)
}

/// Copies the error of a transaction for each of its jobs.
fn copy_error(error: &StorageError) -> StorageError {
    let cause = std::error::Error::source(error)
        .map(ToString::to_string)
        .unwrap_or_default();
    match error.is_unavailable() {
        true => StorageError::unavailable("the transaction failed", cause),
        false => StorageError::failed("the transaction failed", cause),
    }
}

#[cfg(test)]
mod tests;
