//! Selects the store of a test program. Its tests run in memory; two further tests start the program
//! again, once over SQLite and once over PostgreSQL.
//!
//! Test programs declare it as `mod stores` beside `mod postgres_server`.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;

use crate::postgres_server;

/// Environment variable that selects the store of a repeated run: [`POSTGRES`], or the folder for
/// SQLite's files.
const STORE: &str = "LYCEUM_TESTS_STORE";
const POSTGRES: &str = "postgres";

/// Creates an empty store of the kind that this run uses.
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

/// Creates an empty schema in PostgreSQL and returns its URL.
pub fn new_schema() -> String {
    postgres_server::cluster().new_schema()
}

/// Opens a store in a schema.
pub async fn open_schema(url: &str) -> SqlStore {
    // The timeout is too long for a busy machine to reach it.
    SqlStore::postgres(url)
        .migrate(true)
        .compare_clock(false)
        .timeout(Duration::from_secs(60))
        .open()
        .await
        .unwrap()
}

/// Runs the tests of this program again over SQLite, except those whose names contain one of the
/// words in `skipped`. Panics with their output if one fails, or if the test `one` did not run.
pub fn run_again_over_sqlite(skipped: &[&str], one: &str) {
    let folder = tempfile::tempdir().unwrap();
    run_again_over(folder.path().to_str().unwrap(), skipped, one);
}

/// Runs the tests again over PostgreSQL, as [`run_again_over_sqlite`] does.
pub fn run_again_over_postgres(skipped: &[&str], one: &str) {
    run_again_over(POSTGRES, skipped, one);
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of the tests, not of the library"
)]
fn run_again_over(store: &str, skipped: &[&str], one: &str) {
    // A repeated run does not start another one.
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
