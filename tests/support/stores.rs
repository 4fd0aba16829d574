//! The stores that a program's tests run over: memory, and in runs of the program within itself
//! SQLite and PostgreSQL.
//!
//! It is `mod stores` beside `mod postgres_server`.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;

use crate::postgres_server;

/// The variable that is set in such a run: to [`POSTGRES`], or to the folder of SQLite's files.
const STORE: &str = "LYCEUM_TESTS_STORE";
const POSTGRES: &str = "postgres";

/// An empty store of the kind that this run is about.
#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
pub async fn new_store() -> Arc<dyn Storage> {
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
    postgres_server::cluster().new_schema()
}

/// A store in a schema.
pub async fn open_schema(url: &str) -> SqlStore {
    // So patient that no machine is too busy to answer.
    SqlStore::postgres(url)
        .migrate(true)
        .compare_clock(false)
        .timeout(Duration::from_secs(60))
        .open()
        .await
        .unwrap()
}

/// Runs the tests of this program again over SQLite, but for those whose name has one of these
/// words, and fails with what they print. `one` is the name of one that must be among them.
pub fn run_again_over_sqlite(skipped: &[&str], one: &str) {
    let folder = tempfile::tempdir().unwrap();
    run_again_over(folder.path().to_str().unwrap(), skipped, one);
}

/// The same over PostgreSQL.
pub fn run_again_over_postgres(skipped: &[&str], one: &str) {
    run_again_over(POSTGRES, skipped, one);
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn run_again_over(store: &str, skipped: &[&str], one: &str) {
    // In the second run, this test has nothing to start again.
    if std::env::var_os(STORE).is_some() {
        return;
    }
    let mut program = Command::new(std::env::current_exe().unwrap());
    let skipped = skipped.iter().flat_map(|name| ["--skip", name]);
    let run = program.env(STORE, store).args(skipped).output().unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{printed}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert!(printed.contains(one), "the tests were not run: {printed}");
}
