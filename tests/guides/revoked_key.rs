//! The statement that revokes a signing key in the database.

use std::sync::Arc;
use std::time::Duration;

use lyceum::AuthServer;
use lyceum::crypto::MasterKey;
use lyceum::domain::SigningAlgorithm;
use lyceum::store::sql::SqlStore;
use lyceum::testing::ManualClock;

use crate::fixtures::{ISSUER, MASTER_KEY, START};
use crate::postgres_server::{Cluster, cluster, skipped};
use crate::services::keys;
use crate::{OPERATIONS, block};

#[tokio::test]
async fn a_key_that_is_revoked_in_sqlite_is_replaced_within_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let store = SqlStore::sqlite(&path).unwrap();
    follow(store, |statement| {
        let (postgres, sqlite) = ("extract(epoch FROM now())::bigint", "unixepoch()");
        assert!(
            statement.contains(postgres)
                && OPERATIONS.contains(&format!("in SQLite the moment is `{sqlite}`"))
        );
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(&statement.replace(postgres, sqlite))
            .unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_key_that_is_revoked_in_postgresql_is_replaced_within_a_minute() {
    if skipped() {
        return;
    }
    let url = cluster().new_schema();
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .compare_clock(false)
        .open()
        .await
        .unwrap();
    follow(store, |statement| drop(Cluster::query_at(&url, statement))).await;
}

/// Runs the statement for the current signing key while a node runs. Fails if
/// the statement changes nothing.
async fn follow(store: SqlStore, run: impl Fn(&str)) {
    let clock = ManualClock::new(START);
    let builder = AuthServer::builder(Arc::new(store), ISSUER, MasterKey::from_bytes(MASTER_KEY))
        .clock(Arc::new(clock.clone()));
    let node = builder
        .signing_algorithm(SigningAlgorithm::Es256)
        .build()
        .await
        .unwrap();
    let before = keys(&node).await["keys"].clone();
    let statement = block(OPERATIONS, "sql", "UPDATE signing_keys");
    let example = statement.split('\'').nth(1).unwrap();
    run(&statement.replace(example, before[0]["kid"].as_str().unwrap()));
    clock.advance(Duration::from_secs(60));
    let after = keys(&node).await["keys"].clone();
    assert_eq!(
        (
            before.as_array().unwrap().len(),
            after.as_array().unwrap().len()
        ),
        (1, 1)
    );
    assert_ne!(before[0]["kid"], after[0]["kid"]);
}
