//! Statements that write many rows, in few distinct lengths.

use sea_query::{Iden, OnConflict, Query};

use super::executor::Executor;
use super::prepared_query::{PreparedQuery, parameter};
use super::row::SqlValue;
use crate::store::StorageError;

/// Numbers of rows in a statement. With few lengths a connection caches few prepared statements.
/// The widest row has 19 values; SQLite allows 32,766 in a statement, PostgreSQL 65,535.
const BATCH_SIZES: [usize; 5] = [256, 64, 16, 4, 1];

/// Statements that write rows of one table, one for each length. Their text is rendered once,
/// because rendering takes longer than binding the values.
pub(super) struct BatchUpsert([PreparedQuery; BATCH_SIZES.len()]);

impl BatchUpsert {
    pub(super) const fn new() -> Self {
        Self([const { PreparedQuery::new() }; BATCH_SIZES.len()])
    }

    /// Inserts a row for each item, or replaces the row with the same key, which is the first `key`
    /// columns. If `key` is 0, an existing row is an error.
    pub(super) async fn upsert<T: Sync, R, C: Iden + Copy + 'static>(
        &'static self,
        tx: &mut dyn Executor,
        table: impl Iden + Copy + Send + 'static,
        key: usize,
        items: &[T],
        row: impl Fn(&T) -> R + Send,
    ) -> Result<(), StorageError>
    where
        R: IntoIterator<Item = (C, SqlValue)>,
    {
        for (query, items) in self.split(items) {
            let statement = {
                let mut columns = Vec::new();
                let mut values = Vec::new();
                for item in items {
                    columns.clear();
                    for (column, value) in row(item) {
                        columns.push(column);
                        values.push(value);
                    }
                }
                query.bind_list(tx.dialect(), values, || {
                    let (keys, others) = columns.split_at(key);
                    let mut insertion = Query::insert();
                    insertion.into_table(table).columns(columns.iter().copied());
                    if !keys.is_empty() {
                        let mut conflict = OnConflict::columns(keys.iter().copied());
                        match others {
                            [] => conflict.do_nothing(),
                            _ => conflict.update_columns(others.iter().copied()),
                        };
                        insertion.on_conflict(conflict);
                    }
                    let width = columns.len();
                    for row in 0..items.len() {
                        // There is a value for each column, so this cannot panic.
                        insertion.values_panic((row * width..(row + 1) * width).map(parameter));
                    }
                    insertion
                })?
            };
            tx.execute(statement).await?;
        }
        Ok(())
    }

    /// Splits the items into parts, as long as possible, with the statement for each length.
    fn split<'i, T>(
        &'static self,
        mut items: &'i [T],
    ) -> impl Iterator<Item = (&'static PreparedQuery, &'i [T])> {
        std::iter::from_fn(move || {
            let (length, query) = BATCH_SIZES
                .iter()
                .zip(&self.0)
                .find(|(length, _)| **length <= items.len())?;
            let (part, rest) = items.split_at(*length);
            items = rest;
            Some((query, part))
        })
    }
}
