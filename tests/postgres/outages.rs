use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use http::Request;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use lyceum::directory::Directory;
use lyceum::domain::GrantId;
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{DirectoryStore, GrantStore, StorageError};
use lyceum::{AuthServer, DataApi};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tower::ServiceExt;

use crate::postgres_server::{Cluster, cluster};
use crate::{TIMEOUT, advance, go_by, needs_postgres, next_version, store, unavailable};

/// Returns the statuses of both services, and whether they have `Retry-After`: 503 with it while
/// the database is lost.
async fn statuses(api: &DataApi, auth: &AuthServer) -> [(u16, bool); 2] {
    let key = "01010101-0101-4101-8101-010101010101";
    let school = Request::get("/v1/students")
        .header("X-API-KEY", key)
        .body(())
        .unwrap();
    let form = format!(
        "grant_type=authorization_code&client_id={key}&client_secret=x&redirect_uri=https%3A%2F%2Fa.example%2F&code={}",
        "c".repeat(43)
    );
    let token = Request::post("/v1/oauth/token")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(form)
        .unwrap();
    let [school, token] = [
        api.clone().oneshot(school).await.unwrap(),
        auth.clone().oneshot(token).await.unwrap(),
    ];
    [school, token].map(|answer| {
        (
            answer.status().as_u16(),
            answer.headers().contains_key(RETRY_AFTER),
        )
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_lost_server_is_unavailable_and_all_goes_on_when_it_is_back() {
    needs_postgres!();
    let mut cluster = Cluster::start_private(&[], &[]);
    let store = SqlStore::postgres(&cluster.new_schema())
        .migrate(true)
        .connections(4)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let shared = Arc::new(store.clone());
    let api = DataApi::builder(
        Directory::open(shared.clone()).await.unwrap(),
        shared.clone(),
    )
    .build()
    .unwrap();
    let auth = AuthServer::builder(
        shared,
        "https://school.example/auth",
        lyceum::testing::master_key(7),
    )
    .build()
    .await
    .unwrap();
    assert_eq!(
        statuses(&api, &auth).await.map(|(status, _)| status),
        [401, 401]
    );
    for _ in 0..3 {
        let over = Arc::new(AtomicBool::new(false));
        let (failed, mut has_failed) = mpsc::unbounded_channel();
        let callers: Vec<_> = (0..8)
            .map(|number| {
                let (store, over, failed) = (store.clone(), Arc::clone(&over), failed.clone());
                tokio::spawn(async move {
                    while !over.load(Ordering::SeqCst) {
                        let outcome = match number % 2 {
                            0 => store.directory_version().await.map(drop),
                            _ => store
                                .revoke_grant(&GrantId::from_random([number; 16]), crate::NOW)
                                .await
                                .map(drop),
                        };
                        if let Err(error) = outcome {
                            assert!(error.is_unavailable(), "{error:?}");
                            failed.send(()).unwrap();
                            tokio::task::yield_now().await;
                        }
                    }
                })
            })
            .collect();
        // After the failed calls there is nothing more to wait for.
        drop(failed);
        store.directory_version().await.unwrap();
        cluster.stop();
        for _ in 0..100 {
            has_failed.recv().await.unwrap();
        }
        assert_eq!(statuses(&api, &auth).await, [(503, true), (503, true)]);
        over.store(true, Ordering::SeqCst);
        for caller in callers {
            caller.await.unwrap();
        }
        cluster.start();
        let calls: Vec<_> = (0..32)
            .map(|_| {
                tokio::spawn({
                    let store = store.clone();
                    async move { store.directory_version().await }
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        assert_eq!(
            statuses(&api, &auth).await.map(|(status, _)| status),
            [401, 401]
        );
    }
}

/// Holds a caller that has a connection before the beginning of its transaction.
#[derive(Debug, Default)]
struct Gate {
    reached: Notify,
    open: Notify,
}

#[async_trait]
impl TransactionHook for Gate {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        if phase == Phase::Begin {
            self.reached.notify_one();
            self.open.notified().await;
        }
        Ok(())
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}

#[tokio::test]
async fn when_every_connection_is_in_use_it_is_unavailable_until_one_is_free() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().new_schema())
        .migrate(true)
        .connections(1)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let shared = Arc::new(store.clone());
    let api = DataApi::builder(
        Directory::open(shared.clone()).await.unwrap(),
        shared.clone(),
    )
    .build()
    .unwrap();
    let auth = AuthServer::builder(
        shared,
        "https://school.example/auth",
        lyceum::testing::master_key(7),
    )
    .build()
    .await
    .unwrap();
    let gate = Arc::new(Gate::default());
    let held = tokio::spawn({
        let store = store.clone().with_transaction_hook(gate.clone());
        async move { store.directory_version().await }
    });
    gate.reached.notified().await;
    // Paused time advances as soon as every task waits; here the held call waits for the gate.
    tokio::time::pause();
    let reason = unavailable(store.directory_version().await);
    assert!(reason.contains("in use"), "{reason}");
    assert_eq!(statuses(&api, &auth).await, [(503, true), (503, true)]);
    tokio::time::resume();
    gate.open.notify_one();
    held.await.unwrap().unwrap();
    store.directory_version().await.unwrap();
    assert_eq!(
        statuses(&api, &auth).await.map(|(status, _)| status),
        [401, 401]
    );
}

#[tokio::test]
async fn a_row_locked_for_long_makes_only_its_call_unavailable() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = store(&url).await;
    let (other, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    other
        .batch_execute("BEGIN; UPDATE directory_version SET version = version")
        .await
        .unwrap();
    let (present, change) = next_version(&store).await.unwrap();
    let write = tokio::spawn({
        let store = store.clone();
        async move { store.write_directory(present, change).await.map(drop) }
    });
    let somebody_waits = "SELECT pg_backend_pid() = ANY(pg_blocking_pids(pid)) FROM pg_stat_activity ORDER BY 1 DESC LIMIT 1";
    while !other
        .query_one(somebody_waits, &[])
        .await
        .unwrap()
        .get::<_, bool>(0)
    {
        // Inside a transaction, the server repeats its first list of connections.
        other
            .batch_execute("SELECT pg_stat_clear_snapshot()")
            .await
            .unwrap();
    }
    go_by(TIMEOUT).await;
    unavailable(write.await.unwrap());
    store.directory_version().await.unwrap();
    other.batch_execute("ROLLBACK").await.unwrap();
    let _ = advance(&store).await.unwrap();
}

/// Proxy that can silently discard the bytes that are sent to the server.
struct BlackholeProxy {
    address: std::net::SocketAddr,
    swallows: Arc<AtomicBool>,
}

impl BlackholeProxy {
    async fn new(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, swallows) = (
            listener.local_addr().unwrap(),
            Arc::new(AtomicBool::new(false)),
        );
        let is_lost = Arc::clone(&swallows);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) =
                    TcpStream::connect(&server).await.unwrap().into_split();
                tokio::spawn(pass(from_client, to_server, Arc::clone(&is_lost)));
                tokio::spawn(pass(from_server, to_client, Arc::clone(&is_lost)));
            }
        });
        Self { address, swallows }
    }
}

async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    is_lost: Arc<AtomicBool>,
) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if !is_lost.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_blackholed_network_times_out_and_is_used_again_when_it_is_back() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let direct = cluster.tcp_url(cluster.password());
    let server = direct.split(['@', '/']).nth(3).unwrap().to_owned();
    let way = BlackholeProxy::new(server.clone()).await;
    let url = direct.replace(&server, &way.address.to_string());
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .connections(1)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    // A write waits for its end, so that its connection is idle afterwards.
    let _ = advance(&store).await.unwrap();
    way.swallows.store(true, Ordering::SeqCst);
    // Paused time advances as soon as every task waits; here no response arrives.
    tokio::time::pause();
    unavailable(store.directory_version().await);
    unavailable(advance(&store).await);
    unavailable(store.directory_version().await);
    tokio::time::resume();
    way.swallows.store(false, Ordering::SeqCst);
    store.directory_version().await.unwrap();
    let _ = advance(&store).await.unwrap();
}

#[tokio::test]
async fn a_silent_host_does_not_keep_the_next_one_from_being_tried() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hosts = format!("@{},", silent.local_addr().unwrap());
    let url = cluster.tcp_url(cluster.password()).replace('@', &hosts);
    let opening = tokio::spawn(
        SqlStore::postgres(&url)
            .migrate(true)
            .timeout(TIMEOUT)
            .open(),
    );
    let (mut client, _) = silent.accept().await.unwrap();
    assert!(client.read(&mut [0; 64]).await.unwrap() > 0);
    go_by(TIMEOUT / 2).await;
    opening
        .await
        .unwrap()
        .unwrap()
        .directory_version()
        .await
        .unwrap();
}

#[tokio::test]
async fn a_server_with_too_many_connections_is_unavailable() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    cluster
        .texts("CREATE ROLE lodger LOGIN CONNECTION LIMIT 1; GRANT ALL ON SCHEMA public TO lodger");
    let url = cluster.url().replace("lyceum@", "lodger@");
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .connections(2)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let gate = Arc::new(Gate::default());
    let held = tokio::spawn({
        let store = store.clone().with_transaction_hook(gate.clone());
        async move { store.directory_version().await }
    });
    gate.reached.notified().await;
    let reason = unavailable(store.directory_version().await);
    assert!(reason.contains("too many connections"), "{reason}");
    gate.open.notify_one();
    held.await.unwrap().unwrap();
    cluster.texts("ALTER ROLE lodger CONNECTION LIMIT 2");
    store.directory_version().await.unwrap();
}
