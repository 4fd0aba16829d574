use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use futures_channel::oneshot::{Canceled, Receiver};

use super::*;
use crate::store::sql::executor::{Executor, Statement};
use crate::store::sql::sqlite::cancellation::Cancellation;
use crate::store::sql::sqlite::job::new_job;
use crate::store::sql::sqlite::wal::{CHECKPOINT_PAGES, MAX_WAL_PAGES, run_checkpoint};

/// The receiver of a result and the guard of its caller.
type JobResult = (Receiver<Result<u64, StorageError>>, Arc<()>);

fn connection() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .pragma_update(None, "foreign_keys", true)
        .unwrap();
    connection
        .execute_batch("CREATE TABLE parents (id INTEGER PRIMARY KEY)")
        .unwrap();
    let children = "CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)";
    connection.execute_batch(children).unwrap();
    connection
}

/// A job that runs the statements and then `end`.
fn job_of(
    texts: &'static [&'static str],
    end: impl FnOnce(&mut dyn Executor) -> Result<u64, StorageError> + Send + 'static,
) -> (Job, JobResult) {
    let (cancellation, caller) = Cancellation::new(None);
    let (job, result) = new_job(OptionalHook::default(), cancellation, move |tx| {
        Box::pin(async move {
            for text in texts {
                tx.execute(Statement {
                    text: (*text).into(),
                    values: Vec::new(),
                })
                .await?;
            }
            end(tx)
        })
    });
    (job, (result, caller))
}

fn children(connection: &Connection) -> Vec<i64> {
    let mut statement = connection
        .prepare("SELECT id FROM children ORDER BY id")
        .unwrap();
    statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

fn result((mut result, _): JobResult) -> Result<Result<u64, StorageError>, Canceled> {
    result
        .try_recv()
        .map(|result| result.expect("every job of a batch gets a result"))
}

#[test]
fn a_job_that_fails_or_panics_undoes_itself_and_no_other_of_its_batch() {
    let mut connection = connection();
    let (good, good_result) = job_of(&["INSERT INTO children VALUES (1, NULL)"], |_| Ok(1));
    let (failing, failing_result) = job_of(&["INSERT INTO children VALUES (2, NULL)"], |_| {
        Err(StorageError::corrupt("as requested"))
    });
    let (wrong, wrong_result) = job_of(
        &["INSERT INTO children VALUES (3, NULL)", "no statement"],
        |_| Ok(3),
    );
    let (panicking, panicking_result) = job_of(&["INSERT INTO children VALUES (4, NULL)"], |_| {
        panic!("as requested")
    });
    let (refusing, refusing_result) = job_of(&["INSERT INTO children VALUES (5, NULL)"], |tx| {
        tx.set_rollback_only();
        Ok(5)
    });
    let (last, last_result) = job_of(&["INSERT INTO children VALUES (6, NULL)"], |_| Ok(6));
    run_in_transaction(
        &mut connection,
        vec![good, failing, wrong, panicking, refusing, last],
    );
    assert_eq!(children(&connection), [1, 6]);
    assert_eq!(result(good_result).unwrap().unwrap(), 1);
    assert_eq!(
        result(failing_result).unwrap().unwrap_err().to_string(),
        "as requested"
    );
    assert!(result(wrong_result).unwrap().is_err());
    assert!(result(panicking_result).is_err());
    assert_eq!(result(refusing_result).unwrap().unwrap(), 5);
    assert_eq!(result(last_result).unwrap().unwrap(), 6);
}

#[test]
fn a_commit_that_fails_fails_every_job_of_its_batch() {
    let mut connection = connection();
    let (good, good_result) = job_of(&["INSERT INTO children VALUES (1, NULL)"], |_| Ok(1));
    let (orphan, orphan_result) = job_of(&["INSERT INTO children VALUES (2, 99)"], |_| Ok(2));
    run_in_transaction(&mut connection, vec![good, orphan]);
    assert!(children(&connection).is_empty());
    assert!(result(good_result).unwrap().is_err());
    assert!(result(orphan_result).unwrap().is_err());
    let (next, next_result) = job_of(&["INSERT INTO children VALUES (3, NULL)"], |_| Ok(3));
    run_in_transaction(&mut connection, vec![next]);
    assert_eq!(
        (result(next_result).unwrap().unwrap(), children(&connection)),
        (3, vec![3])
    );
}

/// Fails if a job's result is sent when it has run, before its batch is committed.
#[test]
fn no_result_of_a_batch_is_sent_before_the_commit() {
    let mut connection = connection();
    let (first, (mut first_result, _caller)) =
        job_of(&["INSERT INTO children VALUES (1, NULL)"], |_| Ok(1));
    let (begun, seen) = mpsc::channel();
    let (second, second_result) = {
        let (cancellation, caller) = Cancellation::new(None);
        let watching = move |_: &mut dyn Executor| {
            begun
                .send(first_result.try_recv().unwrap().is_some())
                .map(|()| first_result)
                .unwrap()
        };
        let (hand_back, first_result) = mpsc::channel();
        let (job, result) = new_job(OptionalHook::default(), cancellation, move |tx| {
            Box::pin(async move {
                hand_back.send(watching(tx)).unwrap();
                Ok(2)
            })
        });
        (job, ((result, caller), first_result))
    };
    run_in_transaction(&mut connection, vec![first, second]);
    assert!(
        !seen.recv().unwrap(),
        "the first job's result was sent while the second job ran"
    );
    assert_eq!(
        second_result
            .1
            .recv()
            .unwrap()
            .try_recv()
            .unwrap()
            .unwrap()
            .unwrap(),
        1
    );
    assert_eq!(result(second_result.0).unwrap().unwrap(), 2);
}

/// The files are copied inside the batch, as a crash would leave them.
#[test]
fn a_crash_within_a_batch_loses_only_unacknowledged_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, crashed) = (
        folder.path().join("lyceum.db"),
        folder.path().join("crashed.db"),
    );
    let mut connection = log_of_its_own(&path);
    connection
        .execute_batch(
            "PRAGMA synchronous = FULL; CREATE TABLE children (id INTEGER PRIMARY KEY, parent)",
        )
        .unwrap();
    let (acknowledged, acknowledged_result) =
        job_of(&["INSERT INTO children VALUES (1, NULL)"], |_| Ok(1));
    run_in_transaction(&mut connection, vec![acknowledged]);
    assert_eq!(result(acknowledged_result).unwrap().unwrap(), 1);
    let (ran, ran_result) = job_of(&["INSERT INTO children VALUES (2, NULL)"], |_| Ok(2));
    let (copies, from, to) = (["", "-wal"], path.clone(), crashed.clone());
    let (crashing, _crashing_answer) =
        job_of(&["INSERT INTO children VALUES (3, NULL)"], move |_| {
            let with = |path: &Path, end: &str| format!("{}{end}", path.display());
            assert!(
                copies
                    .iter()
                    .all(|end| std::fs::copy(with(&from, end), with(&to, end)).is_ok())
            );
            Ok(3)
        });
    run_in_transaction(&mut connection, vec![ran, crashing]);
    assert_eq!(result(ran_result).unwrap().unwrap(), 2);
    assert_eq!(children(&Connection::open(&crashed).unwrap()), [1]);
    assert_eq!(children(&connection), [1, 2, 3]);
}

#[test]
fn when_the_transaction_is_lost_nothing_runs_outside_of_it() {
    let mut connection = connection();
    let (good, good_result) = job_of(&["INSERT INTO children VALUES (1, NULL)"], |_| Ok(1));
    // As SQLite does when the disk fails.
    let (losing, losing_result) = job_of(&["ROLLBACK"], |_| {
        Err(StorageError::corrupt("as requested"))
    });
    let (late, late_result) = job_of(&["INSERT INTO children VALUES (2, NULL)"], |_| Ok(2));
    run_in_transaction(&mut connection, vec![good, losing, late]);
    assert!(children(&connection).is_empty());
    for lost in [good_result, losing_result, late_result] {
        assert!(result(lost).unwrap().is_err());
    }
}

#[test]
fn a_disk_without_room_is_unavailable_and_later_good_again() {
    let mut connection = connection();
    let pages: i64 = connection
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    connection
        .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
        .unwrap();
    const MUCH: &[&str] = &[
        "INSERT INTO parents SELECT value FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 9999) SELECT value FROM n)",
    ];
    let (much, much_result) = job_of(MUCH, |_| Ok(1));
    run_in_transaction(&mut connection, vec![much]);
    assert!(result(much_result).unwrap().unwrap_err().is_unavailable());
    connection
        .pragma_update_and_check(None, "max_page_count", 1_000_000, |_| Ok(()))
        .unwrap();
    let (again, again_result) = job_of(MUCH, |_| Ok(1));
    run_in_transaction(&mut connection, vec![again]);
    assert_eq!(result(again_result).unwrap().unwrap(), 1);
}

#[test]
fn a_database_locked_by_another_process_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("locked.db");
    let (mut connection, other) = (
        Connection::open(&path).unwrap(),
        Connection::open(&path).unwrap(),
    );
    connection.busy_timeout(Duration::ZERO).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (locked, locked_result) = job_of(&["CREATE TABLE late (id)"], |_| Ok(1));
    run_in_transaction(&mut connection, vec![locked]);
    assert!(result(locked_result).unwrap().unwrap_err().is_unavailable());
    other.execute_batch("ROLLBACK").unwrap();
    let (free, free_result) = job_of(&["CREATE TABLE late (id)"], |_| Ok(1));
    run_in_transaction(&mut connection, vec![free]);
    assert_eq!(result(free_result).unwrap().unwrap(), 1);
}

/// A database whose log no other connection checkpoints.
fn log_of_its_own(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .unwrap();
    connection
        .pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))
        .unwrap();
    connection
}

#[test]
fn the_log_is_written_back_between_batches() {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = log_of_its_own(&folder.path().join("log.db"));
    let (job, _answer) = job_of(
        &[
            "CREATE TABLE pages (text)",
            "INSERT INTO pages VALUES (zeroblob(100000))",
        ],
        |_| Ok(1),
    );
    run_in_transaction(&mut connection, vec![job]);
    checkpoint_if_waiting(&connection, CHECKPOINT_PAGES);
    assert!(run_checkpoint(&connection, "NOOP").unwrap().pending_pages() >= 25);
    checkpoint_if_waiting(&connection, 1);
    assert_eq!(
        run_checkpoint(&connection, "NOOP").unwrap().pending_pages(),
        0
    );
}

/// A query that takes longer than the time between two batches.
const LONG_READ: &str = "WITH RECURSIVE n(value) AS (SELECT count(*) FROM pages UNION ALL SELECT value + 1 FROM n LIMIT 5000)
    SELECT max(value) FROM n";

/// Reads in one transaction after another. Each ends only when the other reader's next one has
/// begun, so the log always has a reader.
fn read_in_turns(
    path: &Path,
    over: &AtomicBool,
    turns: &mpsc::Receiver<()>,
    other: &mpsc::Sender<()>,
) {
    let connection = Connection::open(path).unwrap();
    while turns.recv().is_ok() && !over.load(Ordering::Relaxed) {
        if !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK").unwrap();
        }
        connection.execute_batch("BEGIN").unwrap();
        connection.query_row(LONG_READ, [], |_| Ok(())).unwrap();
        if other.send(()).is_err() {
            return;
        }
    }
}

#[test]
fn the_log_stays_short_under_overlapping_reads() {
    const WRITE: &[&str] = &["INSERT OR REPLACE INTO pages VALUES (1, zeroblob(1000 * 1000))"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("read.db");
    let mut connection = log_of_its_own(&path);
    connection
        .execute_batch("CREATE TABLE pages (id INTEGER PRIMARY KEY, text)")
        .unwrap();
    let (over, mut log) = (AtomicBool::new(false), Wal::default());
    let ((to_one, one), (to_other, other)) = (mpsc::channel(), mpsc::channel());
    to_one.send(()).unwrap();
    let longest = std::thread::scope(|threads| {
        let (path, over) = (&path, &over);
        threads.spawn(move || read_in_turns(path, over, &one, &to_other));
        threads.spawn(move || read_in_turns(path, over, &other, &to_one));
        let sizes = (0..160).map(|_| {
            let (job, written) = job_of(WRITE, |_| Ok(1));
            run_in_transaction(&mut connection, vec![job]);
            assert_eq!(result(written).unwrap().unwrap(), 1);
            log.checkpoint_if_needed(&connection);
            std::fs::metadata(folder.path().join("read.db-wal"))
                .unwrap()
                .len()
        });
        let longest = sizes.max().unwrap();
        over.store(true, Ordering::Relaxed);
        longest
    });
    assert!(
        longest < 3 * 4096 * MAX_WAL_PAGES as u64,
        "the log had {longest} bytes"
    );
}
