//! The stores that these tests run over: memory, and in runs of this program within itself SQLite and PostgreSQL.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lyceum::store::AuthStorage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;

use crate::postgres_server;

/// The variable that is set in such a run: to [`POSTGRES`], or to the folder of SQLite's files.
const STORE: &str = "OAUTH_TESTS_STORE";
const POSTGRES: &str = "postgres";

/// Those that know their stores by themselves, or ask only what needs none.
const NOT_AGAIN: [&str; 7] = ["stores::", "concurrency::", "key_year::", "secrets::", "building::", "metadata::", "wire_table::"];

/// An empty store of the kind that this run is about.
#[allow(clippy::disallowed_methods, reason = "the environment of the tests, not of the library")]
pub async fn new_store() -> Arc<dyn AuthStorage> {
    match std::env::var(STORE) {
        Err(_) => Arc::new(MemoryStore::new()),
        Ok(kind) if kind == POSTGRES => Arc::new(open_schema(&new_schema()).await),
        Ok(folder) => {
            static NUMBER: AtomicU64 = AtomicU64::new(0);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            Arc::new(SqlStore::sqlite(format!("{folder}/{number}.db")).unwrap())
        }
    }
}

/// The address of an empty schema in PostgreSQL.
pub fn new_schema() -> String {
    postgres_server::cluster().schema()
}

/// A store in a schema.
pub async fn open_schema(url: &str) -> SqlStore {
    // So patient that no machine is too busy to answer.
    SqlStore::postgres(url).migrate(true).patience(Duration::from_secs(60)).open().await.unwrap()
}

/// Runs the tests of this program over another kind of store, and fails with what they print.
fn run_again_over(store: &str) {
    let mut program = Command::new(std::env::current_exe().unwrap());
    let run = program.env(STORE, store).args(NOT_AGAIN.iter().flat_map(|name| ["--skip", name])).output().unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{printed}\n{}", String::from_utf8_lossy(&run.stderr));
    assert!(printed.contains("s02_a_replayed_code_revokes_what_came_of_it ... ok"), "the tests were not run: {printed}");
}

/// Every pitfall and decision that has a test here holds on SQLite. Fails if a statement of that store does not do what memory does.
#[test]
fn all_of_it_holds_over_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    run_again_over(folder.path().to_str().unwrap());
}

/// The same on PostgreSQL.
#[test]
fn all_of_it_holds_over_postgres() {
    postgres_server::needs_postgres!();
    run_again_over(POSTGRES);
}
