//! What time may tell of a SQL database: how many statements a call takes.

#[path = "support/postgres.rs"]
mod postgres_server;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::domain::{
    Client, ClientId, ClientPolicy, ClientSecretDigest, Line, RegisteredSecret, Scope, ScopeSet, SubjectId, Timestamp, Verification,
};
use lyceum::store::sql::{SqlStore, Step, Watch};
use lyceum::store::{ClientCreation, ClientRegistry, StorageError};
use postgres_server::{cluster, needs_postgres};

/// Counts statements.
#[derive(Debug, Default)]
struct Counter(AtomicUsize);

#[async_trait]
impl Watch for Counter {
    async fn before(&self, step: Step) -> Result<(), StorageError> {
        self.0.fetch_add(usize::from(step == Step::Statement), Ordering::SeqCst);
        Ok(())
    }

    async fn after(&self, _: Step) -> Result<(), StorageError> {
        Ok(())
    }
}

fn client(number: u8, policy: ClientPolicy, secrets: usize) -> Client {
    let created_at = Timestamp::from_seconds(1_790_000_000);
    let secret = RegisteredSecret { digest: ClientSecretDigest::from_bytes([number; 32]), created_at };
    Client {
        id: ClientId::from_random([number; 16]),
        name: Line::literal("Club app"),
        owner: SubjectId::service(),
        policy,
        secrets: vec![secret; secrets],
        redirect_uris: vec!["https://app.example/callback".parse().unwrap()],
        allowed_scopes: [Scope::self_read()].into_iter().collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        verification: Verification::Assumed,
        created_at,
    }
}

async fn an_unknown_client_takes_as_many_statements_as_any(store: SqlStore) {
    let [public, secret] = [client(1, ClientPolicy::Public, 0), client(2, ClientPolicy::Secret, 2)];
    let bare = Client { allowed_scopes: ScopeSet::default(), ..client(3, ClientPolicy::Public, 0) };
    for client in [&public, &secret, &bare] {
        assert_eq!(store.create_client(client.clone()).await.unwrap(), ClientCreation::Created);
    }
    let counter = Arc::new(Counter::default());
    let watched = store.watched_by(counter.clone());
    let mut statements = Vec::new();
    for (id, is_known) in [(ClientId::from_random([9; 16]), false), (public.id, true), (secret.id, true), (bare.id, true)] {
        assert_eq!(watched.client(id).await.unwrap().is_some(), is_known);
        statements.push(counter.0.swap(0, Ordering::SeqCst));
    }
    assert_eq!(statements, [3; 4]);
}

#[tokio::test]
async fn s18_in_sqlite_an_unknown_client_takes_as_many_statements_as_any() {
    let folder = tempfile::tempdir().unwrap();
    an_unknown_client_takes_as_many_statements_as_any(SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap()).await;
}

#[tokio::test]
async fn s18_in_postgres_an_unknown_client_takes_as_many_statements_as_any() {
    needs_postgres!();
    let store = SqlStore::postgres(&cluster().schema()).migrate(true).open().await.unwrap();
    an_unknown_client_takes_as_many_statements_as_any(store).await;
}
