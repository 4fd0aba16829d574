use std::sync::Arc;

use lyceum::domain::ClientPolicy;
use lyceum::http::auth_server::AuthStorage;
use lyceum::store::memory::MemoryStore;
use tokio::sync::Barrier;

use super::world::*;

const AT_ONCE: usize = 64;

/// The answers to one request that is sent many times at once.
async fn at_once<S: AuthStorage + ?Sized>(world: &Arc<World<S>>, fields: &Fields) -> Vec<Answer> {
    let barrier = Arc::new(Barrier::new(AT_ONCE));
    let tasks: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (world, barrier, fields) = (Arc::clone(world), Arc::clone(&barrier), fields.clone());
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

async fn exchange_at_once<S: AuthStorage + ?Sized>(store: Arc<S>, rounds: usize) {
    let world = Arc::new(World::over(store, |builder| builder).await);
    let client = world.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let answers = at_once(&world, &world.exchange_fields(&client).await).await;
        let (winners, losers): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!(winners.len(), 1);
        assert!(losers.iter().all(|loser| loser.error() == error(400, "invalid_grant")), "{losers:?}");
        // The others are replays.
        assert!(!world.is_live(&winners[0].tokens().access).await);
    }
}

async fn refresh_at_once<S: AuthStorage + ?Sized>(store: Arc<S>, rounds: usize) {
    let world = Arc::new(World::over(store, |builder| builder).await);
    let client = world.client(ClientPolicy::Public).await;
    for _ in 0..rounds {
        let first = world.tokens(&client).await;
        let answers = at_once(&world, &refresh_fields(&client, &first.refresh)).await;
        let successor = answers[0].tokens().refresh;
        assert!(answers.iter().all(|answer| answer.tokens().refresh == successor), "the chain has forked");
        assert_ne!(successor, first.refresh);
        let next = world.refresh(&client, &successor).await.tokens();
        assert!(world.is_live(&next.access).await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s01_a_code_that_is_exchanged_many_times_at_once_is_spent_once_in_memory() {
    exchange_at_once(Arc::new(MemoryStore::new()), 50).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s04_a_refresh_token_that_is_used_many_times_at_once_has_one_successor_in_memory() {
    refresh_at_once(Arc::new(MemoryStore::new()), 20).await;
}
