//! Many rows a statement, in statements of few lengths.

use sea_query::{Expr, Iden, OnConflict, Query};

use super::executor::Executor;
use super::row::Cell;
use super::shape::Shape;
use crate::store::StorageError;

/// How many rows a statement puts. With few lengths a connection keeps few statements prepared. The widest row has 19 values, and SQLite
/// takes 32,766 of them, PostgreSQL 65,535.
const LENGTHS: [usize; 5] = [256, 64, 16, 4, 1];

/// A statement that puts rows into one table, in each length. Its text is rendered once, for that takes longer than to bind the values.
pub(super) struct Batches([Shape; LENGTHS.len()]);

impl Batches {
    pub(super) const fn new() -> Self {
        Self([const { Shape::new() }; LENGTHS.len()])
    }

    /// Inserts a row for each item, or replaces the row with the same key, which is the first `key` columns. Where `key` is 0, a row that is
    /// there already is an error.
    pub(super) async fn put<T: Sync, R, C: Iden + Copy + 'static>(
        &'static self,
        tx: &mut dyn Executor,
        table: impl Iden + Copy + Send + 'static,
        key: usize,
        items: &[T],
        row: impl Fn(&T) -> R + Send,
    ) -> Result<(), StorageError>
    where
        R: IntoIterator<Item = (C, Cell)>,
    {
        for (shape, items) in self.split(items) {
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
                shape.bind(tx.dialect(), values, || {
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
                    for _ in items {
                        // There is a value for each column, so this cannot panic.
                        insertion.values_panic(columns.iter().map(|_| Expr::value(0)));
                    }
                    insertion
                })
            };
            tx.execute(statement).await?;
        }
        Ok(())
    }

    /// Parts of the items, as long as possible, with the statements for their lengths.
    fn split<'i, T>(&'static self, mut items: &'i [T]) -> impl Iterator<Item = (&'static Shape, &'i [T])> {
        std::iter::from_fn(move || {
            let (length, shape) = LENGTHS.iter().zip(&self.0).find(|(length, _)| **length <= items.len())?;
            let (part, rest) = items.split_at(*length);
            items = rest;
            Some((shape, part))
        })
    }
}
