//! Which state the directory is in.

use sea_query::{Expr, ExprTrait, Query};

use super::executor::{Executor, first};
use super::row::Row;
use super::tables::DirectoryVersion;
use crate::store::{DatasetVersion, StorageError};

const COLUMNS: [DirectoryVersion; 2] = [DirectoryVersion::Lineage, DirectoryVersion::Version];

/// The present one.
pub(super) async fn current(tx: &mut dyn Executor) -> Result<DatasetVersion, StorageError> {
    let version = Query::select().columns(COLUMNS).from(DirectoryVersion::Table).take();
    read(first(tx, &version).await?)
}

/// The next one, into which only one transaction at a time can lead.
pub(super) async fn advance(tx: &mut dyn Executor) -> Result<DatasetVersion, StorageError> {
    let next = Query::update()
        .table(DirectoryVersion::Table)
        .value(DirectoryVersion::Version, Expr::col(DirectoryVersion::Version).add(1))
        .returning(Query::returning().columns(COLUMNS))
        .take();
    read(first(tx, &next).await?)
}

/// Reads [`COLUMNS`].
fn read(row: Option<Row>) -> Result<DatasetVersion, StorageError> {
    let mut row = row.ok_or(StorageError::corrupt("directory_version.version"))?;
    // The lineage uses all the bits that a database keeps.
    let lineage = row.integer("directory_version.lineage")?.cast_unsigned();
    Ok(DatasetVersion { lineage, number: row.whole("directory_version.version")?, mark: 0 })
}
