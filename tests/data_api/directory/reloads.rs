//! Requests while the node reads changes from a slow store.

use std::sync::atomic::Ordering;

use lyceum::testing::ManualClock;

use super::{Node, ReplaceableStore, SECOND, no_student, two_nodes};
use crate::client::get;

/// Fails if each reader waits for a store that hangs.
#[tokio::test]
async fn one_reader_a_second_waits_for_a_store_that_hangs() {
    let (node, other, clock) = two_nodes().await;
    node.store.is_away.store(true, Ordering::SeqCst);
    clock.advance(SECOND);
    assert_eq!(node.students().await.len(), 5);
    node.store.is_away.store(false, Ordering::SeqCst);
    let held = write_and_hold_reading(&node.store, &other, &clock).await;
    let api = node.api.clone();
    let waiting = tokio::spawn(async move { get(&api, "/v1/students").await.ids() });
    turn().await;
    assert!(!waiting.is_finished(), "it queries the store");
    assert_eq!(node.students().await.len(), 5, "others do not wait");
    drop(held);
    assert_eq!(waiting.await.unwrap(), [2, 3, 4, 5]);
    assert_eq!(node.students().await, [2, 3, 4, 5]);
}

/// Fails if requests wait while `keep_fresh` reads the changes of another process.
#[tokio::test]
async fn requests_do_not_wait_for_a_reload_in_the_background() {
    let (node, other, clock) = two_nodes().await;
    let store = node.store.clone();
    let held = write_and_hold_reading(&store, &other, &clock).await;
    let fresh = tokio::spawn(node.directory.keep_fresh(|_| std::future::pending()));
    turn().await;
    let api = node.api.clone();
    let reader = tokio::spawn(async move { get(&api, "/v1/students").await.ids() });
    turn().await;
    assert!(reader.is_finished());
    assert_eq!(reader.await.unwrap().len(), 5);
    drop(held);
    // A client that has seen the new version waits for it.
    let newer = other.directory.snapshot().await.unwrap().version();
    assert!(
        node.directory
            .snapshot_after(newer)
            .await
            .unwrap()
            .knows(newer)
    );
    assert_eq!(node.students().await, [2, 3, 4, 5]);
    fresh.abort();
}

/// Fails if a query that reads changes is abandoned after five seconds: a longer read would never
/// complete.
#[tokio::test]
async fn a_long_reload_is_not_restarted_by_requests() {
    let (node, other, clock) = two_nodes().await;
    let store = node.store.clone();
    let held = write_and_hold_reading(&store, &other, &clock).await;
    let mut waiting = Vec::new();
    for _ in 0..5 {
        let api = node.api.clone();
        waiting.push(tokio::spawn(async move {
            get(&api, "/v1/students").await.ids()
        }));
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        clock.advance(10 * SECOND);
    }
    drop(held);
    for answer in waiting {
        assert_eq!(answer.await.unwrap(), [2, 3, 4, 5]);
    }
    assert_eq!(store.reads.load(Ordering::SeqCst), 1);
}

/// Writes through `other` and advances the clock by a second. The node cannot read the changes
/// until the guard is dropped.
async fn write_and_hold_reading<'a>(
    store: &'a ReplaceableStore,
    other: &Node,
    clock: &ManualClock,
) -> tokio::sync::MutexGuard<'a, ()> {
    let held = store.reading.lock().await;
    other.write(no_student(1)).await;
    clock.advance(SECOND);
    held
}

/// Lets the other tasks run until they wait.
async fn turn() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}
