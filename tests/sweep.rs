//! s42: a SQL database does not grow for ever. More than a year of logins, a hundred at once, and its tables counted.

#[path = "support/long.rs"]
mod long;
#[path = "support/postgres.rs"]
mod postgres_server;

#[path = "support/report.rs"]
mod report;

use std::sync::Arc;
use std::time::Duration;

use lyceum::store::sql::SqlStore;
use lyceum::testing::logins::{AT_A_TIME, FLAT_FROM, Rows, login};
use postgres_server::{Cluster, cluster, needs_postgres};
use report::report;
use tokio::task::JoinSet;

const LOGINS: u64 = 100_000;
/// How many of them PostgreSQL sees, which takes longer, unless the run is to be a long one: twice as many as it takes to be flat.
const LOGINS_BY_DEFAULT: u64 = 2 * FLAT_FROM;
/// A machine with much else to do is no reason for the store to give up here.
const PATIENCE: Duration = Duration::from_secs(120);

/// Lets people sign in, and looks at the tables after each tenth of them.
async fn sign_in(store: SqlStore, logins: u64, count: impl Fn(&str) -> u64) {
    let (store, mut flat) = (Arc::new(store), None);
    for first in (0..logins).step_by(AT_A_TIME as usize) {
        let mut moment = JoinSet::new();
        for number in first..first + AT_A_TIME {
            let store = Arc::clone(&store);
            moment.spawn(async move { login(&*store, number).await.unwrap() });
        }
        moment.join_all().await;
        let so_far = first + AT_A_TIME;
        if so_far.is_multiple_of(logins / 10) {
            let rows = Rows {
                sessions: count("sessions"),
                user_sessions: count("user_sessions"),
                grants: count("grants"),
                api_keys: count("api_keys"),
                rate_limits: count("rate_limits"),
                signing_keys: count("signing_keys"),
            };
            // The two tests print at once; this one's thread has its name.
            report(std::thread::current().name().unwrap_or("sweep"), format!("after {so_far:>6} logins: {rows:?}"));
            rows.assert_no_more_than_needed(so_far);
            if so_far >= FLAT_FROM {
                rows.assert_not_grown_since(flat.get_or_insert(rows));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s42_over_a_year_of_logins_leaves_the_rows_that_are_needed_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lyceum.db");
    let store = SqlStore::sqlite(&path).unwrap();
    let tables = rusqlite::Connection::open(&path).unwrap();
    sign_in(store, LOGINS, |table| {
        tables.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).unwrap().cast_unsigned()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s42_over_a_year_of_logins_leaves_the_rows_that_are_needed_in_postgres() {
    needs_postgres!();
    let url = tokio::task::spawn_blocking(|| cluster().schema()).await.unwrap();
    let store = SqlStore::postgres(&url).migrate(true).compare_clock(false).patience(PATIENCE).open().await.unwrap();
    let logins = if long::is_long() { LOGINS } else { LOGINS_BY_DEFAULT };
    sign_in(store, logins, |table| {
        let counting = || Cluster::texts_at(&url, &format!("SELECT count(*)::text FROM {table}"));
        tokio::task::block_in_place(counting)[0].parse().unwrap()
    })
    .await;
}

#[test]
fn s42_a_sweep_reads_no_more_than_it_takes_in_postgres() {
    needs_postgres!();
    let url = cluster().schema();
    drop(tokio::runtime::Runtime::new().unwrap().block_on(SqlStore::postgres(&url).migrate(true).open()).unwrap());
    // Small tables are read whole, so this asks for the plan of large ones.
    let large = format!("{url}%20-cenable_seqscan%3Doff%20-cenable_sort%3Doff%20-cenable_bitmapscan%3Doff");
    for (index, table, end) in [
        ("sessions_by_expiry", "sessions", r#""expires_at""#),
        ("user_sessions_by_expiry", "user_sessions", r#""expires_at""#),
        ("audit_records_by_moment", "audit_records", r#""at""#),
        ("grants_by_end", "grants", r#"COALESCE("revoked_at", "idle_expires_at", "code_expires_at")"#),
        ("api_keys_by_end", "api_keys", r#"COALESCE("revoked_at", "expires_at")"#),
        ("consents_by_last_use", "consents", r#""last_used_at""#),
        ("rate_limits_by_arrival", "rate_limits", r#""arrival_micros""#),
    ] {
        let chosen = format!(r#"SELECT 1 FROM "{table}" WHERE {end} <= 1 ORDER BY {end} ASC LIMIT 8 FOR UPDATE SKIP LOCKED"#);
        let plan = Cluster::texts_at(&large, &format!("EXPLAIN {chosen}")).join("\n");
        assert!(plan.contains(&format!("Index Scan using {index}")) && !plan.contains("Sort"), "{index}: {plan}");
    }
}
