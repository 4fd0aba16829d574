use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::store::sql::{SqlStore, Step, Watch};
use lyceum::store::{Storage, StorageError};
use lyceum::testing::crashes::Crashes;
use lyceum::testing::interleavings::{Extent, Nodes, Story, Turn, pairs, single_calls, triples};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls, Statement};

use crate::postgres_server::{cluster, needs_postgres};
use crate::search::{die_everywhere, is_long, none, of_pairs, part, tell_all};

/// Steps of one handle. To begin takes neither a lock nor a snapshot under READ COMMITTED, so nobody need wait there.
#[derive(Debug)]
struct Steps(Turn);

#[async_trait]
impl Watch for Steps {
    async fn before(&self, step: Step) -> Result<(), StorageError> {
        if step == Step::Begin { Ok(()) } else { self.0.pass().await }
    }

    async fn after(&self, _: Step) -> Result<(), StorageError> {
        self.0.passed().await
    }
}

/// A schema, the runtime that its connections live on, and a connection that looks at the others.
#[derive(Clone)]
struct Server {
    url: String,
    name: String,
    runtime: Arc<Runtime>,
    looker: Arc<Client>,
    blocked: Statement,
}

impl Server {
    fn on(runtime: Runtime) -> Self {
        let url = cluster().schema();
        let name = url.rsplit("%3D").next().unwrap().to_owned();
        let (looker, blocked) = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            tokio::spawn(connection);
            let blocked = client.prepare("SELECT pg_blocking_pids($1) && $2::int4[]").await.unwrap();
            (client, blocked)
        });
        Self { url, name, runtime: Arc::new(runtime), looker: Arc::new(looker), blocked }
    }

    fn name_of(&self, handle: usize) -> String {
        format!("{} {handle}", self.name)
    }

    /// A store with one connection, which the server knows by its number.
    fn open(&self, handle: usize, turn: Turn) -> Arc<dyn Storage> {
        let url = format!("{}&application_name={}", self.url, self.name_of(handle).replace(' ', "%20"));
        let opening = async move {
            SqlStore::postgres(&url).connections(1).patience(Duration::from_secs(60)).migrate(true).compare_clock(false).open().await
        };
        // Also from inside the runtime.
        let opened = std::thread::scope(|scope| scope.spawn(|| self.runtime.block_on(opening)).join().unwrap());
        Arc::new(opened.unwrap().watched_by(Arc::new(Steps(turn))))
    }

    fn nodes(&self) -> Nodes {
        let (server, driver) = (self.clone(), self.clone());
        let (mut opened, mut backends) = (0, Vec::new());
        Nodes::new(|turn| {
            let store = self.open(opened, turn);
            backends.push(self.runtime.block_on(self.backend(opened)));
            opened += 1;
            store
        })
        .probed_by(move |call, others| {
            let (server, waiting) = (server.clone(), backends[call.node]);
            let others = others.iter().map(|other| backends[other.node]).collect();
            async move { server.is_blocked(waiting, others).await }
        })
        .driven_by(move |task| driver.runtime.block_on(task))
    }

    /// The process that serves a handle.
    async fn backend(&self, handle: usize) -> i32 {
        let backend = "SELECT pid FROM pg_stat_activity WHERE application_name = $1";
        self.looker.query_one(backend, &[&self.name_of(handle)]).await.unwrap().get(0)
    }

    /// Whether one waits for a lock that another holds. A call that has ended may still be rolling back: it lets go by itself.
    async fn is_blocked(&self, waiting: i32, others: Vec<i32>) -> bool {
        self.looker.query_one(&self.blocked, &[&waiting, &others]).await.unwrap().get(0)
    }
}

fn tell(kind: &str, stories: &[Story], extent: Extent) {
    needs_postgres!();
    let server = Server::on(Builder::new_current_thread().enable_all().build().unwrap());
    none(&tell_all("postgres", kind, &server.nodes(), stories, extent));
}

/// The search waits for the server most of the time, so each half has a test of its own that can run beside the other.
#[test]
fn postgres_answers_rightly_in_orders_of_one_half_of_the_pairs() {
    tell("pairs", &part(pairs(), 0, 2), of_pairs());
}

#[test]
fn postgres_answers_rightly_in_orders_of_the_other_half_of_the_pairs() {
    tell("pairs", &part(pairs(), 1, 2), of_pairs());
}

#[test]
fn postgres_answers_rightly_in_orders_of_three() {
    let extent = if is_long() { Extent { in_order: 600, drawn: 300, seed: 1 } } else { Extent { in_order: 20, drawn: 10, seed: 1 } };
    tell("triples", &triples(), extent);
}

#[test]
fn operations_whose_connections_end_in_postgres_are_done_wholly_or_not_at_all() {
    die(0);
}

#[test]
fn other_operations_whose_connections_end_in_postgres_are_done_wholly_or_not_at_all() {
    die(1);
}

/// A connection has to be made for each point, so a short run lets every other operation die.
fn die(half: usize) {
    needs_postgres!();
    let (server, opened) = (Server::on(Runtime::new().unwrap()), Arc::new(AtomicUsize::new(0)));
    let open = {
        let (server, opened) = (server.clone(), opened.clone());
        move |turn| server.open(opened.fetch_add(1, Ordering::SeqCst), turn)
    };
    let driver = server.runtime.clone();
    // What a connection leaves is the server's to put right, and every other one finds it as a new one would.
    let another = server.open(usize::MAX, Turn::default());
    // The call finds out by itself.
    let death = move || {
        let (server, dying) = (server.clone(), opened.load(Ordering::SeqCst) - 1);
        async move {
            let ended = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1";
            server.looker.query(ended, &[&server.name_of(dying)]).await.unwrap();
            Ok(())
        }
    };
    die_everywhere(
        "postgres",
        &part(single_calls(), half, if is_long() { 2 } else { 4 }),
        &Crashes::new(open).dying_by(death).recovered_by(move || another.clone()).driven_by(move |task| driver.block_on(task)),
    );
}
