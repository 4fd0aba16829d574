//! Reads the whole directory, a part at a time.

use sea_query::{Expr, ExprTrait, Order, Query};

use super::kinds::{KeptId, KeptRecord};
use super::log::{self, Entries};
use super::version;
use crate::store::sql::executor::{Executor, all};
use crate::store::{DirectoryRow, DirectoryRows, StorageError};

/// The most records that a statement reads. A part's rows are dropped before the next part is read.
const RECORDS: usize = 4096;

pub(in crate::store::sql) async fn load(tx: &mut dyn Executor) -> Result<DirectoryRows, StorageError> {
    Ok(DirectoryRows {
        version: version::current(tx).await?,
        marks: version::marks(tx, None).await?,
        students: rows(tx).await?,
        clubs: rows(tx).await?,
        projects: rows(tx).await?,
        meals: rows(tx).await?,
        events: rows(tx).await?,
        lessons: rows(tx).await?,
    })
}

/// All rows of a kind, by ranges of ids.
async fn rows<K: KeptRecord>(tx: &mut dyn Executor) -> Result<Vec<DirectoryRow<K::Id, K>>, StorageError> {
    let mut rows = Vec::new();
    let mut after: Option<K::Id> = None;
    loop {
        let records = records::<K>(tx, after.as_ref()).await?;
        // The last range has no end, for ids of removed records may follow the last record.
        let last = if records.len() < RECORDS { None } else { records.last().map(K::id) };
        let entries = log::between::<K>(tx, after.as_ref(), last.as_ref()).await?;
        join(records, entries, &mut rows);
        if last.is_none() {
            return Ok(rows);
        }
        after = last;
    }
}

/// The first records after an id.
async fn records<K: KeptRecord>(tx: &mut dyn Executor, after: Option<&K::Id>) -> Result<Vec<K>, StorageError> {
    let part = Query::select()
        .columns(K::COLUMNS.iter().copied())
        .from(K::TABLE)
        .and_where_option(after.map(|id| Expr::col(K::ID).gt(id.value())))
        .order_by(K::ID, Order::Asc)
        .limit(RECORDS as u64)
        .take();
    let mut records = all(tx, &part).await?.into_iter().map(K::read).collect::<Result<Vec<_>, _>>()?;
    K::complete(tx, &mut records).await?;
    Ok(records)
}

/// Adds records and what the log says about them and about removed ones. Both are in ascending order of id.
///
/// A record that is not in the log was inserted by somebody else's SQL; it counts as unchanged since the beginning.
pub(super) fn join<K: KeptRecord>(records: Vec<K>, entries: Entries<K::Id>, rows: &mut Vec<DirectoryRow<K::Id, K>>) {
    let mut entries = entries.into_iter().peekable();
    for record in records {
        let id = record.id();
        while let Some((id, changed)) = entries.next_if(|(removed, _)| *removed < id) {
            rows.push(DirectoryRow { id, changed, value: None });
        }
        let changed = entries.next_if(|(entry, _)| *entry == id).map_or(0, |(_, changed)| changed);
        rows.push(DirectoryRow { id, changed, value: Some(record) });
    }
    rows.extend(entries.map(|(id, changed)| DirectoryRow { id, changed, value: None }));
}
