use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rusqlite::Connection;

use super::error::storage_error;
use super::executor::SqliteExecutor;
use super::job::Job;
use super::queue::{Queue, Taken};

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

/// Runs a job in a read transaction, so that all its statements see the same state.
fn read(connection: &mut Connection, job: Job) {
    let finished = match run_alone(connection, "BEGIN DEFERRED") {
        Ok(()) => {
            // A job that panics answers by dropping its end of the channel.
            catch_unwind(AssertUnwindSafe(|| job(Ok(&mut SqliteExecutor::new(connection))))).ok()
        }
        Err(error) => Some(job(Err(storage_error(error)))),
    };
    // Nothing was changed, so there is nothing that could be lost.
    if !connection.is_autocommit() {
        let _ = run_alone(connection, "ROLLBACK");
    }
    if let Some(finished) = finished {
        finished.answer(Ok(()));
    }
}

fn run_alone(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}
