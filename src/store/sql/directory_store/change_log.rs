//! Change log: for each record, also a removed one, the version in which it last changed.

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::record_kinds::{StoredId, StoredRecord};
use super::version::signed;
use crate::store::sql::executor::{Executor, fetch_all};
use crate::store::sql::tables::Changes as Log;
use crate::store::{DirectoryRow, StorageError};

/// Maximum number of rows that a statement reads.
const MAX_ROWS: usize = 4096;

/// Ids in ascending order, each with the number of the version in which the record last changed.
pub(super) type Entries<I> = Vec<(I, u64)>;

/// The entries with ids after `after`, up to and including `last`.
pub(super) async fn between<K: StoredRecord>(
    tx: &mut dyn Executor,
    after: Option<&K::Id>,
    last: Option<&K::Id>,
) -> Result<Entries<K::Id>, StorageError> {
    let mut after = after.cloned();
    let mut entries = Vec::new();
    loop {
        let range = Condition::all()
            .add_option(
                after
                    .as_ref()
                    .map(|id| Expr::col(Log::RecordId).gt(id.to_expr())),
            )
            .add_option(last.map(|id| Expr::col(Log::RecordId).lte(id.to_expr())));
        let length = read_page::<K>(tx, range, &[Log::RecordId], &mut entries).await?;
        if length < MAX_ROWS {
            return Ok(entries);
        }
        after = entries.last().map(|(id, _)| id.clone());
    }
}

/// The entries of records that changed after the version `number`.
pub(super) async fn since<K: StoredRecord>(
    tx: &mut dyn Executor,
    number: u64,
) -> Result<Entries<K::Id>, StorageError> {
    let mut after: Option<(K::Id, u64)> = None;
    let mut entries = Vec::new();
    loop {
        let range = match &after {
            None => Expr::col(Log::Version).gt(signed(number)?),
            Some((id, number)) => Expr::tuple([Expr::col(Log::Version), Expr::col(Log::RecordId)])
                .gt(Expr::tuple([Expr::value(signed(*number)?), id.to_expr()])),
        };
        let length = read_page::<K>(
            tx,
            Condition::all().add(range),
            &[Log::Version, Log::RecordId],
            &mut entries,
        )
        .await?;
        if length < MAX_ROWS {
            entries.sort_unstable();
            return Ok(entries);
        }
        after = entries.last().cloned();
    }
}

/// Reads the first `MAX_ROWS` entries of a range and returns their number.
async fn read_page<K: StoredRecord>(
    tx: &mut dyn Executor,
    range: Condition,
    order: &[Log],
    entries: &mut Entries<K::Id>,
) -> Result<usize, StorageError> {
    let page = Query::select()
        .columns([Log::RecordId, Log::Version])
        .from(K::Id::LOG)
        .and_where(Expr::col(Log::Kind).eq(K::KIND))
        .cond_where(range)
        .order_by_columns(order.iter().map(|column| (*column, Order::Asc)))
        .limit(MAX_ROWS as u64)
        .take();
    let rows = fetch_all(tx, &page).await?;
    let length = rows.len();
    for mut row in rows {
        entries.push((K::Id::from_row(&mut row)?, row.unsigned("changes.version")?));
    }
    Ok(length)
}

/// Records the version in which each of these rows changed.
pub(super) async fn write<K: StoredRecord>(
    tx: &mut dyn Executor,
    rows: &[DirectoryRow<K::Id, K>],
) -> Result<(), StorageError> {
    let storable = rows.iter().filter(|row| row.id.is_storable());
    let entries = storable
        .map(|row| Ok((&row.id, signed(row.changed)?)))
        .collect::<Result<Vec<_>, StorageError>>()?;
    let columns = |(id, changed): &(&K::Id, i64)| {
        [
            (Log::Kind, K::KIND.into()),
            (Log::RecordId, id.to_sql_value()),
            (Log::Version, (*changed).into()),
        ]
    };
    K::Id::statements()
        .upsert(tx, K::Id::LOG, 2, &entries, columns)
        .await
}
