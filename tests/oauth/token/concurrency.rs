use std::sync::Arc;
use std::time::Duration;

use lyceum::domain::ClientPolicy;
use lyceum::store::AuthStorage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use tempfile::TempDir;
use tokio::sync::Barrier;

use super::world::*;

const AT_ONCE: usize = 64;

/// The answers to one request that is sent many times at once, to every server in turn.
async fn at_once<S: AuthStorage>(worlds: &[Arc<World<S>>], fields: &Fields) -> Vec<Answer> {
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
async fn worlds<S: AuthStorage>(stores: Vec<S>) -> Vec<Arc<World<S>>> {
    let mut stores = stores.into_iter().map(Arc::new);
    let first = World::over(stores.next().unwrap(), |builder| builder).await;
    let mut worlds = Vec::new();
    for store in stores {
        worlds.push(Arc::new(first.neighbour(store).await));
    }
    worlds.push(Arc::new(first));
    worlds
}

async fn exchange_at_once<S: AuthStorage>(stores: Vec<S>, rounds: usize) {
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

async fn refresh_at_once<S: AuthStorage>(stores: Vec<S>, rounds: usize) {
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
fn in_a_file() -> (TempDir, Vec<SqlStore>) {
    let folder = tempfile::tempdir().unwrap();
    let stores = (0..2).map(|_| SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap()).collect();
    (folder, stores)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_is_spent_once_in_memory() {
    exchange_at_once(vec![MemoryStore::new()], 50).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_at_two_nodes_is_spent_once_in_sqlite() {
    let (_folder, stores) = in_a_file();
    exchange_at_once(stores, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_has_one_successor_in_memory() {
    refresh_at_once(vec![MemoryStore::new()], 20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_at_two_nodes_has_one_successor_in_sqlite() {
    let (_folder, stores) = in_a_file();
    refresh_at_once(stores, 10).await;
}

#[tokio::test]
async fn s05_what_was_revoked_or_used_up_stays_so_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Arc::new(SqlStore::sqlite(folder.path().join("lyceum.db")).unwrap());
    let before = World::over(open(), |builder| builder).await;
    let client = before.client(ClientPolicy::Public).await;
    let fields = before.exchange_fields(&client).await;
    let first = before.post(&fields).await.tokens();
    let second = before.refresh(&client, &first.refresh).await.tokens();
    before.clock.advance(Duration::from_secs(31));
    let after = before.neighbour(open()).await;
    drop(before);
    assert!(after.is_live(&second.access).await, "the keys are still there");
    assert_eq!(after.refresh(&client, &first.refresh).await.error(), error(400, "invalid_grant"));
    assert!(!after.is_live(&second.access).await);
    assert_eq!(after.refresh(&client, &second.refresh).await.error(), error(400, "invalid_grant"));
    assert_eq!(after.post(&fields).await.error(), error(400, "invalid_grant"));
}
