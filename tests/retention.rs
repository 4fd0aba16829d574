//! threats 42: the tables of a SQL database stay bounded over more than a year of logins, a hundred
//! of them concurrent.

#[path = "support/logins/mod.rs"]
mod logins;
#[path = "support/long_run.rs"]
mod long_run;
#[path = "support/postgres.rs"]
mod postgres_server;

#[path = "support/report.rs"]
mod report;

use std::sync::Arc;
use std::time::Duration;

use logins::{LOGINS_PER_BATCH, RowCounts, STEADY_AFTER, simulate_login};
use lyceum::store::sql::SqlStore;
use postgres_server::{Cluster, cluster, needs_postgres};
use report::report;
use tokio::task::JoinSet;

const LOGINS: u64 = 100_000;
/// Logins on PostgreSQL, which is slower, unless the run is a long one: twice as many as until the
/// row counts are steady.
const LOGINS_BY_DEFAULT: u64 = 2 * STEADY_AFTER;

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Simulates logins, and checks the tables after each tenth of them.
async fn sign_in(store: SqlStore, logins: u64, count: impl Fn(&str) -> u64) {
    let (store, mut flat) = (Arc::new(store), None);
    for first in (0..logins).step_by(LOGINS_PER_BATCH as usize) {
        let mut moment = JoinSet::new();
        for number in first..first + LOGINS_PER_BATCH {
            let store = Arc::clone(&store);
            moment.spawn(async move { simulate_login(&*store, number).await.unwrap() });
        }
        moment.join_all().await;
        let so_far = first + LOGINS_PER_BATCH;
        if so_far.is_multiple_of(logins / 10) {
            let rows = RowCounts {
                sessions: count("sessions"),
                user_sessions: count("user_sessions"),
                grants: count("grants"),
                api_keys: count("api_keys"),
                rate_limits: count("rate_limits"),
                signing_keys: count("signing_keys"),
            };
            // Both tests print concurrently; the thread has the name of its test.
            report(
                std::thread::current().name().unwrap_or("sweep"),
                format!("after {so_far:>6} logins: {rows:?}"),
            );
            rows.assert_as_expected(so_far);
            if so_far >= STEADY_AFTER {
                rows.assert_not_grown_since(flat.get_or_insert(rows));
            }
        }
    }
}

// Proves: threats 42
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_a_year_of_logins_leaves_the_rows_that_are_needed_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lyceum.db");
    let store = SqlStore::sqlite(&path).unwrap();
    let tables = rusqlite::Connection::open(&path).unwrap();
    sign_in(store, LOGINS, |table| {
        tables
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get::<_, i64>(0)
            })
            .unwrap()
            .cast_unsigned()
    })
    .await;
}

// Proves: threats 42
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_a_year_of_logins_leaves_the_rows_that_are_needed_in_postgres() {
    needs_postgres!();
    let url = tokio::task::spawn_blocking(|| cluster().new_schema())
        .await
        .unwrap();
    let store = SqlStore::postgres(&url)
        .migrate(true)
        .compare_clock(false)
        .timeout(TIMEOUT)
        .open()
        .await
        .unwrap();
    let logins = if long_run::is_long_run() {
        LOGINS
    } else {
        LOGINS_BY_DEFAULT
    };
    sign_in(store, logins, |table| {
        let counting = || Cluster::query_at(&url, &format!("SELECT count(*)::text FROM {table}"));
        tokio::task::block_in_place(counting)[0].parse().unwrap()
    })
    .await;
}

// Proves: threats 42
#[test]
fn a_sweep_reads_no_more_than_it_takes_in_postgres() {
    needs_postgres!();
    let url = cluster().new_schema();
    drop(
        tokio::runtime::Runtime::new()
            .unwrap()
            .block_on(SqlStore::postgres(&url).migrate(true).open())
            .unwrap(),
    );
    // Small tables are read whole, so this queries the plan for large ones.
    let large =
        format!("{url}%20-cenable_seqscan%3Doff%20-cenable_sort%3Doff%20-cenable_bitmapscan%3Doff");
    for (index, table, end) in [
        ("sessions_by_expiry", "sessions", r#""expires_at""#),
        (
            "user_sessions_by_expiry",
            "user_sessions",
            r#""expires_at""#,
        ),
        ("audit_records_by_moment", "audit_records", r#""at""#),
        (
            "grants_by_end",
            "grants",
            r#"COALESCE("revoked_at", "idle_expires_at", "code_expires_at")"#,
        ),
        (
            "api_keys_by_end",
            "api_keys",
            r#"COALESCE("revoked_at", "expires_at")"#,
        ),
        (
            "calendar_feeds_by_expiry",
            "calendar_feeds",
            r#""expires_at""#,
        ),
        ("consents_by_last_use", "consents", r#""last_used_at""#),
        (
            "rate_limits_by_arrival",
            "rate_limits",
            r#""arrival_micros""#,
        ),
    ] {
        let chosen = format!(
            r#"SELECT 1 FROM "{table}" WHERE {end} <= 1 ORDER BY {end} ASC LIMIT 8 FOR UPDATE SKIP LOCKED"#
        );
        let plan = Cluster::query_at(&large, &format!("EXPLAIN {chosen}")).join("\n");
        assert!(
            plan.contains(&format!("Index Scan using {index}")) && !plan.contains("Sort"),
            "{index}: {plan}"
        );
    }
}
