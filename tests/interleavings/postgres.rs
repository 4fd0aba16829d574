use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use lyceum::store::sql::{SqlStore, Step, Watch};
use lyceum::store::{Storage, StorageError};
use lyceum::testing::crashes::Crashes;
use lyceum::testing::interleavings::{Extent, Nodes, Story, Turn, pairs, triples};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

use crate::postgres_server::{cluster, skipped};
use crate::search::{die_everywhere, is_long, none, tell_all};

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
}

impl Server {
    fn new() -> Self {
        let url = cluster().schema();
        let name = url.rsplit("%3D").next().unwrap().to_owned();
        let runtime = Runtime::new().unwrap();
        let looker = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            tokio::spawn(connection);
            client
        });
        Self { url, name, runtime: Arc::new(runtime), looker: Arc::new(looker) }
    }

    fn name_of(&self, handle: usize) -> String {
        format!("{} {handle}", self.name)
    }

    /// A store with one connection, which the server knows by its number.
    fn open(&self, handle: usize, turn: Turn) -> Arc<dyn Storage> {
        let url = format!("{}&application_name={}", self.url, self.name_of(handle).replace(' ', "%20"));
        let opening = async move { SqlStore::postgres(&url).connections(1).patience(Duration::from_secs(60)).migrate(true).open().await };
        // Also from inside the runtime.
        let opened = std::thread::scope(|scope| scope.spawn(|| self.runtime.block_on(opening)).join().unwrap());
        Arc::new(opened.unwrap().watched_by(Arc::new(Steps(turn))))
    }

    fn nodes(&self) -> Nodes {
        let mut opened = 0;
        let (server, driver) = (self.clone(), self.clone());
        Nodes::new(|turn| {
            opened += 1;
            self.open(opened - 1, turn)
        })
        .probed_by(move |call, others| {
            let server = server.clone();
            async move { server.is_blocked(call.node, others.iter().map(|other| other.node)).await }
        })
        .driven_by(move |task| driver.runtime.block_on(task))
    }

    /// Whether a handle waits for a lock that one of the others holds. One whose call has ended may still be rolling back: it lets go by itself.
    async fn is_blocked(&self, handle: usize, others: impl Iterator<Item = usize>) -> bool {
        const BLOCKED: &str = "SELECT 1 FROM pg_stat_activity waiting, pg_stat_activity holding WHERE waiting.application_name = $1 \
                               AND holding.application_name = ANY ($2) AND holding.pid = ANY (pg_blocking_pids(waiting.pid))";
        let others: Vec<String> = others.map(|other| self.name_of(other)).collect();
        !self.looker.query(BLOCKED, &[&self.name_of(handle), &others]).await.unwrap().is_empty()
    }
}

fn tell(kind: &str, stories: &[Story], extent: Extent) {
    if !skipped() {
        none(&tell_all("postgres", kind, &Server::new().nodes(), stories, extent));
    }
}

#[test]
fn postgres_answers_rightly_in_every_order() {
    tell("pairs", &pairs(), Extent::EVERY);
}

#[test]
fn postgres_answers_rightly_in_orders_of_three() {
    let extent = if is_long() { Extent { in_order: 2_000, drawn: 500, seed: 1 } } else { Extent { in_order: 15, drawn: 15, seed: 1 } };
    tell("triples", &triples(), extent);
}

#[test]
fn an_operation_whose_connection_ends_in_postgres_is_done_wholly_or_not_at_all() {
    if skipped() {
        return;
    }
    let (server, opened) = (Server::new(), Arc::new(AtomicUsize::new(0)));
    let open = {
        let (server, opened) = (server.clone(), opened.clone());
        move |turn| server.open(opened.fetch_add(1, Ordering::SeqCst), turn)
    };
    let driver = server.runtime.clone();
    // The call finds out by itself.
    let death = move || {
        let (server, dying) = (server.clone(), opened.load(Ordering::SeqCst) - 1);
        async move {
            let ended = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = $1";
            server.looker.query(ended, &[&server.name_of(dying)]).await.unwrap();
            Ok(())
        }
    };
    die_everywhere("postgres", &Crashes::new(open).dying_by(death).driven_by(move |task| driver.block_on(task)));
}
