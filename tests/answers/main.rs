//! Over any store the data API answers with the same bytes, whether its directory wrote, followed what another wrote, or was just loaded. `LYCEUM_LONG=1` asks for some minutes longer, and `LYCEUM_SEED=n` begins at
//! another seed.

mod faulty;
#[path = "../support/long.rs"]
mod long;
mod mirror;
#[path = "../support/postgres.rs"]
mod postgres_server;
#[path = "../support/report.rs"]
mod report;

use std::sync::Arc;
use std::time::Instant;

use lyceum::store::DirectoryStore;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::testing::differential::{Books, compare_answers};
use report::report;

const BATCHES: usize = 12;

/// An empty store of each kind. A backend is one more line.
async fn stores(folder: &tempfile::TempDir) -> Vec<(&'static str, Arc<dyn DirectoryStore>)> {
    let in_a_file = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    let mut stores: Vec<(_, Arc<dyn DirectoryStore>)> = vec![("memory", Arc::new(MemoryStore::new())), ("SQLite", Arc::new(in_a_file))];
    if !postgres_server::skipped() {
        let url = postgres_server::cluster().schema();
        stores.push(("PostgreSQL", Arc::new(SqlStore::postgres(&url).migrate(true).open().await.unwrap())));
    }
    stores
}

#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "the options and the duration of a test run")]
async fn decision_2_6_over_every_store_the_data_api_answers_with_the_same_bytes_whether_it_wrote_followed_or_loaded() {
    let first: u64 = std::env::var("LYCEUM_SEED").map_or(1, |seed| seed.parse().expect("LYCEUM_SEED is a whole number"));
    let (seeds, start) = (if long::is_long() { 300 } else { 24 }, Instant::now());
    let (mut books, mut names) = (Books::default(), Vec::new());
    for seed in first..first + seeds {
        let folder = tempfile::tempdir().unwrap();
        let stores = stores(&folder).await;
        names = stores.iter().map(|(name, _)| *name).collect();
        for (_, store) in stores {
            books.add(&compare_answers(store, seed, BATCHES).await.unwrap());
        }
    }
    let found = format!(
        "{} gave the same bytes: seeds {first}–{}, {} batches, {} requests ({} with records, {} refused), {} parameters and orders, {:.0?}",
        names.join(", "),
        first + seeds - 1,
        books.batches,
        books.requests,
        books.with_records,
        books.refused,
        books.topics(),
        start.elapsed(),
    );
    report("answers", found);
    assert_eq!(books.unanswered(), [""; 0], "every parameter and order was asked for and found something");
    assert!(books.with_records * 2 > books.requests, "most answers say something: {books:?}");
    assert!(books.refused * 50 > books.requests, "some requests are refused: {books:?}");
}
