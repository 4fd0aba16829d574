use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use async_trait::async_trait;
use lyceum::store::StorageError;
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::testing::crash_points::CrashSearch;
use lyceum::testing::interleavings::{
    ActiveCall, Nodes, SearchLimits, StepGate, crash_error, pairs, single_calls, triples,
};
use tempfile::TempDir;
use tokio::sync::OwnedMutexGuard;

use crate::search::{assert_none, crash_everywhere, explore_all, is_long_run, pair_extent};

/// Stage of a node's write transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Outside,
    AtBegin,
    Inside,
}

#[derive(Debug, Default)]
struct Transactions {
    stages: Mutex<Vec<Stage>>,
    /// Queue for the file's write lock: only the first waits for the lock itself, so that the order
    /// is deterministic.
    line: Arc<tokio::sync::Mutex<()>>,
}

impl Transactions {
    fn stage(&self, node: usize) -> Stage {
        self.stages.lock().unwrap()[node]
    }

    fn enter(&self, node: usize, stage: Stage) {
        self.stages.lock().unwrap()[node] = stage;
    }

    /// A writer waits at its `BEGIN` while another transaction is open. Readers never wait.
    fn is_blocked(&self, call: ActiveCall, others: &[ActiveCall]) -> bool {
        let inside = |call: &ActiveCall| self.stage(call.node) == Stage::Inside;
        self.stage(call.node) == Stage::AtBegin && others.iter().any(inside)
    }
}

/// Whether the transaction that begins here writes. A change of the directory first reads in
/// separate transactions.
fn is_writer() -> bool {
    match thread::current().name() {
        Some("lyceum-sqlite-writer") => true,
        Some("lyceum-sqlite-reader") => false,
        name => panic!("unknown thread {name:?}"),
    }
}

#[derive(Debug)]
struct Node {
    number: usize,
    gate: StepGate,
    all: Arc<Transactions>,
    place: Mutex<Option<OwnedMutexGuard<()>>>,
}

#[async_trait]
impl TransactionHook for Node {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        if phase == Phase::Begin {
            // An earlier transaction that was rolled back has not reported its end.
            self.all.enter(self.number, Stage::Outside);
        }
        self.gate.before_step().await?;
        if phase == Phase::Begin && is_writer() {
            // Not earlier: a call that may not pass this boundary waits for no lock.
            self.all.enter(self.number, Stage::AtBegin);
            let place = self.all.line.clone().lock_owned().await;
            *self.place.lock().unwrap() = Some(place);
        }
        Ok(())
    }

    async fn after(&self, phase: Phase) -> Result<(), StorageError> {
        match phase {
            Phase::Begin if is_writer() => {
                self.all.enter(self.number, Stage::Inside);
                drop(self.place.lock().unwrap().take());
            }
            Phase::Begin | Phase::Statement => {}
            Phase::Commit => self.all.enter(self.number, Stage::Outside),
        }
        self.gate.after_step().await
    }
}

fn nodes(file: &Path) -> Nodes {
    let all = Arc::new(Transactions::default());
    let mut open = {
        let (all, file) = (all.clone(), file.to_owned());
        move |gate| {
            let mut stages = all.stages.lock().unwrap();
            stages.push(Stage::Outside);
            let node = Node {
                number: stages.len() - 1,
                gate,
                all: all.clone(),
                place: Mutex::default(),
            };
            Arc::new(
                SqlStore::sqlite(&file)
                    .unwrap()
                    .with_transaction_hook(Arc::new(node)),
            ) as _
        }
    };
    Nodes::new(&mut open).with_lock_probe(move |call, others| {
        let is_blocked = all.is_blocked(call, &others);
        async move { is_blocked }
    })
}

/// Creates a folder in memory if possible: the tests do not depend on the disk.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

#[test]
fn sqlite_is_correct_in_interleavings_of_two_calls() {
    let folder = folder();
    let nodes = nodes(&folder.path().join("school.db"));
    assert_none(&explore_all(
        "sqlite",
        "pairs",
        &nodes,
        &pairs(),
        pair_extent(),
    ));
}

#[test]
fn sqlite_is_correct_in_interleavings_of_three_calls() {
    let folder = folder();
    let nodes = nodes(&folder.path().join("school.db"));
    let limits = if is_long_run() {
        SearchLimits::EXHAUSTIVE
    } else {
        SearchLimits {
            systematic: 300,
            random: 10,
            seed: 1,
        }
    };
    assert_none(&explore_all(
        "sqlite",
        "triples",
        &nodes,
        &triples(),
        limits,
    ));
}

/// Gate of one handle for crash points.
#[derive(Debug)]
struct Steps(StepGate);

#[async_trait]
impl TransactionHook for Steps {
    async fn before(&self, _: Phase) -> Result<(), StorageError> {
        self.0.before_step().await
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        self.0.after_step().await
    }
}

#[test]
fn an_operation_that_crashes_in_sqlite_is_atomic() {
    let folder = folder();
    let file = folder.path().join("school.db");
    let copies: Arc<Mutex<Vec<TempDir>>> = Arc::default();
    let open = {
        let file = file.clone();
        move |gate| {
            Arc::new(
                SqlStore::sqlite(&file)
                    .unwrap()
                    .with_transaction_hook(Arc::new(Steps(gate))),
            ) as _
        }
    };
    // A killed process leaves the file and its log as they are at that point, without a rollback.
    let death = {
        let copies = copies.clone();
        move || {
            let copy = self::folder();
            for name in ["school.db", "school.db-wal"] {
                fs::copy(file.with_file_name(name), copy.path().join(name)).unwrap();
            }
            *copies.lock().unwrap() = vec![copy];
            async { Err(crash_error()) }
        }
    };
    let recover = move || {
        let copies = copies.lock().unwrap();
        Arc::new(SqlStore::sqlite(copies[0].path().join("school.db")).unwrap()) as _
    };
    crash_everywhere(
        "sqlite",
        &single_calls(),
        &CrashSearch::new(open)
            .with_crash(death)
            .with_recovery(recover),
    );
}
