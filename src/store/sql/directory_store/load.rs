//! Reads the whole directory, a part at a time.

use sea_query::{Expr, ExprTrait, Order, Query};

use super::change_log::{self, Entries};
use super::record_kinds::{StoredId, StoredRecord};
use super::version;
use crate::store::sql::executor::{Executor, fetch_all};
use crate::store::{DirectoryRow, DirectoryRows, StorageError};

/// Maximum number of records that a statement reads. The rows of a part are dropped before the next
/// part is read.
const MAX_RECORDS: usize = 4096;

pub(in crate::store::sql) async fn load(
    tx: &mut dyn Executor,
) -> Result<DirectoryRows, StorageError> {
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

/// Reads all rows of a kind, by ranges of ids.
async fn rows<K: StoredRecord>(
    tx: &mut dyn Executor,
) -> Result<Vec<DirectoryRow<K::Id, K>>, StorageError> {
    let mut rows = Vec::new();
    let mut after: Option<K::Id> = None;
    loop {
        let records = records::<K>(tx, after.as_ref()).await?;
        // The last range is open, because removed records may have greater ids than the last
        // record.
        let last = if records.len() < MAX_RECORDS {
            None
        } else {
            records.last().map(K::id)
        };
        let entries = change_log::between::<K>(tx, after.as_ref(), last.as_ref()).await?;
        merge_with_log(records, entries, &mut rows);
        if last.is_none() {
            return Ok(rows);
        }
        after = last;
    }
}

/// Reads the first records after an id.
async fn records<K: StoredRecord>(
    tx: &mut dyn Executor,
    after: Option<&K::Id>,
) -> Result<Vec<K>, StorageError> {
    let part = Query::select()
        .columns(K::COLUMNS.iter().copied())
        .from(K::TABLE)
        .and_where_option(after.map(|id| Expr::col(K::ID).gt(id.to_expr())))
        .order_by(K::ID, Order::Asc)
        .limit(MAX_RECORDS as u64)
        .take();
    let mut records = fetch_all(tx, &part)
        .await?
        .into_iter()
        .map(K::from_row)
        .collect::<Result<Vec<_>, _>>()?;
    K::load_related(tx, &mut records).await?;
    Ok(records)
}

/// Merges records with their log entries and those of removed records. Both are in ascending order
/// of id.
///
/// A record without an entry was inserted by other SQL. It counts as unchanged since the beginning.
pub(super) fn merge_with_log<K: StoredRecord>(
    records: Vec<K>,
    entries: Entries<K::Id>,
    rows: &mut Vec<DirectoryRow<K::Id, K>>,
) {
    let mut entries = entries.into_iter().peekable();
    for record in records {
        let id = record.id();
        while let Some((id, changed)) = entries.next_if(|(removed, _)| *removed < id) {
            rows.push(DirectoryRow {
                id,
                changed,
                value: None,
            });
        }
        let changed = entries
            .next_if(|(entry, _)| *entry == id)
            .map_or(0, |(_, changed)| changed);
        rows.push(DirectoryRow {
            id,
            changed,
            value: Some(record),
        });
    }
    rows.extend(entries.map(|(id, changed)| DirectoryRow {
        id,
        changed,
        value: None,
    }));
}
