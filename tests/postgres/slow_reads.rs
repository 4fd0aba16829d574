//! Slow reads: they end at their deadline or with their caller, and leave connections to other
//! calls.

use std::task::{Context, Waker};
use std::time::Duration;

use lyceum::store::sql::SqlStore;
use lyceum::store::{DirectoryStore, DirectoryWrite, GrantStore};
use tokio_postgres::Client;

use crate::conflicts::connect;
use crate::postgres_server::cluster;
use crate::{CODE, TIMEOUT, advance, needs_postgres, next_version, unavailable};

/// Waits until so many sessions wait for a lock.
async fn until_waiting(observer: &Client, count: i64) {
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))";
    while observer
        .query_one(waiting, &[])
        .await
        .unwrap()
        .get::<_, i64>(0)
        != count
    {
        tokio::task::yield_now().await;
    }
}

/// Fails if the statement of a dropped call is not cancelled: it would wait as long as the lock is
/// held.
#[tokio::test]
async fn the_statement_of_a_caller_who_has_gone_is_cancelled_and_its_connection_free() {
    needs_postgres!();
    let url = cluster().new_schema();
    let timeout = Duration::from_secs(3600);
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .connections(1)
        .timeout(timeout)
        .open()
        .await
        .unwrap();
    let other = connect(&url).await;
    other
        .batch_execute("BEGIN; LOCK TABLE students")
        .await
        .unwrap();
    let call = tokio::spawn({
        let store = store.clone();
        async move { store.load_directory().await.map(drop) }
    });
    until_waiting(&other, 1).await;
    call.abort();
    let is_free = tokio::time::timeout(TIMEOUT, async {
        until_waiting(&other, 0).await;
        store.directory_version().await.unwrap();
    });
    is_free
        .await
        .expect("the statement continues without a caller");
    other.batch_execute("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn a_read_is_unavailable_at_its_deadline_and_its_connection_free() {
    needs_postgres!();
    let url = cluster().new_schema();
    let timeout = Duration::from_secs(3600);
    let opening = SqlStore::postgres(&url)
        .migrate(true)
        .connections(1)
        .timeout(timeout);
    let store = opening
        .read_deadline(Duration::from_millis(20))
        .open()
        .await
        .unwrap();
    let patient = SqlStore::postgres(&url)
        .connections(1)
        .timeout(timeout)
        .open()
        .await
        .unwrap();
    let other = connect(&url).await;
    other
        .batch_execute("BEGIN; LOCK TABLE directory_version")
        .await
        .unwrap();
    let reason = unavailable(store.directory_version().await);
    assert!(reason.contains("did not end in time"), "{reason}");
    tokio::time::timeout(TIMEOUT, until_waiting(&other, 0))
        .await
        .expect("the statement continues");
    other.batch_execute("ROLLBACK").await.unwrap();
    // The store's own reads have a short deadline, which a busy machine may miss.
    let (present, change) = next_version(&patient).await.unwrap();
    assert_eq!(
        store.write_directory(present, change).await.unwrap(),
        DirectoryWrite::Written
    );
    assert_eq!(patient.load_directory().await.unwrap().students, []);
}

/// Fails if the directory has the deadline of other reads.
#[tokio::test]
async fn the_directory_is_read_however_long_it_takes() {
    needs_postgres!();
    let url = cluster().new_schema();
    let opening = SqlStore::postgres(&url).migrate(true).timeout(TIMEOUT);
    let store = opening.read_deadline(Duration::ZERO).open().await.unwrap();
    let other = connect(&url).await;
    // A lock, because an answer that is at hand at once is in time for every deadline.
    other
        .batch_execute("BEGIN; LOCK TABLE directory_version")
        .await
        .unwrap();
    let load = tokio::spawn({
        let store = store.clone();
        async move { store.load_directory().await }
    });
    tokio::time::timeout(TIMEOUT, until_waiting(&other, 1))
        .await
        .expect("the directory is not waited for");
    // After that, because the statement of a refused read may stay in the queue.
    unavailable(store.directory_version().await);
    other.batch_execute("ROLLBACK").await.unwrap();
    let loaded = load.await.unwrap().unwrap();
    assert!(
        store
            .directory_changes(loaded.version)
            .await
            .unwrap()
            .is_some()
    );
}

/// Fails if lists may take every connection.
#[tokio::test]
async fn lists_that_hang_leave_connections_to_everything_else() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .connections(4)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let other = connect(&url).await;
    other
        .batch_execute("BEGIN; LOCK TABLE students")
        .await
        .unwrap();
    let mut lists: Vec<_> = (0..16).map(|_| store.load_directory()).collect();
    let mut context = Context::from_waker(Waker::noop());
    let mut poll = || {
        lists
            .iter_mut()
            .all(|list| list.as_mut().poll(&mut context).is_pending())
    };
    // Lets each task run until it waits.
    for _ in 0..1000 {
        assert!(poll());
        tokio::task::yield_now().await;
    }
    assert_eq!(store.code_binding(&CODE).await.unwrap(), None);
    let _ = advance(&store).await.unwrap();
    assert!(poll());
    drop(lists);
    other.batch_execute("ROLLBACK").await.unwrap();
}
