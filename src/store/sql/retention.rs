//! Deletion of expired rows.

use sea_query::{
    CommonTableExpression, Expr, ExprTrait, Iden, LockBehavior, LockType, Order, Query, WithClause,
    WithQuery,
};

use super::executor::{Dialect, Executor, execute};
use super::insert::insert;
use super::prepared_query::PreparedQuery;
use crate::domain::Timestamp;
use crate::store::StorageError;
use crate::store::retention::{CLOCK_SKEW, MAX_DELETED_PER_INSERT};

#[derive(Debug, Clone, Copy, Iden)]
struct Swept;

/// Condition for rows to be deleted.
pub(super) struct ExpiryCondition {
    /// The condition, of the parameter that it was built with.
    pub(super) condition: Expr,
    /// The sort key: rows with the smallest value are deleted first.
    pub(super) order: Expr,
    /// Units of the value in a second.
    pub(super) units_per_second: u32,
    /// Whether to wait for rows that another transaction has locked. Otherwise they are skipped and
    /// deleted by a later sweep.
    pub(super) waits_for_locks: bool,
}

impl ExpiryCondition {
    /// Selects rows whose end is at or before `until`, in seconds.
    pub(super) fn new(end: Expr, until: Expr) -> Self {
        Self {
            condition: end.clone().lte(until),
            order: end,
            units_per_second: 1,
            waits_for_locks: false,
        }
    }

    /// Selects rows whose end is at or before `until`, in microseconds.
    pub(super) fn from_micros(end: Expr, until: Expr) -> Self {
        Self {
            units_per_second: 1_000_000,
            ..Self::new(end, until)
        }
    }
}

/// Inserts a row that was created at a time, its key first, and deletes some rows that had expired
/// then. Only this table uses the query.
pub(super) async fn insert_and_sweep<I: Iden + Copy + Send + 'static, const N: usize>(
    tx: &mut dyn Executor,
    query: &'static PreparedQuery,
    table: I,
    row: [(I, Expr); N],
    created_at: Timestamp,
    expiry: fn(Expr) -> ExpiryCondition,
) -> Result<(), StorageError> {
    let key = row[0].0;
    let row = insert(table, row);
    let until = created_at.minus(CLOCK_SKEW).seconds();
    sweep(tx, query, (table, key), until, expiry).await?;
    execute(tx, &row).await.map(drop)
}

/// Deletes some expired rows with a query that only this sweep uses. Returns the number deleted.
pub(super) async fn sweep<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    query: &'static PreparedQuery,
    (table, key): (I, I),
    until: i64,
    expiry: impl FnOnce(Expr) -> ExpiryCondition + Send,
) -> Result<u64, StorageError> {
    sweep_up_to(
        MAX_DELETED_PER_INSERT,
        tx,
        query,
        (table, key),
        until,
        expiry,
    )
    .await
}

/// Deletes at most `limit` expired rows and returns the number deleted. The limit is part of the
/// query's text, so it must be the same at each call with this query.
pub(super) async fn sweep_up_to<I: Iden + Copy + 'static>(
    limit: usize,
    tx: &mut dyn Executor,
    query: &'static PreparedQuery,
    (table, key): (I, I),
    until: i64,
    expiry: impl FnOnce(Expr) -> ExpiryCondition + Send,
) -> Result<u64, StorageError> {
    sweep_rows(limit, tx, query, (table, [key]), (until, until), expiry).await
}

/// Deletes rows of a table whose key may have several columns and whose rows are retained after
/// their end. It deletes rows that ended at `until` or before, and only if the database's clock has
/// reached `at`: the node's time minus [`CLOCK_SKEW`](crate::store::retention::CLOCK_SKEW).
pub(super) async fn sweep_composite<I: Iden + Copy + 'static, const N: usize>(
    tx: &mut dyn Executor,
    query: &'static PreparedQuery,
    (table, key): (I, [I; N]),
    (until, at): (i64, i64),
    expiry: impl FnOnce(Expr) -> ExpiryCondition + Send,
) -> Result<(), StorageError> {
    sweep_rows(
        MAX_DELETED_PER_INSERT,
        tx,
        query,
        (table, key),
        (until, at),
        expiry,
    )
    .await
    .map(drop)
}

async fn sweep_rows<I: Iden + Copy + 'static, const N: usize>(
    limit: usize,
    tx: &mut dyn Executor,
    query: &'static PreparedQuery,
    (table, key): (I, [I; N]),
    (until, latest): (i64, i64),
    expiry: impl FnOnce(Expr) -> ExpiryCondition + Send,
) -> Result<u64, StorageError> {
    let dialect = tx.dialect();
    let latest = if tx.compares_clock() {
        latest
    } else {
        i64::MIN
    };
    let sweeping = query.bind(dialect, [until.into(), latest.into()], |[until, latest]| {
        statement(dialect, (table, key), limit, expiry(until), latest)
    })?;
    tx.execute(sweeping).await
}

/// Whether a time, in these units, is not later than the clock of the database server.
pub(super) fn is_not_in_future(moment: Expr, units_per_second: u32) -> Expr {
    let now = format!(
        "CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * {units_per_second}) AS BIGINT)"
    );
    moment.lte(Expr::cust(now))
}

/// The rows are selected once, in a materialized expression, before any is deleted: PostgreSQL may
/// evaluate a subquery several times and would find other rows each time.
///
/// On PostgreSQL the statement deletes nothing if `latest` is later than the server's clock,
/// because the calling node's clock is then ahead.
pub(super) fn statement<I: Iden + Copy + 'static, const N: usize>(
    dialect: Dialect,
    (table, key): (I, [I; N]),
    limit: usize,
    expiry: ExpiryCondition,
    latest: Expr,
) -> WithQuery {
    let mut chosen = Query::select()
        .columns(key)
        .from(table)
        .and_where(expiry.condition)
        .order_by_expr(expiry.order, Order::Asc)
        .limit(limit as u64)
        .take();
    if dialect.is_server() {
        chosen.and_where(is_not_in_future(latest, expiry.units_per_second));
    }
    if expiry.waits_for_locks {
        chosen.lock(LockType::Update);
    } else {
        chosen.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let swept = CommonTableExpression::new()
        .query(chosen)
        .columns(key)
        .table_name(Swept)
        .materialized(true)
        .to_owned();
    let expired = Query::select().columns(key).from(Swept).take();
    let row = Expr::tuple(key.map(Expr::col));
    let deletion = Query::delete()
        .from_table(table)
        .and_where(row.in_subquery(expired))
        .take();
    deletion.with(WithClause::new().cte(swept).to_owned())
}
