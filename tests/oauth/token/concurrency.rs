use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::ClientPolicy;
use lyceum::store::AuthStorage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use tempfile::TempDir;
use tokio::sync::Barrier;

use super::world::*;
use crate::postgres_server::needs_postgres;
use crate::stores::{new_schema, open_schema};

const AT_ONCE: usize = 64;

/// The answers to one request that is sent many times at once, to every server in turn.
async fn at_once(worlds: &[Arc<World>], fields: &Fields) -> Vec<Answer> {
    let barrier = Arc::new(Barrier::new(AT_ONCE));
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|number| {
            let (world, barrier, fields) = (Arc::clone(&worlds[number % worlds.len()]), Arc::clone(&barrier), fields.clone());
            tokio::spawn(async move {
                barrier.wait().await;
                world.post(&fields).await
            })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

/// As many servers as there are stores, which all lead to the same place.
async fn worlds(stores: Vec<Arc<dyn AuthStorage>>) -> Vec<Arc<World>> {
    let mut stores = stores.into_iter();
    let first = World::over(stores.next().unwrap(), |builder| builder).await;
    let mut worlds = Vec::new();
    for store in stores {
        worlds.push(Arc::new(first.neighbour(store).await));
    }
    worlds.push(Arc::new(first));
    worlds
}

async fn exchange_at_once(stores: Vec<Arc<dyn AuthStorage>>, rounds: usize) {
    let worlds = worlds(stores).await;
    let world = &worlds[0];
    let client = world.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let answers = at_once(&worlds, &world.exchange_fields(&client).await).await;
        let (winners, losers): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(winners.len(), 1);
        assert!(losers.iter().all(|loser| loser.error() == error(400, "invalid_grant")), "{losers:?}");
        // The others are replays.
        assert!(!world.is_live(&winners[0].tokens().access).await);
    }
}

async fn refresh_at_once(stores: Vec<Arc<dyn AuthStorage>>, rounds: usize) {
    let worlds = worlds(stores).await;
    let world = &worlds[0];
    let client = world.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let first = world.tokens(&client).await;
        let answers = at_once(&worlds, &refresh_fields(&client, &first.refresh)).await;
        let successor = answers[0].tokens().refresh;
        assert!(answers.iter().all(|answer| answer.tokens().refresh == successor), "the chain has forked");
        assert_ne!(successor, first.refresh);
        let next = world.refresh(&client, &successor).await.tokens();
        assert!(world.is_live(&next.access).await);
    }
}

/// Two nodes that share a file.
fn in_a_file() -> (TempDir, Vec<Arc<dyn AuthStorage>>) {
    let folder = tempfile::tempdir().unwrap();
    let stores = [(), ()].map(|()| Arc::new(SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap()) as _);
    (folder, stores.into())
}

/// Two nodes that share a schema.
async fn on_a_server() -> Vec<Arc<dyn AuthStorage>> {
    let url = new_schema();
    vec![Arc::new(open_schema(&url).await), Arc::new(open_schema(&url).await)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_is_spent_once_in_memory() {
    exchange_at_once(vec![Arc::new(MemoryStore::new())], 50).await;
}

/// Fails if the statement that spends a code does not ask whether it was spent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_at_two_nodes_is_spent_once_in_sqlite() {
    let (_folder, stores) = in_a_file();
    exchange_at_once(stores, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_at_two_nodes_is_spent_once_in_postgres() {
    needs_postgres!();
    exchange_at_once(on_a_server().await, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_has_one_successor_in_memory() {
    refresh_at_once(vec![Arc::new(MemoryStore::new())], 20).await;
}

/// Fails if the statement that rotates does not ask for the generation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_at_two_nodes_has_one_successor_in_sqlite() {
    let (_folder, stores) = in_a_file();
    refresh_at_once(stores, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_at_two_nodes_has_one_successor_in_postgres() {
    needs_postgres!();
    refresh_at_once(on_a_server().await, 10).await;
}

/// Fails if the revocation by a reused token is not written.
#[tokio::test]
async fn s05_what_was_revoked_or_used_up_stays_so_after_a_restart_on_sqlite() {
    let (_folder, stores) = in_a_file();
    restart(&stores).await;
}

#[tokio::test]
async fn s05_what_was_revoked_or_used_up_stays_so_after_a_restart_on_postgres() {
    needs_postgres!();
    restart(&on_a_server().await).await;
}

/// A server that knows nothing but what is in the store takes the place of another.
async fn restart(stores: &[Arc<dyn AuthStorage>]) {
    let before = World::over(Arc::clone(&stores[0]), |builder| builder).await;
    let client = before.client(ClientPolicy::Public).await;
    let fields = before.exchange_fields(&client).await;
    let first = before.post(&fields).await.tokens();
    let second = before.refresh(&client, &first.refresh).await.tokens();
    before.clock.advance(Duration::from_secs(31));
    let after = before.neighbour(Arc::clone(&stores[1])).await;
    drop(before);
    assert!(after.is_live(&second.access).await, "the keys are still there");
    assert_eq!(after.refresh(&client, &first.refresh).await.error(), error(400, "invalid_grant"));
    assert!(!after.is_live(&second.access).await);
    assert_eq!(after.refresh(&client, &second.refresh).await.error(), error(400, "invalid_grant"));
    assert_eq!(after.post(&fields).await.error(), error(400, "invalid_grant"));
}
