//! The chapter on a new master key, on the data that `tests/migration` starts from.

use std::sync::Arc;

use lyceum::crypto::{MasterKey, TokenVerifier};
use lyceum::http::ConfigError;
use lyceum::store::sql::SqlStore;
use lyceum::testing::master_key;
use serde_json::Value;

use crate::fixtures::{MASTER_KEY, NOW, REFRESH_TOKEN, SIGNING_KEY};
use crate::postgres_server::{Cluster, cluster, skipped};
use crate::services::{keys, refresh, server, sign_ins, tokens};
use crate::{OPERATIONS, block};

const SQLITE: &str = include_str!("../../migrations/sqlite/0001_initial.sql");
const POSTGRES: &str = include_str!("../../migrations/postgres/0001_initial.sql");
const ROWS: &str = include_str!("../migration/version_1.sql");
/// Statement that the operator runs in the database, for one key.
const ONE_KEY: &str = "id = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' AND ";

#[tokio::test]
async fn a_new_master_key_on_sqlite_replaces_the_old_one_node_by_node() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "application_id", 0x6c79_6365)
        .unwrap();
    let run = |statements: &str| file.execute_batch(statements).unwrap();
    run(
        "CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_by TEXT NOT NULL) STRICT",
    );
    run(SQLITE);
    run("INSERT INTO schema_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')");
    run(ROWS);
    follow(Arc::new(SqlStore::sqlite(&path).unwrap()), |statement| {
        run(&statement.replace("extract(epoch FROM now())::bigint", "unixepoch()"))
    })
    .await;
}

#[tokio::test]
async fn a_new_master_key_on_postgresql_replaces_the_old_one_node_by_node() {
    if skipped() {
        return;
    }
    let url = cluster().new_schema();
    let run = |statements: &str| drop(Cluster::query_at(&url, statements));
    run("CREATE TABLE lyceum_migrations (version BIGINT PRIMARY KEY, applied_by TEXT NOT NULL)");
    run(POSTGRES);
    run("INSERT INTO lyceum_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')");
    run(&ROWS.replace("X'", "'\\x"));
    follow(
        Arc::new(
            SqlStore::postgres(&url)
                .migrate(true)
                .compare_clock(false)
                .open()
                .await
                .unwrap(),
        ),
        run,
    )
    .await;
}

/// Follows the chapter on two nodes, one of which is always a step ahead.
async fn follow(store: Arc<SqlStore>, run: impl Fn(&str)) {
    let (old, new) = (MasterKey::from_bytes(MASTER_KEY), master_key(4));
    for (words, step) in [
        ("with_next", "let master_key = old.with_next(new);"),
        ("with_former", "let master_key = new.with_former(old);"),
    ] {
        assert_eq!(block(OPERATIONS, "rust", words).trim(), step);
    }
    let (told, changed) = (
        old.clone().with_next(new.clone()),
        new.clone().with_former(old.clone()),
    );
    let node =
        async |master_key: &MasterKey| server(store.clone(), master_key.clone()).await.unwrap();

    let mut nodes = [node(&old).await, node(&old).await];
    let [never_used_again, used_at_last] = &sign_ins(&nodes[0]).await[..] else {
        panic!("two users sign in")
    };
    let mut token = REFRESH_TOKEN.to_owned();
    for (restarted, key) in [(0, &told), (1, &told), (0, &changed), (1, &changed)] {
        nodes[restarted] = node(key).await;
        for one in &nodes {
            let issued = tokens(one, refresh(&token)).await.unwrap();
            token = issued["refresh_token"].as_str().unwrap().to_owned();
            for other in &nodes {
                let published = keys(other).await;
                assert_eq!(published["keys"][0]["kid"], SIGNING_KEY);
                verify(&published, &issued).unwrap();
            }
        }
    }
    assert!(
        tokens(
            &nodes[0],
            refresh(used_at_last["refresh_token"].as_str().unwrap())
        )
        .await
        .is_ok()
    );

    nodes[0] = node(&new).await;
    for one in &nodes {
        token = tokens(one, refresh(&token)).await.unwrap()["refresh_token"]
            .as_str()
            .unwrap()
            .to_owned();
    }
    assert_eq!(
        tokens(
            &nodes[0],
            refresh(never_used_again["refresh_token"].as_str().unwrap())
        )
        .await
        .unwrap_err(),
        "invalid_grant"
    );
    let refused = server(store.clone(), old).await.unwrap_err();
    assert!(matches!(refused, ConfigError::SigningKey(_)), "{refused}");

    // Now the new key is lost, too.
    assert!(matches!(
        server(store.clone(), master_key(5)).await,
        Err(ConfigError::SigningKey(_))
    ));
    let statement = block(OPERATIONS, "sql", "UPDATE signing_keys");
    assert!(statement.contains(ONE_KEY), "{statement}");
    run(&statement.replace(ONE_KEY, ""));
    let after = node(&master_key(5)).await;
    let published = keys(&after).await;
    assert_eq!(published["keys"].as_array().unwrap().len(), 1);
    assert_ne!(published["keys"][0]["kid"], SIGNING_KEY);
    assert_eq!(
        tokens(&after, refresh(&token)).await.unwrap_err(),
        "invalid_grant"
    );
}

/// Whether a service with these keys accepts the access token.
fn verify(keys: &Value, issued: &Value) -> Result<Value, impl std::fmt::Debug> {
    TokenVerifier::new(&serde_json::from_value(keys.clone()).unwrap())
        .verify(issued["access_token"].as_str().unwrap(), NOW)
}
