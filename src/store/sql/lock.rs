//! Several rows at once.

use sea_query::{Condition, Iden, LockType, Order, Query};

use super::executor::{Executor, all};
use crate::store::StorageError;

/// Locks rows in the order of their keys, so that of two transitions that want the same ones neither waits for the other in a circle. Says
/// how many there are.
///
/// A row may get another key, or come, before the next statement: that one asks by the condition again, not by the keys.
pub(super) async fn lock<I: Iden + Copy + 'static>(
    tx: &mut dyn Executor,
    table: I,
    key: I,
    wanted: Condition,
) -> Result<usize, StorageError> {
    let rows = Query::select().column(key).from(table).cond_where(wanted).order_by(key, Order::Asc).lock(LockType::Update).take();
    Ok(all(tx, &rows).await?.len())
}
