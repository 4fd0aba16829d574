//! Pages of a table, with a total.

use std::collections::HashMap;
use std::hash::Hash;

use sea_query::{Condition, Expr, ExprTrait, Func, Iden, Order, Query};

use super::executor::{Dialect, Executor, fetch_all, fetch_optional};
use super::row::Row;
use crate::domain::{PageRequest, SearchTerm, SortDirection};
use crate::store::StorageError;

/// A query for one page of a list.
pub(super) struct PageQuery<I> {
    /// The table.
    pub(super) table: I,
    /// The columns to read.
    pub(super) columns: Vec<I>,
    /// The condition for rows.
    pub(super) condition: Condition,
    /// The column to sort by.
    pub(super) sort: I,
    /// Whether the sort column may be null. Nulls come last in both directions.
    pub(super) sort_is_nullable: bool,
    /// The column that decides the order of equal rows.
    pub(super) id: I,
    /// The sort direction.
    pub(super) direction: SortDirection,
    /// The requested page.
    pub(super) page: PageRequest,
}

impl<I: Iden + Copy + Send + Sync + 'static> PageQuery<I> {
    /// Returns the number of rows on all pages, and the rows of this page.
    pub(super) async fn load(self, tx: &mut dyn Executor) -> Result<(u64, Vec<Row>), StorageError> {
        let total = count(tx, (self.table, self.id), self.condition.clone()).await?;
        if total <= self.page.offset() {
            return Ok((total, Vec::new()));
        }
        let order = match self.direction {
            SortDirection::Ascending => Order::Asc,
            SortDirection::Descending => Order::Desc,
        };
        let mut page = Query::select();
        page.columns(self.columns)
            .from(self.table)
            .cond_where(self.condition);
        if self.sort_is_nullable {
            page.order_by_expr(Expr::col(self.sort).is_null(), Order::Asc);
        }
        page.order_by(self.sort, order.clone())
            .order_by(self.id, order);
        page.limit(self.page.size().into())
            .offset(self.page.offset());
        Ok((total, fetch_all(tx, &page).await?))
    }
}

/// Sorts the found values in the order of the ids, each once.
pub(super) fn sort_by_ids<K: Eq + Hash, T>(
    ids: &[K],
    found: Vec<T>,
    id: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut found: HashMap<K, T> = found.into_iter().map(|found| (id(&found), found)).collect();
    ids.iter().filter_map(|id| found.remove(id)).collect()
}

/// Counts the rows of a table that meet the condition.
pub(super) async fn count<I: Iden + 'static>(
    tx: &mut dyn Executor,
    (table, id): (I, I),
    condition: Condition,
) -> Result<u64, StorageError> {
    let count = Query::select()
        .expr(Func::count(Expr::col(id)))
        .from(table)
        .cond_where(condition)
        .take();
    match fetch_optional(tx, &count).await? {
        Some(mut row) => {
            u64::try_from(row.integer("count")?).map_err(|_| StorageError::corrupt("count"))
        }
        None => Ok(0),
    }
}

/// Whether a folded column contains the term, byte by byte.
pub(super) fn contains<I: Iden + 'static>(dialect: Dialect, folded: I, term: &SearchTerm) -> Expr {
    let position = Func::cust(dialect.position_function())
        .arg(Expr::col(folded))
        .arg(term.as_str());
    Expr::from(position).gt(Expr::Constant(0.into()))
}
