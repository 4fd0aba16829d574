//! A page of a table: the total, the order, and what fits on the page.

use std::collections::HashMap;
use std::hash::Hash;

use sea_query::{Condition, Expr, ExprTrait, Func, Iden, Order, Query};

use super::executor::{Dialect, Executor, all, first};
use super::row::Row;
use crate::domain::{Direction, Needle, PageRequest};
use crate::store::StorageError;

/// What is listed, and how.
pub(super) struct Listing<I> {
    /// The table.
    pub(super) table: I,
    /// What is read of each row.
    pub(super) columns: Vec<I>,
    /// Which rows.
    pub(super) wanted: Condition,
    /// What is sorted by.
    pub(super) sort: I,
    /// Whether what is sorted by may be missing. Missing values come last in both directions.
    pub(super) sort_is_optional: bool,
    /// What decides between equal ones.
    pub(super) id: I,
    /// Which way.
    pub(super) direction: Direction,
    /// Which page.
    pub(super) page: PageRequest,
}

impl<I: Iden + Copy + Send + Sync + 'static> Listing<I> {
    /// How many rows there are on all pages, and the rows of this one.
    pub(super) async fn load(self, tx: &mut dyn Executor) -> Result<(u64, Vec<Row>), StorageError> {
        let total = count(tx, (self.table, self.id), self.wanted.clone()).await?;
        if total <= self.page.offset() {
            return Ok((total, Vec::new()));
        }
        let order = match self.direction {
            Direction::Ascending => Order::Asc,
            Direction::Descending => Order::Desc,
        };
        let mut page = Query::select();
        page.columns(self.columns).from(self.table).cond_where(self.wanted);
        if self.sort_is_optional {
            page.order_by_expr(Expr::col(self.sort).is_null(), Order::Asc);
        }
        page.order_by(self.sort, order.clone()).order_by(self.id, order);
        page.limit(self.page.size().into()).offset(self.page.offset());
        Ok((total, all(tx, &page).await?))
    }
}

/// What was found, each once and in the order in which it was asked for.
pub(super) fn in_order_of<K: Eq + Hash, T>(ids: &[K], found: Vec<T>, id: impl Fn(&T) -> K) -> Vec<T> {
    let mut found: HashMap<K, T> = found.into_iter().map(|found| (id(&found), found)).collect();
    ids.iter().filter_map(|id| found.remove(id)).collect()
}

/// How many rows of a table there are of which this is so.
pub(super) async fn count<I: Iden + 'static>(tx: &mut dyn Executor, (table, id): (I, I), wanted: Condition) -> Result<u64, StorageError> {
    let count = Query::select().expr(Func::count(Expr::col(id))).from(table).cond_where(wanted).take();
    match first(tx, &count).await? {
        Some(mut row) => u64::try_from(row.integer("count")?).map_err(|_| StorageError::corrupt("count")),
        None => Ok(0),
    }
}

/// Whether the needle is somewhere in a folded column, byte by byte.
pub(super) fn contains<I: Iden + 'static>(dialect: Dialect, folded: I, needle: &Needle) -> Expr {
    let position = Func::cust(dialect.position_function()).arg(Expr::col(folded)).arg(needle.as_str());
    Expr::from(position).gt(Expr::Constant(0.into()))
}
