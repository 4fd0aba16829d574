//! Sizes of the tables, and the rows that sweeps have left.

use std::time::Duration;

use sea_query::{Expr, Iden};

use super::executor::{Dialect, Executor, Statement};
use super::page_query::count;
use super::retention::ExpiryCondition;
use super::tables::{
    ApiKeys, AuditRecords, CalendarFeeds, Consents, Grants, RateLimits, Sessions, SyncRuns,
    UserSessions,
};
use super::{
    api_keys, audit_records, authorization_sessions, calendar_feeds, consents, grants, rate_limits,
    sync_runs, user_sessions,
};
use crate::domain::Timestamp;
use crate::store::retention::{
    API_KEY_RETENTION, CLOCK_SKEW, CONSENT_RETENTION, GRANT_RETENTION, SYNC_RUN_RETENTION,
};
use crate::store::{StorageError, TableSize};

/// Reads the size of each table, with the rows that a sweep at a time may delete.
pub(super) async fn table_sizes(
    tx: &mut dyn Executor,
    at: Timestamp,
    audit_retention: Duration,
) -> Result<Vec<TableSize>, StorageError> {
    let text = match tx.dialect() {
        #[cfg(feature = "sqlite")]
        Dialect::Sqlite => {
            "SELECT tbl_name, SUM(pgsize) FROM dbstat JOIN sqlite_schema USING (name) \
             WHERE aggregate = TRUE GROUP BY tbl_name ORDER BY tbl_name"
        }
        #[cfg(feature = "postgres")]
        Dialect::Postgres => {
            "SELECT relname::TEXT, pg_total_relation_size(pg_class.oid)::BIGINT FROM pg_catalog.pg_class \
             JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace \
             WHERE nspname = current_schema() AND relkind = 'r' ORDER BY 1"
        }
    };
    let statement = Statement {
        text: text.into(),
        values: Vec::new(),
    };
    let mut sizes = Vec::new();
    for mut row in tx.query(statement).await? {
        sizes.push(TableSize {
            name: row.text("tables.name")?,
            bytes: row.unsigned("tables.bytes")?,
            expired_rows: 0,
        });
    }
    let until = |retention: Duration| at.minus(retention).seconds();
    for (table, expired_rows) in [
        expired(
            tx,
            (Sessions::Table, Sessions::Digest),
            until(CLOCK_SKEW),
            authorization_sessions::expiry,
        )
        .await?,
        expired(
            tx,
            (UserSessions::Table, UserSessions::Id),
            until(CLOCK_SKEW),
            user_sessions::expiry,
        )
        .await?,
        expired(
            tx,
            (Grants::Table, Grants::Id),
            until(GRANT_RETENTION),
            grants::expiry,
        )
        .await?,
        expired(
            tx,
            (Consents::Table, Consents::ClientId),
            until(CONSENT_RETENTION),
            consents::expiry,
        )
        .await?,
        expired(
            tx,
            (ApiKeys::Table, ApiKeys::Id),
            until(API_KEY_RETENTION),
            api_keys::expiry,
        )
        .await?,
        expired(
            tx,
            (CalendarFeeds::Table, CalendarFeeds::Id),
            until(CLOCK_SKEW),
            calendar_feeds::expiry,
        )
        .await?,
        expired(
            tx,
            (AuditRecords::Table, AuditRecords::Id),
            until(audit_retention),
            audit_records::expiry,
        )
        .await?,
        expired(
            tx,
            (RateLimits::Table, RateLimits::Digest),
            at.minus(CLOCK_SKEW).micros(),
            rate_limits::expiry,
        )
        .await?,
        expired(
            tx,
            (SyncRuns::Table, SyncRuns::Id),
            until(SYNC_RUN_RETENTION),
            sync_runs::expiry,
        )
        .await?,
    ] {
        if let Some(size) = sizes.iter_mut().find(|size| size.name == table) {
            size.expired_rows = expired_rows;
        }
    }
    Ok(sizes)
}

/// The name of a table, and the number of its rows that a sweep may delete.
async fn expired<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    (table, key): (I, I),
    until: i64,
    expiry: fn(Expr) -> ExpiryCondition,
) -> Result<(String, u64), StorageError> {
    let condition = expiry(until.into()).condition;
    let rows = count(tx, (table, key), sea_query::Condition::all().add(condition)).await?;
    Ok((table.unquoted().to_owned(), rows))
}
