//! Insert statements that pair each column with its value.

use sea_query::{Expr, Iden, InsertStatement, OnConflict, Query};

use super::executor::{Executor, execute};
use crate::store::StorageError;

/// Inserts a row.
pub(super) fn insert<I: Iden + Copy + 'static>(
    table: I,
    values: impl IntoIterator<Item = (I, Expr)>,
) -> InsertStatement {
    let (columns, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    // There is a value for each column, so this cannot panic.
    Query::insert()
        .into_table(table)
        .columns(columns)
        .values_panic(values)
        .take()
}

/// Inserts a row, or changes nothing if one of its unique values is taken.
pub(super) fn insert_or_ignore<I: Iden + Copy + 'static>(
    table: I,
    values: impl IntoIterator<Item = (I, Expr)>,
) -> InsertStatement {
    insert(table, values)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .take()
}

/// Inserts rows with one statement. Rows with a unique value that is taken, also by an earlier row,
/// are skipped.
pub(super) async fn insert_all_or_ignore<I: Iden + Copy + Send + Sync + 'static, const N: usize>(
    tx: &mut dyn Executor,
    table: I,
    columns: [I; N],
    rows: impl Iterator<Item = [Expr; N]>,
) -> Result<(), StorageError> {
    let mut insertion = Query::insert()
        .into_table(table)
        .columns(columns)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .take();
    let mut is_empty = true;
    for row in rows {
        // There is a value for each column, so this cannot panic.
        insertion.values_panic(row);
        is_empty = false;
    }
    if is_empty {
        Ok(())
    } else {
        execute(tx, &insertion).await.map(drop)
    }
}
