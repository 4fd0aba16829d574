//! The stores of the crate take the conformance suite.

#[path = "support/postgres.rs"]
mod postgres_server;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use lyceum::directory::{Directory, WriteOutcome};
use lyceum::sample_data::SampleSchool;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::store::{DirectoryStore, SchoolHistoryStore};
use lyceum::testing::conformance::{
    self, CONCURRENT_CALLERS, CalendarFeedsUnderTest, SCHOOL_HISTORY_CASES, StoreUnderTest,
    SyncUnderTest,
};

/// The three stores of the crate under the cases of a layer.
macro_rules! stores {
    ($in_memory:ident, $in_a_file:ident, $on_a_server:ident: $under_test:ident::$new:ident) => {
        fn $in_memory() -> $under_test {
            $under_test::$new(Arc::new(MemoryStore::new()))
        }

        fn $in_a_file() -> $under_test {
            let folder = tempfile::tempdir().unwrap();
            let open = move || Arc::new(SqlStore::sqlite(folder.path().join("school.db")).unwrap());
            $under_test::$new(open()).with_reopen(move || open())
        }

        /// A schema of its own, and two pools on it.
        fn $on_a_server() -> $under_test {
            let url = postgres_server::cluster().new_schema();
            // So patient that no machine is too busy to answer.
            let builder = move || {
                SqlStore::postgres(&url)
                    .migrate(true)
                    .compare_clock(false)
                    .timeout(Duration::from_secs(60))
            };
            let open =
                move || -> Arc<SqlStore> { Arc::new(RUNTIME.block_on(builder().open()).unwrap()) };
            $under_test::$new(open())
                .with_reopen(move || std::thread::scope(|scope| scope.spawn(&open).join().unwrap()))
                .with_executor(|task| RUNTIME.block_on(task))
        }
    };
}

stores!(in_memory, in_a_file, on_a_server: StoreUnderTest::new);
stores!(syncs_in_memory, syncs_in_a_file, syncs_on_a_server: SyncUnderTest::sync);
stores!(feeds_in_memory, feeds_in_a_file, feeds_on_a_server: CalendarFeedsUnderTest::calendar_feeds);

/// All stores on PostgreSQL live on one runtime, as in a server: a connection ends with the runtime
/// that it was made on.
static RUNTIME: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Runtime::new().unwrap());

lyceum::conformance!(memory, in_memory());
lyceum::conformance!(sqlite, in_a_file());
lyceum::conformance!(postgres, {
    postgres_server::needs_postgres!();
    on_a_server()
});

/// The layer of syncs, which is not part of [`lyceum::store::Storage`].
mod syncs {
    use super::*;

    lyceum::conformance_sync!(memory, syncs_in_memory());
    lyceum::conformance_sync!(sqlite, syncs_in_a_file());
    lyceum::conformance_sync!(postgres, {
        postgres_server::needs_postgres!();
        syncs_on_a_server()
    });
}

/// The layer of calendar feeds, which is not part of [`lyceum::store::Storage`].
mod feeds {
    use super::*;

    lyceum::conformance_calendar_feeds!(memory, feeds_in_memory());
    lyceum::conformance_calendar_feeds!(sqlite, feeds_in_a_file());
    lyceum::conformance_calendar_feeds!(postgres, {
        postgres_server::needs_postgres!();
        feeds_on_a_server()
    });
}

/// Runs every case of the school history, each on a fresh store.
fn run_history_cases(fresh: impl Fn() -> Arc<dyn SchoolHistoryStore>) {
    for (name, case) in SCHOOL_HISTORY_CASES {
        println!("{name}");
        let store = fresh();
        RUNTIME.block_on(case(&*store));
    }
}

// The output of a failed test ends with the name of its case.
#[test]
fn the_school_history_is_kept_in_memory() {
    run_history_cases(|| Arc::new(MemoryStore::new()));
}

#[test]
fn the_school_history_is_kept_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let files = AtomicUsize::new(0);
    run_history_cases(|| {
        let file = format!("{}.db", files.fetch_add(1, Ordering::SeqCst));
        Arc::new(SqlStore::sqlite(folder.path().join(file)).unwrap())
    });
}

#[test]
fn the_school_history_is_kept_in_postgresql() {
    postgres_server::needs_postgres!();
    run_history_cases(|| {
        let url = postgres_server::cluster().new_schema();
        let store = SqlStore::postgres(&url)
            .migrate(true)
            .compare_clock(false)
            .timeout(Duration::from_secs(60));
        Arc::new(RUNTIME.block_on(store.open()).unwrap())
    });
}

#[test]
fn a_store_may_bring_its_own_runtime() {
    let calls = Arc::new(AtomicUsize::new(0));
    let (counter, runtime) = (Arc::clone(&calls), tokio::runtime::Runtime::new().unwrap());
    let store = in_memory().with_executor(move |task| {
        counter.fetch_add(1, Ordering::SeqCst);
        runtime.block_on(task);
    });
    conformance::run_case("codes::of_many_redemptions_one_gives_the_grant", store);
    assert_eq!(
        calls.load(Ordering::SeqCst),
        1 + 2 * CONCURRENT_CALLERS,
        "the case itself, and every caller of its two races"
    );
}

#[tokio::test]
async fn the_sample_school_is_written_in_one_batch() {
    let school = SampleSchool::new(1, "2026-05-20".parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let in_a_file = SqlStore::sqlite(folder.path().join("school.db")).unwrap();
    for store in [
        Arc::new(MemoryStore::new()) as Arc<dyn DirectoryStore>,
        Arc::new(in_a_file),
    ] {
        let directory = Directory::open(store).await.unwrap();
        assert!(matches!(
            directory.write(school.changes()).await.unwrap(),
            WriteOutcome::Written(_)
        ));
        let snapshot = directory.snapshot().await.unwrap();
        let clubs = snapshot.clubs();
        assert!(
            clubs
                .page(&clubs.query(&[]).unwrap())
                .values()
                .map(|profile| &profile.club)
                .eq(&school.clubs)
        );
    }
}
