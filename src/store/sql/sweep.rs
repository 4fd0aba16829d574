//! The one form in which rows are taken away that have had their time.

use sea_query::{CommonTableExpression, Expr, ExprTrait, Iden, LockBehavior, LockType, Order, Query, WithClause, WithQuery};

use super::executor::{Dialect, Executor};
use super::row::Cell;
use super::shape::Shape;
use crate::store::StorageError;
use crate::store::sweep::AT_ONCE;

#[derive(Debug, Clone, Copy, Iden)]
struct Swept;

/// Which rows have had their time.
pub(super) struct Ended {
    /// What is so of them. It has one value, which each sweep brings.
    pub(super) condition: Expr,
    /// What those that go first have the least of.
    pub(super) order: Expr,
    /// How many units of the value make a second.
    pub(super) per_second: u32,
    /// Whether those that another transaction has in hand are waited for. If not, they are passed over: they go with the next sweep.
    pub(super) waits: bool,
}

impl Ended {
    /// Those for which this, when they end, is the value or less.
    pub(super) fn by(end: Expr) -> Self {
        Self { condition: end.clone().lte(0), order: end, per_second: 1, waits: false }
    }

    /// The same, where the value is in microseconds.
    pub(super) fn by_micros(end: Expr) -> Self {
        Self { per_second: 1_000_000, ..Self::by(end) }
    }
}

/// Takes some of the ended rows away, by the shape that belongs to this sweep alone, and says how many.
pub(super) async fn sweep<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    shape: &'static Shape,
    (table, key): (I, I),
    until: i64,
    ended: impl FnOnce() -> Ended + Send,
) -> Result<u64, StorageError> {
    sweep_up_to(AT_ONCE, tx, shape, (table, key), until, ended).await
}

/// The same, so many at most.
pub(super) async fn sweep_up_to<I: Iden + Copy + 'static>(
    at_once: usize,
    tx: &mut dyn Executor,
    shape: &'static Shape,
    (table, key): (I, I),
    until: i64,
    ended: impl FnOnce() -> Ended + Send,
) -> Result<u64, StorageError> {
    sweep_rows(at_once, tx, shape, (table, [key]), (until, until), ended).await
}

/// The same for a key of any number of columns, where rows are kept after they ended: they go that ended at `until` or before, and only while
/// the database's clock has reached `at`, which is what the node's clock shows without [`CLOCKS_APART`](crate::store::sweep::CLOCKS_APART).
pub(super) async fn sweep_composite<I: Iden + Copy + 'static, const N: usize>(
    tx: &mut dyn Executor,
    shape: &'static Shape,
    (table, key): (I, [I; N]),
    (until, at): (i64, i64),
    ended: impl FnOnce() -> Ended + Send,
) -> Result<(), StorageError> {
    sweep_rows(AT_ONCE, tx, shape, (table, key), (until, at), ended).await.map(drop)
}

async fn sweep_rows<I: Iden + Copy + 'static, const N: usize>(
    at_once: usize,
    tx: &mut dyn Executor,
    shape: &'static Shape,
    (table, key): (I, [I; N]),
    (until, latest): (i64, i64),
    ended: impl FnOnce() -> Ended + Send,
) -> Result<u64, StorageError> {
    let (dialect, limit) = (tx.dialect(), Cell::from(at_once as i64));
    let latest = if tx.compares_clock() { latest } else { i64::MIN };
    let values = if dialect.is_server() { vec![until.into(), latest.into(), limit] } else { vec![until.into(), limit] };
    let sweeping = shape.bind(dialect, values, || statement(dialect, table, key, ended()));
    tx.execute(sweeping).await
}

/// Whether a moment, in so many units a second, is not later than the database's clock shows. For a database that is a server.
pub(super) fn not_ahead(moment: i64, per_second: u32) -> Expr {
    let now = format!("CAST(FLOOR(EXTRACT(EPOCH FROM STATEMENT_TIMESTAMP()) * {per_second}) AS BIGINT)");
    Expr::value(moment).lte(Expr::cust(now))
}

/// The rows are chosen once, before any is deleted: PostgreSQL may ask a subquery several times, and would find others each time.
///
/// PostgreSQL has a clock of its own: a second value, after that of the condition, must not be later than that. It is compared once a
/// statement, and nothing goes otherwise, for the clock of the node that asks is ahead.
pub(super) fn statement<I: Iden + Copy + 'static, const N: usize>(dialect: Dialect, table: I, key: [I; N], ended: Ended) -> WithQuery {
    let mut chosen = Query::select()
        .columns(key)
        .from(table)
        .and_where(ended.condition)
        .order_by_expr(ended.order, Order::Asc)
        .limit(AT_ONCE as u64)
        .take();
    if dialect.is_server() {
        chosen.and_where(not_ahead(0, ended.per_second));
    }
    if ended.waits {
        chosen.lock(LockType::Update);
    } else {
        chosen.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let swept = CommonTableExpression::new().query(chosen).columns(key).table_name(Swept).materialized(true).to_owned();
    let gone = Query::select().columns(key).from(Swept).take();
    let row = Expr::tuple(key.map(Expr::col));
    let deletion = Query::delete().from_table(table).and_where(row.in_subquery(gone)).take();
    deletion.with(WithClause::new().cte(swept).to_owned())
}
