//! The log of changes: for each record that there is or was, the version in which it last changed.

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::kinds::{KeptId, KeptRecord};
use super::version::signed;
use crate::store::sql::executor::{Executor, all};
use crate::store::sql::tables::Changes as Log;
use crate::store::{DirectoryRow, StorageError};

/// The most rows that a statement reads.
const ROWS: usize = 4096;

/// Ids with the number of the version in which the record last changed, in ascending order of id.
pub(super) type Entries<I> = Vec<(I, u64)>;

/// The entries with ids after `after`, up to and with `last`.
pub(super) async fn between<K: KeptRecord>(
    tx: &mut dyn Executor,
    after: Option<&K::Id>,
    last: Option<&K::Id>,
) -> Result<Entries<K::Id>, StorageError> {
    let mut after = after.cloned();
    let mut entries = Vec::new();
    loop {
        let part = Condition::all()
            .add_option(after.as_ref().map(|id| Expr::col(Log::RecordId).gt(id.value())))
            .add_option(last.map(|id| Expr::col(Log::RecordId).lte(id.value())));
        let length = read_part::<K>(tx, part, &[Log::RecordId], &mut entries).await?;
        if length < ROWS {
            return Ok(entries);
        }
        after = entries.last().map(|(id, _)| id.clone());
    }
}

/// The entries of records that changed after the version `number`.
pub(super) async fn since<K: KeptRecord>(tx: &mut dyn Executor, number: u64) -> Result<Entries<K::Id>, StorageError> {
    let mut after: Option<(K::Id, u64)> = None;
    let mut entries = Vec::new();
    loop {
        let part = match &after {
            None => Expr::col(Log::Version).gt(signed(number)?),
            Some((id, number)) => Expr::tuple([Expr::col(Log::Version), Expr::col(Log::RecordId)])
                .gt(Expr::tuple([Expr::value(signed(*number)?), id.value()])),
        };
        let length = read_part::<K>(tx, Condition::all().add(part), &[Log::Version, Log::RecordId], &mut entries).await?;
        if length < ROWS {
            entries.sort_unstable();
            return Ok(entries);
        }
        after = entries.last().cloned();
    }
}

/// Reads the first entries of a part, and says how many there were.
async fn read_part<K: KeptRecord>(
    tx: &mut dyn Executor,
    part: Condition,
    order: &[Log],
    entries: &mut Entries<K::Id>,
) -> Result<usize, StorageError> {
    let part = Query::select()
        .columns([Log::RecordId, Log::Version])
        .from(K::Id::LOG)
        .and_where(Expr::col(Log::Kind).eq(K::KIND))
        .cond_where(part)
        .order_by_columns(order.iter().map(|column| (*column, Order::Asc)))
        .limit(ROWS as u64)
        .take();
    let rows = all(tx, &part).await?;
    let length = rows.len();
    for mut row in rows {
        entries.push((K::Id::read(&mut row)?, row.whole("changes.version")?));
    }
    Ok(length)
}

/// Writes down in which version each of these rows changed.
pub(super) async fn write<K: KeptRecord>(tx: &mut dyn Executor, rows: &[DirectoryRow<K::Id, K>]) -> Result<(), StorageError> {
    let possible = rows.iter().filter(|row| row.id.is_possible());
    let entries = possible.map(|row| Ok((&row.id, signed(row.changed)?))).collect::<Result<Vec<_>, StorageError>>()?;
    let columns =
        |(id, changed): &(&K::Id, i64)| [(Log::Kind, K::KIND.into()), (Log::RecordId, id.cell()), (Log::Version, (*changed).into())];
    K::Id::statements().put(tx, K::Id::LOG, 2, &entries, columns).await
}
