//! Reads the changes after a version.

use sea_query::{Expr, ExprTrait, Query};

use super::load::merge_with_log;
use super::record_kinds::{MAX_IDS, StoredId, StoredRecord};
use super::{change_log, version};
use crate::store::sql::executor::{Executor, fetch_all};
use crate::store::sql::in_list_padding::pad_to_power_of_two;
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, StorageError};

/// Returns the rows that changed after `since`, or `None` if the directory was never at that
/// version.
pub(in crate::store::sql) async fn changes(
    tx: &mut dyn Executor,
    since: DatasetVersion,
) -> Result<Option<DirectoryRows>, StorageError> {
    let current = version::current(tx).await?;
    if !version::is_known(tx, since, current).await? {
        return Ok(None);
    }
    let number = since.number;
    Ok(Some(DirectoryRows {
        version: current,
        marks: version::marks(tx, Some(number)).await?,
        students: rows(tx, number).await?,
        clubs: rows(tx, number).await?,
        projects: rows(tx, number).await?,
        meals: rows(tx, number).await?,
        events: rows(tx, number).await?,
        lessons: rows(tx, number).await?,
    }))
}

async fn rows<K: StoredRecord>(
    tx: &mut dyn Executor,
    number: u64,
) -> Result<Vec<DirectoryRow<K::Id, K>>, StorageError> {
    let entries = change_log::since::<K>(tx, number).await?;
    let mut rows = Vec::with_capacity(entries.len());
    for chunk in entries.chunks(MAX_IDS) {
        let records = records::<K>(tx, chunk.iter().map(|(id, _)| id)).await?;
        merge_with_log(records, chunk.to_vec(), &mut rows);
    }
    Ok(rows)
}

/// The records with these ids, in ascending order of id.
async fn records<K: StoredRecord>(
    tx: &mut dyn Executor,
    ids: impl Iterator<Item = &K::Id>,
) -> Result<Vec<K>, StorageError> {
    let ids = pad_to_power_of_two(ids.map(K::Id::to_expr));
    let select = Query::select()
        .columns(K::COLUMNS.iter().copied())
        .from(K::TABLE)
        .and_where(Expr::col(K::ID).is_in(ids))
        .take();
    let mut records = fetch_all(tx, &select)
        .await?
        .into_iter()
        .map(K::from_row)
        .collect::<Result<Vec<_>, _>>()?;
    K::load_related(tx, &mut records).await?;
    records.sort_by_cached_key(K::id);
    Ok(records)
}
