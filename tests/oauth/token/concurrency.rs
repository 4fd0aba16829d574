use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::ClientPolicy;
use lyceum::store::AuthStorage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use tempfile::TempDir;
use tokio::sync::Barrier;

use super::harness::*;
use crate::postgres_server::needs_postgres;
use crate::stores::{new_schema, open_schema};

const AT_ONCE: usize = 64;

/// The responses to one request that is sent many times concurrently, to the servers in turn.
async fn at_once(harnesses: &[Arc<Harness>], fields: &Fields) -> Vec<TestResponse> {
    let barrier = Arc::new(Barrier::new(AT_ONCE));
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|number| {
            let (harness, barrier, fields) = (
                Arc::clone(&harnesses[number % harnesses.len()]),
                Arc::clone(&barrier),
                fields.clone(),
            );
            tokio::spawn(async move {
                barrier.wait().await;
                harness.post(&fields).await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

/// A server for each of these stores, which share their data.
async fn harnesses(stores: Vec<Arc<dyn AuthStorage>>) -> Vec<Arc<Harness>> {
    let mut stores = stores.into_iter();
    let first = Harness::with_store(stores.next().unwrap(), |builder| builder).await;
    let mut harnesses = Vec::new();
    for store in stores {
        harnesses.push(Arc::new(first.second_node(store).await));
    }
    harnesses.push(Arc::new(first));
    harnesses
}

async fn exchange_at_once(stores: Vec<Arc<dyn AuthStorage>>, rounds: usize) {
    let harnesses = harnesses(stores).await;
    let harness = &harnesses[0];
    let client = harness.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let answers = at_once(&harnesses, &harness.exchange_fields(&client).await).await;
        let (winners, losers): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(winners.len(), 1);
        assert!(
            losers
                .iter()
                .all(|loser| loser.error() == error(400, "invalid_grant")),
            "{losers:?}"
        );
        // The others are replays.
        assert!(!harness.is_live(&winners[0].tokens().access).await);
    }
}

async fn refresh_at_once(stores: Vec<Arc<dyn AuthStorage>>, rounds: usize) {
    let harnesses = harnesses(stores).await;
    let harness = &harnesses[0];
    let client = harness.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let first = harness.tokens(&client).await;
        let answers = at_once(&harnesses, &refresh_fields(&client, &first.refresh)).await;
        let successor = answers[0].tokens().refresh;
        assert!(
            answers
                .iter()
                .all(|answer| answer.tokens().refresh == successor),
            "the chain has forked"
        );
        assert_ne!(successor, first.refresh);
        let next = harness.refresh(&client, &successor).await.tokens();
        assert!(harness.is_live(&next.access).await);
    }
}

/// Two nodes that share a file.
fn in_a_file() -> (TempDir, Vec<Arc<dyn AuthStorage>>) {
    let folder = tempfile::tempdir().unwrap();
    let stores = [(), ()]
        .map(|()| Arc::new(SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap()) as _);
    (folder, stores.into())
}

/// Two nodes that share a schema.
async fn on_a_server() -> Vec<Arc<dyn AuthStorage>> {
    let url = new_schema();
    vec![
        Arc::new(open_schema(&url).await),
        Arc::new(open_schema(&url).await),
    ]
}

// Proves: threats 1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_code_that_is_exchanged_many_times_at_once_is_spent_once_in_memory() {
    exchange_at_once(vec![Arc::new(MemoryStore::new())], 50).await;
}

// Proves: threats 1
/// Fails if the statement that redeems a code does not check whether it was redeemed.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_code_that_is_exchanged_many_times_at_once_at_two_nodes_is_spent_once_in_sqlite() {
    let (_folder, stores) = in_a_file();
    exchange_at_once(stores, 10).await;
}

// Proves: threats 1
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_code_that_is_exchanged_many_times_at_once_at_two_nodes_is_spent_once_in_postgres() {
    needs_postgres!();
    exchange_at_once(on_a_server().await, 10).await;
}

// Proves: threats 4
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_token_that_is_used_many_times_at_once_has_one_successor_in_memory() {
    refresh_at_once(vec![Arc::new(MemoryStore::new())], 20).await;
}

// Proves: threats 4
/// Fails if the statement that rotates does not check the generation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_token_that_is_used_many_times_at_once_at_two_nodes_has_one_successor_in_sqlite()
{
    let (_folder, stores) = in_a_file();
    refresh_at_once(stores, 10).await;
}

// Proves: threats 4
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_token_that_is_used_many_times_at_once_at_two_nodes_has_one_successor_in_postgres()
 {
    needs_postgres!();
    refresh_at_once(on_a_server().await, 10).await;
}

// Proves: threats 5
/// Fails if the revocation after a reuse is not persistent.
#[tokio::test]
async fn revoked_and_used_tokens_stay_so_after_a_restart_on_sqlite() {
    let (_folder, stores) = in_a_file();
    restart(&stores).await;
}

// Proves: threats 5
#[tokio::test]
async fn revoked_and_used_tokens_stay_so_after_a_restart_on_postgres() {
    needs_postgres!();
    restart(&on_a_server().await).await;
}

/// Replaces a server by a new one over the same store.
async fn restart(stores: &[Arc<dyn AuthStorage>]) {
    let before = Harness::with_store(Arc::clone(&stores[0]), |builder| builder).await;
    let client = before.client(ClientPolicy::Public).await;
    let fields = before.exchange_fields(&client).await;
    let first = before.post(&fields).await.tokens();
    let second = before.refresh(&client, &first.refresh).await.tokens();
    before.clock.advance(Duration::from_secs(31));
    let after = before.second_node(Arc::clone(&stores[1])).await;
    drop(before);
    assert!(
        after.is_live(&second.access).await,
        "the keys are unchanged"
    );
    assert_eq!(
        after.refresh(&client, &first.refresh).await.error(),
        error(400, "invalid_grant")
    );
    assert!(!after.is_live(&second.access).await);
    assert_eq!(
        after.refresh(&client, &second.refresh).await.error(),
        error(400, "invalid_grant")
    );
    assert_eq!(
        after.post(&fields).await.error(),
        error(400, "invalid_grant")
    );
}
