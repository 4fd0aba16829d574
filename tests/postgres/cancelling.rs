use std::sync::Arc;
use std::task::{Context, Waker};

use async_trait::async_trait;
use lyceum::store::sql::{SqlStore, Step, Watch};
use lyceum::store::{DatasetVersion, SchoolDirectory, StorageError, Writing};
use tokio::sync::Notify;

use crate::needs_postgres;
use crate::postgres_server::{Cluster, cluster};

async fn store_with_one_connection(url: &str) -> SqlStore {
    SqlStore::postgres(url).migrate(true).connections(1).patience(crate::PATIENCE).open().await.unwrap()
}

/// Waits at a step for ever, panics there, or lets the program die.
#[derive(Debug)]
struct At {
    step: Step,
    end: End,
    waits: Notify,
}

#[derive(Debug, Clone, Copy)]
enum End {
    Waits,
    Panics,
    Dies,
}

#[async_trait]
impl Watch for At {
    async fn before(&self, step: Step) -> Result<(), StorageError> {
        match self.end {
            _ if step != self.step => Ok(()),
            End::Waits => {
                self.waits.notify_one();
                std::future::pending().await
            }
            End::Panics => panic!("as told"),
            End::Dies => Err(StorageError::unavailable("died", "as told")),
        }
    }

    async fn after(&self, step: Step) -> Result<(), StorageError> {
        self.before(step).await
    }
}

#[tokio::test]
async fn a_call_that_ends_before_its_time_leaves_nothing_open_on_its_connection() {
    needs_postgres!();
    let url = cluster().schema();
    let store = store_with_one_connection(&url).await;
    for step in [Step::Begin, Step::Statement, Step::Commit] {
        for end in [End::Waits, End::Panics, End::Dies] {
            let watch = Arc::new(At { step, end, waits: Notify::new() });
            let watched = store.clone().watched_by(watch.clone());
            let call = tokio::spawn(async move { watched.write(Vec::new()).await });
            if matches!(end, End::Waits) {
                watch.waits.notified().await;
                call.abort();
            }
            assert!(!matches!(call.await, Ok(Ok(_))), "{step:?} {end:?}");
            assert_eq!(store.version().await.unwrap().number, 0, "{step:?} {end:?}");
        }
    }
    assert!(matches!(store.write(Vec::new()).await.unwrap(), Writing::Written(DatasetVersion { number: 1, .. })));
}

#[tokio::test]
async fn a_cancelled_call_gives_its_connection_back_at_every_point() {
    needs_postgres!();
    let url = cluster().schema();
    let store = store_with_one_connection(&url).await;
    let mut least = 0;
    for polls in 0..40 {
        {
            let mut call = Box::pin(store.write(Vec::new()));
            for _ in 0..polls {
                if call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let version = store.version().await.unwrap().number;
        assert!((least..=least + 1).contains(&version), "a version is neither lost nor counted twice");
        least = version;
    }
    // Nobody holds the table for ever, or this would wait in vain. Meanwhile the last read is rolled back.
    let lock = "SET lock_timeout = '50s'; BEGIN; LOCK TABLE directory_version; COMMIT";
    tokio::task::spawn_blocking(move || Cluster::texts_at(&url, lock)).await.unwrap();
}
