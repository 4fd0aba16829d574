use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{Storage, StorageError};
use lyceum::testing::crash_points::CrashSearch;
use lyceum::testing::interleavings::{
    Nodes, Scenario, SearchLimits, StepGate, pairs, single_calls, triples,
};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, Statement};

use crate::postgres_server::{cluster, needs_postgres};
use crate::search::{assert_none, crash_everywhere, explore_all, is_long_run, pair_extent, part};

/// Gate of one handle. `BEGIN` takes neither a lock nor a snapshot under READ COMMITTED, so the
/// gate does not stop before it.
#[derive(Debug)]
struct Steps(StepGate);

#[async_trait]
impl TransactionHook for Steps {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        if phase == Phase::Begin {
            Ok(())
        } else {
            self.0.before_step().await
        }
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        self.0.after_step().await
    }
}

/// A schema, the runtime of its connections, and a connection that observes the others.
#[derive(Clone)]
struct Server {
    url: String,
    name: String,
    runtime: Arc<Runtime>,
    looker: Arc<Client>,
    blocked: Statement,
}

impl Server {
    fn new(runtime: Runtime) -> Self {
        let url = cluster().new_schema();
        let name = url.rsplit("%3D").next().unwrap().to_owned();
        let (looker, blocked) = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            tokio::spawn(connection);
            let blocked = client
                .prepare("SELECT pg_blocking_pids($1) && $2::int4[]")
                .await
                .unwrap();
            (client, blocked)
        });
        Self {
            url,
            name,
            runtime: Arc::new(runtime),
            looker: Arc::new(looker),
            blocked,
        }
    }

    fn name_of(&self, handle: usize) -> String {
        format!("{} {handle}", self.name)
    }

    /// Opens a store with one connection, which the server identifies by its number.
    fn open(&self, handle: usize, gate: StepGate) -> Arc<dyn Storage> {
        let url = format!(
            "{}&application_name={}",
            self.url,
            self.name_of(handle).replace(' ', "%20")
        );
        let opening = async move {
            SqlStore::postgres(&url)
                .connections(1)
                .timeout(Duration::from_secs(60))
                .migrate(true)
                .compare_clock(false)
                .open()
                .await
        };
        // A separate thread, because the caller may be inside the runtime.
        let opened = std::thread::scope(|scope| {
            scope
                .spawn(|| self.runtime.block_on(opening))
                .join()
                .unwrap()
        });
        Arc::new(opened.unwrap().with_transaction_hook(Arc::new(Steps(gate))))
    }

    fn nodes(&self) -> Nodes {
        let (server, driver) = (self.clone(), self.clone());
        let (mut opened, mut backends) = (0, Vec::new());
        Nodes::new(|gate| {
            let store = self.open(opened, gate);
            backends.push(self.runtime.block_on(self.backend(opened)));
            opened += 1;
            store
        })
        .with_lock_probe(move |call, others| {
            let (server, waiting) = (server.clone(), backends[call.node]);
            let others = others.iter().map(|other| backends[other.node]).collect();
            async move { server.is_blocked(waiting, others).await }
        })
        .with_executor(move |task| driver.runtime.block_on(task))
    }

    /// Returns the server process of a handle.
    async fn backend(&self, handle: usize) -> i32 {
        let backend = "SELECT pid FROM pg_stat_activity WHERE application_name = $1";
        self.looker
            .query_one(backend, &[&self.name_of(handle)])
            .await
            .unwrap()
            .get(0)
    }

    /// Whether one process waits for a lock that another holds. A call that has ended may still be
    /// rolling back: it releases its locks by itself.
    async fn is_blocked(&self, waiting: i32, others: Vec<i32>) -> bool {
        self.looker
            .query_one(&self.blocked, &[&waiting, &others])
            .await
            .unwrap()
            .get(0)
    }
}

fn explore_kind(kind: &str, scenarios: &[Scenario], limits: SearchLimits) {
    needs_postgres!();
    let server = Server::new(Builder::new_current_thread().enable_all().build().unwrap());
    assert_none(&explore_all(
        "postgres",
        kind,
        &server.nodes(),
        scenarios,
        limits,
    ));
}

/// The search mostly waits for the server, so each half is a separate test that can run in
/// parallel.
#[test]
fn postgres_is_correct_in_interleavings_of_the_first_half_of_the_pairs() {
    explore_kind("pairs", &part(pairs(), 0, 2), pair_extent());
}

#[test]
fn postgres_is_correct_in_interleavings_of_the_second_half_of_the_pairs() {
    explore_kind("pairs", &part(pairs(), 1, 2), pair_extent());
}

#[test]
fn postgres_is_correct_in_interleavings_of_three_calls() {
    let limits = if is_long_run() {
        SearchLimits {
            systematic: 600,
            random: 300,
            seed: 1,
        }
    } else {
        SearchLimits {
            systematic: 20,
            random: 10,
            seed: 1,
        }
    };
    explore_kind("triples", &triples(), limits);
}

#[test]
fn operations_whose_postgres_connection_ends_are_atomic() {
    crash_half(0);
}

#[test]
fn the_other_operations_whose_postgres_connection_ends_are_atomic() {
    crash_half(1);
}

/// Each crash point needs a new connection, so a short run crashes every other operation.
fn crash_half(half: usize) {
    needs_postgres!();
    let (server, opened) = (
        Server::new(Runtime::new().unwrap()),
        Arc::new(AtomicUsize::new(0)),
    );
    let open = {
        let (server, opened) = (server.clone(), opened.clone());
        move |gate| server.open(opened.fetch_add(1, Ordering::SeqCst), gate)
    };
    let driver = server.runtime.clone();
    // The server rolls back for a lost connection, and any other connection finds the same data as
    // a new one.
    let another = server.open(usize::MAX, StepGate::default());
    // The call notices the lost connection by itself.
    let death = move || {
        let (server, dying) = (server.clone(), opened.load(Ordering::SeqCst) - 1);
        async move {
            let ended = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1";
            server
                .looker
                .query(ended, &[&server.name_of(dying)])
                .await
                .unwrap();
            Ok(())
        }
    };
    crash_everywhere(
        "postgres",
        &part(single_calls(), half, if is_long_run() { 2 } else { 4 }),
        &CrashSearch::new(open)
            .with_crash(death)
            .with_recovery(move || another.clone())
            .with_executor(move |task| driver.block_on(task)),
    );
}
