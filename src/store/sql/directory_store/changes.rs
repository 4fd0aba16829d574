//! Reads what changed after a version.

use sea_query::{Expr, ExprTrait, Query};

use super::kinds::{IDS, KeptId, KeptRecord};
use super::load::join;
use super::{log, version};
use crate::store::sql::executor::{Executor, all};
use crate::store::sql::padded::padded;
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, StorageError};

/// What changed after `since`; `None` if the directory never was at that version.
pub(in crate::store::sql) async fn changes(tx: &mut dyn Executor, since: DatasetVersion) -> Result<Option<DirectoryRows>, StorageError> {
    let present = version::current(tx).await?;
    if !version::is_known(tx, since, present).await? {
        return Ok(None);
    }
    let number = since.number;
    Ok(Some(DirectoryRows {
        version: present,
        marks: version::marks(tx, Some(number)).await?,
        students: rows(tx, number).await?,
        clubs: rows(tx, number).await?,
        projects: rows(tx, number).await?,
        meals: rows(tx, number).await?,
        events: rows(tx, number).await?,
        lessons: rows(tx, number).await?,
    }))
}

async fn rows<K: KeptRecord>(tx: &mut dyn Executor, number: u64) -> Result<Vec<DirectoryRow<K::Id, K>>, StorageError> {
    let entries = log::since::<K>(tx, number).await?;
    let mut rows = Vec::with_capacity(entries.len());
    for some in entries.chunks(IDS) {
        let records = records::<K>(tx, some.iter().map(|(id, _)| id)).await?;
        join(records, some.to_vec(), &mut rows);
    }
    Ok(rows)
}

/// The records with these ids, in ascending order of id.
async fn records<K: KeptRecord>(tx: &mut dyn Executor, ids: impl Iterator<Item = &K::Id>) -> Result<Vec<K>, StorageError> {
    let ids = padded(ids.map(K::Id::value));
    let wanted = Query::select().columns(K::COLUMNS.iter().copied()).from(K::TABLE).and_where(Expr::col(K::ID).is_in(ids)).take();
    let mut records = all(tx, &wanted).await?.into_iter().map(K::read).collect::<Result<Vec<_>, _>>()?;
    K::complete(tx, &mut records).await?;
    records.sort_by_cached_key(K::id);
    Ok(records)
}
