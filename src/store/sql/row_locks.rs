//! Locks on several rows.

use sea_query::{Condition, Iden, LockType, Order, Query};

use super::executor::{Executor, fetch_all};
use super::row::Row;
use crate::store::StorageError;

/// Locks rows in the order of their keys, so that transitions that lock the same rows cannot
/// deadlock.
///
/// A row may be inserted, or get another key, before the next statement. That statement therefore
/// repeats the condition instead of naming the keys.
pub(super) async fn lock_rows<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    table: I,
    key: I,
    condition: Condition,
) -> Result<(), StorageError> {
    lock_and_select(tx, table, key, key, condition)
        .await
        .map(drop)
}

/// Locks rows as [`lock_rows`] does and returns their values of a column, which stay the same until
/// the transaction ends.
pub(super) async fn lock_and_select<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    table: I,
    key: I,
    column: I,
    condition: Condition,
) -> Result<Vec<Row>, StorageError> {
    let rows = Query::select()
        .column(column)
        .from(table)
        .cond_where(condition)
        .order_by(key, Order::Asc)
        .lock(LockType::Update)
        .take();
    fetch_all(tx, &rows).await
}
