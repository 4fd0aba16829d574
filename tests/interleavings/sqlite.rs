use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use async_trait::async_trait;
use lyceum::store::StorageError;
use lyceum::store::sql::{SqlStore, Step, Watch};
use lyceum::testing::crashes::Crashes;
use lyceum::testing::interleavings::{Call, Extent, Nodes, Turn, died, pairs, single_calls, triples};
use tempfile::TempDir;
use tokio::sync::OwnedMutexGuard;

use crate::search::{die_everywhere, is_long, none, of_pairs, tell_all};

/// Where each node's transaction that writes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Outside,
    AtBegin,
    Inside,
}

#[derive(Debug, Default)]
struct Transactions {
    stages: Mutex<Vec<Stage>>,
    /// Who comes first waits for the lock of the file alone, so that it is not left to chance who gets it.
    line: Arc<tokio::sync::Mutex<()>>,
}

impl Transactions {
    fn stage(&self, node: usize) -> Stage {
        self.stages.lock().unwrap()[node]
    }

    fn enter(&self, node: usize, stage: Stage) {
        self.stages.lock().unwrap()[node] = stage;
    }

    /// A writer waits at its beginning while another is inside. Readers never wait.
    fn is_blocked(&self, call: Call, others: &[Call]) -> bool {
        let inside = |call: &Call| self.stage(call.node) == Stage::Inside;
        self.stage(call.node) == Stage::AtBegin && others.iter().any(inside)
    }
}

/// Whether the transaction that begins here writes. A change of the directory reads in transactions of their own before it writes.
fn is_writer() -> bool {
    match thread::current().name() {
        Some("lyceum-sqlite-writer") => true,
        Some("lyceum-sqlite-reader") => false,
        name => panic!("nothing is known of the thread {name:?}"),
    }
}

#[derive(Debug)]
struct Node {
    number: usize,
    turn: Turn,
    all: Arc<Transactions>,
    place: Mutex<Option<OwnedMutexGuard<()>>>,
}

#[async_trait]
impl Watch for Node {
    async fn before(&self, step: Step) -> Result<(), StorageError> {
        if step == Step::Begin {
            // A transaction before it that was rolled back has told nobody that it ended.
            self.all.enter(self.number, Stage::Outside);
        }
        self.turn.pass().await?;
        if step == Step::Begin && is_writer() {
            // Not earlier: a call that comes to this boundary and may not pass it waits for nobody's lock.
            self.all.enter(self.number, Stage::AtBegin);
            let place = self.all.line.clone().lock_owned().await;
            *self.place.lock().unwrap() = Some(place);
        }
        Ok(())
    }

    async fn after(&self, step: Step) -> Result<(), StorageError> {
        match step {
            Step::Begin if is_writer() => {
                self.all.enter(self.number, Stage::Inside);
                drop(self.place.lock().unwrap().take());
            }
            Step::Begin | Step::Statement => {}
            Step::Commit => self.all.enter(self.number, Stage::Outside),
        }
        self.turn.passed().await
    }
}

fn nodes(file: &Path) -> Nodes {
    let all = Arc::new(Transactions::default());
    let mut open = {
        let (all, file) = (all.clone(), file.to_owned());
        move |turn| {
            let mut stages = all.stages.lock().unwrap();
            stages.push(Stage::Outside);
            let node = Node { number: stages.len() - 1, turn, all: all.clone(), place: Mutex::default() };
            Arc::new(SqlStore::sqlite(&file).unwrap().watched_by(Arc::new(node))) as _
        }
    };
    Nodes::new(&mut open).probed_by(move |call, others| {
        let is_blocked = all.is_blocked(call, &others);
        async move { is_blocked }
    })
}

/// A folder in memory where there is one: what is proven here does not depend on the disk.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn sqlite_answers_rightly_in_orders_of_two() {
    let folder = folder();
    let nodes = nodes(&folder.path().join("school.db"));
    none(&tell_all("sqlite", "pairs", &nodes, &pairs(), of_pairs()));
}

#[test]
fn sqlite_answers_rightly_in_orders_of_three() {
    let folder = folder();
    let nodes = nodes(&folder.path().join("school.db"));
    let extent = if is_long() { Extent::EVERY } else { Extent { in_order: 300, drawn: 10, seed: 1 } };
    none(&tell_all("sqlite", "triples", &nodes, &triples(), extent));
}

/// Steps of one handle, for who lets it die.
#[derive(Debug)]
struct Steps(Turn);

#[async_trait]
impl Watch for Steps {
    async fn before(&self, _: Step) -> Result<(), StorageError> {
        self.0.pass().await
    }

    async fn after(&self, _: Step) -> Result<(), StorageError> {
        self.0.passed().await
    }
}

#[test]
fn an_operation_that_dies_in_sqlite_is_done_wholly_or_not_at_all() {
    let folder = folder();
    let file = folder.path().join("school.db");
    let copies: Arc<Mutex<Vec<TempDir>>> = Arc::default();
    let open = {
        let file = file.clone();
        move |turn| Arc::new(SqlStore::sqlite(&file).unwrap().watched_by(Arc::new(Steps(turn)))) as _
    };
    // What a killed process leaves is the file and its log as they are at that point. Nothing is rolled back there.
    let death = {
        let copies = copies.clone();
        move || {
            let copy = self::folder();
            for name in ["school.db", "school.db-wal"] {
                fs::copy(file.with_file_name(name), copy.path().join(name)).unwrap();
            }
            *copies.lock().unwrap() = vec![copy];
            async { Err(died()) }
        }
    };
    let recover = move || {
        let copies = copies.lock().unwrap();
        Arc::new(SqlStore::sqlite(copies[0].path().join("school.db")).unwrap()) as _
    };
    die_everywhere("sqlite", &single_calls(), &Crashes::new(open).dying_by(death).recovered_by(recover));
}
