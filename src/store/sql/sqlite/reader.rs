use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::cancellation::Cancellation;
use super::connection::execute_cached;
use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::{FinishedJob, Job, block_on};
use super::queue::{Queue, Received};
use crate::store::StorageError;
use crate::store::sql::executor::SnapshotScope;
use crate::store::sql::transaction_hook::{OptionalHook, Phase};

/// Runs jobs until the queue is closed and empty.
pub(super) fn run(mut connection: Connection, queue: &Queue<Job>) {
    loop {
        match queue.recv_many(1, Duration::MAX) {
            Received::Items(jobs) => jobs.into_iter().for_each(|job| read(&mut connection, job)),
            Received::Idle => {}
            Received::Closed => return,
        }
    }
}

/// Runs a job in a read transaction, so that all its statements see the same state. A job whose
/// caller is gone does not start.
fn read(connection: &mut Connection, job: Job) {
    if !job.cancellation.has_caller() {
        return;
    }
    // A panic in the job or its hook drops the sender, which tells the caller.
    let finished = catch_unwind(AssertUnwindSafe(|| run_job(connection, job))).ok();
    let _ = Cancellation::uninstall(connection);
    // Nothing was changed, so nothing can be lost.
    if !connection.is_autocommit() {
        let _ = execute_cached(connection, "ROLLBACK");
    }
    if let Some(finished) = finished {
        finished.send_result(Ok(()));
    }
}

fn run_job(connection: &mut Connection, job: Job) -> FinishedJob {
    let hook = job.hook.clone();
    if job.cancellation.is_past_deadline() {
        return job.run(Err(StorageError::unavailable(
            "a read did not end in time",
            "it waited too long in the queue",
        )));
    }
    // A hook sees every job begin.
    let begins = job.snapshot == SnapshotScope::Transaction || hook.is_set();
    let limited = job.cancellation.install(connection).map_err(storage_error);
    match limited.and_then(|()| {
        if begins {
            block_on(begin(connection, &hook))
        } else {
            Ok(())
        }
    }) {
        Ok(()) => job.run(Ok(&mut SqliteExecutor::new(connection, &hook))),
        Err(error) => job.run(Err(error)),
    }
}

async fn begin(connection: &Connection, hook: &OptionalHook) -> Result<(), StorageError> {
    hook.before(Phase::Begin).await?;
    execute_cached(connection, "BEGIN DEFERRED").map_err(storage_error)?;
    hook.after(Phase::Begin).await
}
