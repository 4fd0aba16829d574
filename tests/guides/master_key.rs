//! The chapter on a new master key, on the data that `tests/migration` starts from.

use std::sync::Arc;

use lyceum::crypto::TokenVerifier;
use lyceum::http::auth_server::ConfigError;
use lyceum::store::sql::SqlStore;
use serde_json::Value;

use crate::given::{MASTER_KEY, NOW, REFRESH_TOKEN, SIGNING_KEY};
use crate::postgres_server::{Cluster, cluster, skipped};
use crate::services::{keys, refresh, server, sign_ins, tokens};
use crate::{OPERATIONS, block};

const SQLITE: &str = include_str!("../../migrations/sqlite/0001_initial.sql");
const POSTGRES: &str = include_str!("../../migrations/postgres/0001_initial.sql");
const ROWS: &str = include_str!("../migration/version_1.sql");
const NEW_MASTER_KEY: [u8; 32] = [4; 32];

#[tokio::test]
async fn a_new_master_key_on_sqlite_ends_all_tokens_and_users_sign_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "application_id", 0x6c79_6365).unwrap();
    let run = |statements: &str| file.execute_batch(statements).unwrap();
    run("CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, applied_by TEXT NOT NULL) STRICT");
    run(SQLITE);
    run("INSERT INTO schema_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')");
    run(ROWS);
    follow(Arc::new(SqlStore::sqlite(&path).unwrap()), run).await;
}

#[tokio::test]
async fn a_new_master_key_on_postgresql_ends_all_tokens_and_users_sign_in_again() {
    if skipped() {
        return;
    }
    let url = cluster().schema();
    let run = |statements: &str| drop(Cluster::texts_at(&url, statements));
    run("CREATE TABLE lyceum_migrations (version BIGINT PRIMARY KEY, applied_by TEXT NOT NULL)");
    run(POSTGRES);
    run("INSERT INTO lyceum_migrations (version, applied_by) VALUES (1, 'lyceum 0.1.0')");
    run(&ROWS.replace("X'", "'\\x"));
    follow(Arc::new(SqlStore::postgres(&url).migrate(true).open().await.unwrap()), run).await;
}

/// Does what the chapter says, between what its reader had and what they get.
async fn follow(store: Arc<SqlStore>, run: impl Fn(&str)) {
    let old = server(store.clone(), MASTER_KEY).await.unwrap();
    let issued = tokens(&old, refresh(REFRESH_TOKEN)).await.unwrap();
    verify(&keys(&old).await, &issued).unwrap();
    drop(old);

    let refused = server(store.clone(), NEW_MASTER_KEY).await.unwrap_err();
    assert!(matches!(refused, ConfigError::SigningKey(_)), "{refused}");
    run(block(OPERATIONS, "sql", "DELETE FROM signing_keys"));

    let new = server(store, NEW_MASTER_KEY).await.unwrap();
    let kept = keys(&new).await;
    assert_eq!(kept["keys"].as_array().unwrap().len(), 1);
    assert_ne!(kept["keys"][0]["kid"], SIGNING_KEY);
    let refreshed = issued["refresh_token"].as_str().unwrap();
    for token in [REFRESH_TOKEN, refreshed] {
        assert_eq!(tokens(&new, refresh(token)).await.unwrap_err(), "invalid_grant");
    }
    verify(&kept, &issued).unwrap_err();
    for issued in sign_ins(&new).await {
        verify(&kept, &issued).unwrap();
        let token = issued["refresh_token"].as_str().unwrap();
        assert!(tokens(&new, refresh(token)).await.is_ok());
    }
}

/// Whether a service that has these keys believes the access token.
fn verify(keys: &Value, issued: &Value) -> Result<Value, impl std::fmt::Debug> {
    TokenVerifier::new(&serde_json::from_value(keys.clone()).unwrap()).verify(issued["access_token"].as_str().unwrap(), NOW)
}
