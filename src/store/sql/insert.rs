//! Insertions, with each column beside its value.

use sea_query::{Expr, Iden, InsertStatement, OnConflict, Query};

/// Inserts a row.
pub(super) fn insert<I: Iden + Copy + 'static, const N: usize>(table: I, values: [(I, Expr); N]) -> InsertStatement {
    let (columns, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    // There is a value for each column, so this cannot panic.
    Query::insert().into_table(table).columns(columns).values_panic(values).take()
}

/// Inserts a row, or changes nothing when one of its unique values is taken.
pub(super) fn insert_new<I: Iden + Copy + 'static, const N: usize>(table: I, values: [(I, Expr); N]) -> InsertStatement {
    insert(table, values).on_conflict(OnConflict::new().do_nothing().to_owned()).take()
}

/// Inserts a row, or replaces the values of the one with the same key, which is the first column.
pub(super) fn put<I: Iden + Copy + 'static, const N: usize>(table: I, values: [(I, Expr); N]) -> InsertStatement {
    let columns: Vec<I> = values.iter().map(|(column, _)| *column).collect();
    let conflict = OnConflict::columns(columns.iter().copied().take(1)).update_columns(columns.into_iter().skip(1)).to_owned();
    insert(table, values).on_conflict(conflict).take()
}
