//! Transactions that the server rolls back because of concurrent ones: they are retried, unless
//! they may have been committed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use lyceum::domain::{Account, AccountId, PasswordHash};
use lyceum::store::sql::{Phase, SqlStore, TransactionHook};
use lyceum::store::{AccountRemoval, AccountStore, Creation, DirectoryStore, StorageError};
use tokio::sync::Notify;
use tokio_postgres::{Client, NoTls};

use crate::postgres_server::{Cluster, cluster};
use crate::{NOW, TIMEOUT, advance, needs_postgres, store, subject, unavailable};

pub(crate) async fn connect(url: &str) -> Arc<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    Arc::new(client)
}

/// Holds a call before its second statement, once, and counts its attempts.
#[derive(Debug, Default)]
struct SecondStatement {
    begun: AtomicUsize,
    statements: AtomicUsize,
    reached: Notify,
    open: Notify,
}

#[async_trait]
impl TransactionHook for SecondStatement {
    async fn before(&self, phase: Phase) -> Result<(), StorageError> {
        match phase {
            Phase::Begin => drop(self.begun.fetch_add(1, Ordering::SeqCst)),
            Phase::Statement if self.statements.fetch_add(1, Ordering::SeqCst) == 1 => {
                self.reached.notify_one();
                self.open.notified().await;
            }
            Phase::Statement | Phase::Commit => {}
        }
        Ok(())
    }

    async fn after(&self, _: Phase) -> Result<(), StorageError> {
        Ok(())
    }
}

/// Another session holds the row that the second statement needs, and waits for the row that the
/// first has locked. The store's session checks for deadlocks immediately and the other one never
/// does, so the server aborts the store's transaction.
#[tokio::test]
async fn a_transition_that_the_server_ends_for_a_deadlock_is_done_again_from_its_beginning() {
    needs_postgres!();
    let cluster = Cluster::start_private(&["deadlock_timeout = 10min"], &[]);
    let url = cluster.new_schema();
    let ours = format!("{url}%20-cdeadlock_timeout%3D10ms");
    let store = SqlStore::postgres(&ours)
        .migrate(true)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let id = AccountId::from_random([5; 16]);
    let password_hash = PasswordHash::from_phc("hash".to_owned());
    let account = Account {
        id,
        email: subject().email,
        password_hash,
        role: subject().role,
        created_at: NOW,
        student: None,
    };
    assert_eq!(
        store.create_account(account).await.unwrap(),
        Creation::Created
    );
    let (other, observer) = (connect(&url).await, connect(&url).await);
    other
        .batch_execute("BEGIN; LOCK TABLE accounts")
        .await
        .unwrap();
    let watch = Arc::new(SecondStatement::default());
    let removed = tokio::spawn({
        let store = store.clone().with_transaction_hook(watch.clone());
        async move { store.remove_account(id, NOW).await }
    });
    watch.reached.notified().await;
    // The first statement has locked a row of this table.
    let others =
        tokio::spawn(async move { other.batch_execute("LOCK TABLE applications; COMMIT").await });
    let waits =
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0)";
    while !observer
        .query_one(waits, &[])
        .await
        .unwrap()
        .get::<_, bool>(0)
    {}
    watch.open.notify_one();
    assert!(matches!(
        removed.await.unwrap().unwrap(),
        AccountRemoval::Removed(_)
    ));
    others.await.unwrap().unwrap();
    assert_eq!(
        watch.begun.load(Ordering::SeqCst),
        2,
        "there was no deadlock"
    );
    assert!(store.account(id).await.unwrap().is_none());
}

/// Makes writes of the directory run `statement` at their update, or else at their commit. `tries`
/// counts them, including those that are rolled back.
fn at_each_write(url: &str, at_commit: bool, statement: &str) {
    let timing = if at_commit {
        "DEFERRABLE INITIALLY DEFERRED"
    } else {
        ""
    };
    let trigger = format!(
        "CREATE SEQUENCE tries;
        CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE try bigint := nextval('tries'); BEGIN {statement} RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER meet AFTER UPDATE ON directory_version {timing} FOR EACH ROW EXECUTE FUNCTION meet()"
    );
    Cluster::query_at(url, &trigger);
}

fn tries(url: &str) -> u64 {
    Cluster::query_at(url, "SELECT last_value::text FROM tries")[0]
        .parse()
        .unwrap()
}

#[tokio::test]
async fn a_transition_that_cannot_be_serialized_is_done_again_also_when_its_commit_says_so() {
    needs_postgres!();
    for (state, at_commit) in [
        ("40001", false),
        ("40P01", false),
        ("40001", true),
        ("40P01", true),
    ] {
        let url = cluster().new_schema();
        let store = store(&url).await;
        at_each_write(
            &url,
            at_commit,
            &format!("IF try < 3 THEN RAISE SQLSTATE '{state}'; END IF;"),
        );
        let _ = advance(&store).await.unwrap();
        assert_eq!(
            (tries(&url), store.directory_version().await.unwrap().number),
            (3, 1),
            "{state} {at_commit}"
        );
    }
}

#[tokio::test]
async fn a_transition_that_is_undone_again_and_again_is_unavailable_in_the_end() {
    needs_postgres!();
    let url = cluster().new_schema();
    let store = store(&url).await;
    at_each_write(&url, false, "RAISE SQLSTATE '40001';");
    unavailable(advance(&store).await);
    assert_eq!(
        (tries(&url), store.directory_version().await.unwrap().number),
        (4, 0)
    );
}

/// Fails if a commit without a response is retried: it may have succeeded.
#[tokio::test]
async fn a_commit_without_a_response_is_not_retried_nor_are_other_errors() {
    needs_postgres!();
    for (statement, is_unavailable) in [
        ("PERFORM pg_terminate_backend(pg_backend_pid());", true),
        ("RAISE SQLSTATE '40003';", false),
        ("RAISE SQLSTATE '53300';", true),
        ("RAISE SQLSTATE '23505';", false),
    ] {
        let url = cluster().new_schema();
        let store = store(&url).await;
        at_each_write(&url, true, statement);
        let error = advance(&store).await.unwrap_err();
        assert_eq!(
            (tries(&url), error.is_unavailable()),
            (1, is_unavailable),
            "{statement} {error:?}"
        );
    }
}
