use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};

use async_trait::async_trait;
use lyceum::domain::SessionDigest;
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{DirectoryStore, DirectoryWrite, GrantStore, StorageError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::postgres_server::{Cluster, cluster};
use crate::{NOW, advance, needs_postgres, next_version, pending};

async fn store_with_one_connection(url: &str) -> SqlStore {
    SqlStore::postgres(url)
        .migrate(true)
        .connections(1)
        .timeout(crate::TIMEOUT)
        .open()
        .await
        .unwrap()
}

/// Waits at a phase for ever, panics there, or exits the process.
#[derive(Debug)]
struct Interrupt {
    phase: Phase,
    end: Interruption,
    waits: Notify,
}

#[derive(Debug, Clone, Copy)]
enum Interruption {
    Waits,
    Panics,
    Dies,
}

#[async_trait]
impl TransactionHook for Interrupt {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        match self.end {
            _ if phase != self.phase => Ok(()),
            Interruption::Waits => {
                self.waits.notify_one();
                std::future::pending().await
            }
            Interruption::Panics => panic!("as told"),
            Interruption::Dies => Err(StorageError::unavailable("died", "as told")),
        }
    }

    async fn after(&self, phase: Phase) -> Result<(), StorageError> {
        self.before(phase).await
    }
}

#[tokio::test]
async fn a_call_that_ends_before_its_time_leaves_nothing_open_on_its_connection() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = store_with_one_connection(&url).await;
    for phase in [Phase::Begin, Phase::Statement, Phase::Commit] {
        for end in [
            Interruption::Waits,
            Interruption::Panics,
            Interruption::Dies,
        ] {
            let watch = Arc::new(Interrupt {
                phase,
                end,
                waits: Notify::new(),
            });
            let watched = store.clone().with_transaction_hook(watch.clone());
            let (present, change) = next_version(&store).await.unwrap();
            let call = tokio::spawn(async move { watched.write_directory(present, change).await });
            if matches!(end, Interruption::Waits) {
                watch.waits.notified().await;
                call.abort();
            }
            assert!(!matches!(call.await, Ok(Ok(_))), "{phase:?} {end:?}");
            assert_eq!(
                store.directory_version().await.unwrap().number,
                0,
                "{phase:?} {end:?}"
            );
        }
    }
    assert_eq!(advance(&store).await.unwrap(), DirectoryWrite::Written);
    assert_eq!(store.directory_version().await.unwrap().number, 1);
}

#[tokio::test]
async fn a_cancelled_call_gives_its_connection_back_at_every_point() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = store_with_one_connection(&url).await;
    let mut least = 0;
    for polls in 0..40 {
        {
            let (present, change) = next_version(&store).await.unwrap();
            let mut call = Box::pin(store.write_directory(present, change));
            for _ in 0..polls {
                if call
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_ready()
                {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let version = store.directory_version().await.unwrap().number;
        assert!(
            (least..=least + 1).contains(&version),
            "a version is neither lost nor counted twice"
        );
        least = version;
    }
    // Fails if the lock on the table is never released. Meanwhile the last read is rolled back.
    let lock = "SET lock_timeout = '50s'; BEGIN; LOCK TABLE directory_version; COMMIT";
    tokio::task::spawn_blocking(move || Cluster::query_at(&url, lock))
        .await
        .unwrap();
}

/// Forwards one connection. While `breaks` is set, it replaces the next `BEGIN` by one that the
/// server refuses, as if an administrator had cancelled it.
async fn forward(client: TcpStream, server: TcpStream, breaks: Arc<AtomicBool>) {
    let ((mut from_client, mut to_client), (mut from_server, mut to_server)) =
        (client.into_split(), server.into_split());
    tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
    let mut bytes = vec![0; 65_536];
    while let Ok(length @ 1..) = from_client.read(&mut bytes).await {
        let sent = &mut bytes[..length];
        if let Some(at) = sent.windows(15).position(|part| part == b"BEGIN ISOLATION")
            && breaks.swap(false, Ordering::SeqCst)
        {
            sent[at..at + 5].copy_from_slice(b"BEGUN");
        }
        if to_server.write_all(sent).await.is_err() {
            return;
        }
    }
}

/// Fails if the statement that was sent with `BEGIN` takes effect although `BEGIN` fails.
#[tokio::test]
async fn a_write_whose_transaction_does_not_begin_changes_nothing() {
    needs_postgres!();
    let cluster = Cluster::start_private(&[], &[]);
    let direct = cluster.tcp_url(cluster.password());
    let (before, rest) = direct.rsplit_once('@').unwrap();
    let (address, database) = rest.split_once('/').unwrap();
    let (listener, breaks) = (
        TcpListener::bind("127.0.0.1:0").await.unwrap(),
        Arc::new(AtomicBool::new(false)),
    );
    let url = format!("{before}@{}/{database}", listener.local_addr().unwrap());
    tokio::spawn({
        let (address, breaks) = (address.to_owned(), Arc::clone(&breaks));
        async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&address).await.unwrap();
                tokio::spawn(forward(client, server, Arc::clone(&breaks)));
            }
        }
    });
    let store = store_with_one_connection(&url).await;
    let sessions = [1, 2].map(|number| SessionDigest::from_bytes([number; 32]));
    for session in &sessions {
        store.open_session(*session, pending()).await.unwrap();
    }
    // A transition of one statement, which deletes a row.
    assert!(
        store
            .close_session(&sessions[0], NOW)
            .await
            .unwrap()
            .is_some()
    );
    breaks.store(true, Ordering::SeqCst);
    assert!(store.close_session(&sessions[1], NOW).await.is_err());
    assert!(!breaks.load(Ordering::SeqCst), "one BEGIN was refused");
    assert!(
        store.session(&sessions[1], NOW).await.unwrap().is_some(),
        "nothing was deleted"
    );
    assert!(
        store
            .close_session(&sessions[1], NOW)
            .await
            .unwrap()
            .is_some(),
        "the connection stays usable"
    );
}
