//! Checks that the data API returns the same bytes over any store, whether its directory wrote,
//! followed another's writes, or was just loaded. `LYCEUM_LONG=1` runs some minutes longer, and
//! `LYCEUM_SEED=n` starts from another seed.

#[macro_use]
#[path = "../support/delegate_store.rs"]
mod delegate_store;

mod comparison;
mod faulty;
#[path = "../support/long_run.rs"]
mod long_run;
#[path = "../support/postgres.rs"]
mod postgres_server;
mod replica;
#[path = "../support/report.rs"]
mod report;
#[path = "../support/rng.rs"]
mod rng;
#[path = "../support/school_records.rs"]
#[allow(dead_code, reason = "not every program needs every record")]
mod school_records;

use std::sync::Arc;
use std::time::Instant;

use comparison::{ComparisonReport, compare_responses};
use lyceum::store::DirectoryStore;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use report::report;

const BATCHES: usize = 12;

/// Returns an empty store of each kind. Add a backend as one more line.
async fn stores(folder: &tempfile::TempDir) -> Vec<(&'static str, Arc<dyn DirectoryStore>)> {
    let in_a_file = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    let mut stores: Vec<(_, Arc<dyn DirectoryStore>)> = vec![
        ("memory", Arc::new(MemoryStore::new())),
        ("SQLite", Arc::new(in_a_file)),
    ];
    if !postgres_server::skipped() {
        let url = postgres_server::cluster().new_schema();
        stores.push((
            "PostgreSQL",
            Arc::new(SqlStore::postgres(&url).migrate(true).open().await.unwrap()),
        ));
    }
    stores
}

// Proves: spec 2.6
#[tokio::test]
#[allow(
    clippy::disallowed_methods,
    reason = "the options and the duration of a test run"
)]
async fn every_store_gives_the_same_bytes_whether_its_directory_wrote_followed_or_loaded() {
    let first: u64 = std::env::var("LYCEUM_SEED").map_or(1, |seed| {
        seed.parse().expect("LYCEUM_SEED is a whole number")
    });
    let (seeds, start) = (
        if long_run::is_long_run() { 300 } else { 24 },
        Instant::now(),
    );
    let (mut totals, mut names) = (ComparisonReport::default(), Vec::new());
    for seed in first..first + seeds {
        let folder = tempfile::tempdir().unwrap();
        let stores = stores(&folder).await;
        names = stores.iter().map(|(name, _)| *name).collect();
        for (_, store) in stores {
            totals.add(&compare_responses(store, seed, BATCHES).await.unwrap());
        }
    }
    let found = format!(
        "{} returned the same bytes: seeds {first}–{}, {} batches, {} requests ({} with records, {} refused), {} parameters and orders, {:.0?}",
        names.join(", "),
        first + seeds - 1,
        totals.batches,
        totals.requests,
        totals.with_records,
        totals.refused,
        totals.covered(),
        start.elapsed(),
    );
    report("answers", found);
    assert_eq!(
        totals.uncovered(),
        [""; 0],
        "responses with records covered every parameter and order"
    );
    assert!(
        totals.with_records * 2 > totals.requests,
        "most responses have records: {totals:?}"
    );
    assert!(
        totals.refused * 50 > totals.requests,
        "some requests are refused: {totals:?}"
    );
}
