//! Several rows at once.

use sea_query::{Condition, Iden, LockType, Order, Query};

use super::executor::{Executor, all};
use super::row::Row;
use crate::store::StorageError;

/// Locks rows in the order of their keys, so that of two transitions that want the same ones neither waits for the other in a circle.
///
/// A row may get another key, or come, before the next statement: that one asks by the condition again, not by the keys.
pub(super) async fn lock<I: Iden + Copy + 'static>(tx: &mut dyn Executor, table: I, key: I, wanted: Condition) -> Result<(), StorageError> {
    lock_and_read(tx, table, key, key, wanted).await.map(drop)
}

/// The same, and says what the rows have in a column. It stays so.
pub(super) async fn lock_and_read<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    table: I,
    key: I,
    column: I,
    wanted: Condition,
) -> Result<Vec<Row>, StorageError> {
    let rows = Query::select().column(column).from(table).cond_where(wanted).order_by(key, Order::Asc).lock(LockType::Update).take();
    all(tx, &rows).await
}
