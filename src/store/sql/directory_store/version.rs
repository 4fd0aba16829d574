//! Versions of the directory and their marks.

use sea_query::{Expr, ExprTrait, Order, Query};

use crate::store::sql::executor::{Executor, execute, fetch_all, fetch_optional};
use crate::store::sql::insert::insert;
use crate::store::sql::row::Row;
use crate::store::sql::tables::{DirectoryMarks, DirectoryVersion};
use crate::store::{DatasetVersion, StorageError};

/// Maximum number of marks that a statement reads.
const MAX_MARKS: u64 = 4096;

/// The current version.
pub(in crate::store::sql) async fn current(
    tx: &mut dyn Executor,
) -> Result<DatasetVersion, StorageError> {
    let number = (DirectoryVersion::Table, DirectoryVersion::Version);
    let version = Query::select()
        .columns([(DirectoryVersion::Table, DirectoryVersion::Lineage), number])
        .column((DirectoryMarks::Table, DirectoryMarks::Mark))
        .from(DirectoryVersion::Table)
        .inner_join(
            DirectoryMarks::Table,
            Expr::col((DirectoryMarks::Table, DirectoryMarks::Number)).equals(number),
        )
        .take();
    let mut row = fetch_optional(tx, &version)
        .await?
        .ok_or(StorageError::corrupt("directory_marks.number"))?;
    Ok(DatasetVersion {
        lineage: random(&mut row, "directory_version.lineage")?,
        number: row.unsigned("directory_version.version")?,
        mark: random(&mut row, "directory_marks.mark")?,
    })
}

/// Whether `version` is the current version or an earlier one.
pub(super) async fn is_known(
    tx: &mut dyn Executor,
    version: DatasetVersion,
    current: DatasetVersion,
) -> Result<bool, StorageError> {
    let Ok(number) = i64::try_from(version.number) else {
        return Ok(false);
    };
    if version.lineage != current.lineage {
        return Ok(false);
    }
    let known = Query::select()
        .column(DirectoryMarks::Mark)
        .from(DirectoryMarks::Table)
        .and_where(Expr::col(DirectoryMarks::Number).eq(number))
        .and_where(Expr::col(DirectoryMarks::Mark).eq(version.mark.cast_signed()))
        .take();
    Ok(fetch_optional(tx, &known).await?.is_some())
}

/// The numbers and marks of the versions after `number`, or of all versions.
pub(super) async fn marks(
    tx: &mut dyn Executor,
    number: Option<u64>,
) -> Result<Vec<(u64, u64)>, StorageError> {
    let mut after = number.map_or(Ok(-1), signed)?;
    let mut marks = Vec::new();
    loop {
        let page = Query::select()
            .columns([DirectoryMarks::Number, DirectoryMarks::Mark])
            .from(DirectoryMarks::Table)
            .and_where(Expr::col(DirectoryMarks::Number).gt(after))
            .order_by(DirectoryMarks::Number, Order::Asc)
            .limit(MAX_MARKS)
            .take();
        let rows = fetch_all(tx, &page).await?;
        let is_last = rows.len() as u64 != MAX_MARKS;
        for mut row in rows {
            marks.push((
                row.unsigned("directory_marks.number")?,
                random(&mut row, "directory_marks.mark")?,
            ));
        }
        match marks.last() {
            Some((number, _)) if !is_last => after = signed(*number)?,
            _ => return Ok(marks),
        }
    }
}

/// Replaces the current version by `next`, if it is `expected`. Of several transactions that expect
/// the same version exactly one succeeds.
pub(super) async fn advance(
    tx: &mut dyn Executor,
    expected: DatasetVersion,
    next: DatasetVersion,
) -> Result<bool, StorageError> {
    let Ok(number) = i64::try_from(expected.number) else {
        return Ok(false);
    };
    let marked = Query::select()
        .column(DirectoryMarks::Mark)
        .from(DirectoryMarks::Table)
        .and_where(Expr::col(DirectoryMarks::Number).eq(number))
        .and_where(Expr::col(DirectoryMarks::Mark).eq(expected.mark.cast_signed()))
        .take();
    let advance = Query::update()
        .table(DirectoryVersion::Table)
        .value(DirectoryVersion::Version, signed(next.number)?)
        .and_where(Expr::col(DirectoryVersion::Lineage).eq(expected.lineage.cast_signed()))
        .and_where(Expr::col(DirectoryVersion::Version).eq(number))
        .and_where(Expr::exists(marked))
        .take();
    if execute(tx, &advance).await? == 0 {
        return Ok(false);
    }
    let number = (DirectoryMarks::Number, signed(next.number)?.into());
    let mark = (DirectoryMarks::Mark, next.mark.cast_signed().into());
    execute(tx, &insert(DirectoryMarks::Table, [number, mark])).await?;
    Ok(true)
}

/// Converts a version number to its stored type.
pub(super) fn signed(number: u64) -> Result<i64, StorageError> {
    i64::try_from(number).map_err(|_| StorageError::corrupt("a version's number is too large"))
}

/// Reads a lineage or a mark: a random number of 64 bits, stored as a signed one.
fn random(row: &mut Row, column: &'static str) -> Result<u64, StorageError> {
    row.integer(column).map(i64::cast_unsigned)
}
