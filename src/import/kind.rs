use super::cells::Cells;
use super::file::RowId;
use super::lookup::Lookup;
use super::refusal::RowError;
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::RecordKind;

/// Calls a function for the type of a kind.
macro_rules! by_kind {
    ($kind:expr, $function:ident($($argument:expr),*)) => {
        match $kind {
            $crate::domain::RecordKind::Students => {
                $function::<$crate::import::students::Students>($($argument),*)
            }
            $crate::domain::RecordKind::Clubs => {
                $function::<$crate::import::clubs::Clubs>($($argument),*)
            }
            $crate::domain::RecordKind::Projects => {
                $function::<$crate::import::projects::Projects>($($argument),*)
            }
        }
    };
}
pub(super) use by_kind;

/// A kind of records that files have.
pub(super) trait Kind {
    const KIND: RecordKind;
    /// The columns of an export. A row is read from them; a file may have the others of the data
    /// API, which must agree.
    const COLUMNS: &'static [&'static str];
    /// The column of an e-mail address by which a row finds its record.
    const EMAIL: Option<&'static str> = None;
    /// A record as the data API has it.
    type Profile: PartialEq + Send + Sync + 'static;
    /// A record as a row has it.
    type Row: Clone;

    fn list(snapshot: &Snapshot) -> ListView<'_, Self::Profile>;

    fn resource(resources: &SchoolResources) -> &Resource<Self::Profile>;

    fn id(profile: &Self::Profile) -> i64;

    fn name(profile: &Self::Profile) -> &str;

    /// Whether two profiles are of one record, apart from the records that they mention.
    fn is_same_record(one: &Self::Profile, other: &Self::Profile) -> bool;

    /// Whether a file with all records may lack this one, which then stays.
    fn stays_without_a_row(_: &Self::Profile) -> bool {
        false
    }

    /// Reads a row. `before` is the record as it is, which a new one lacks.
    fn read(
        cells: Cells<'_>,
        id: i64,
        before: Option<&Self::Profile>,
        lookup: &Lookup<'_>,
    ) -> Result<Self::Row, RowError>;

    /// The changes that make the rows and remove the records that are gone, each with its row.
    ///
    /// # Errors
    /// The rows that contradict others.
    fn changes(
        rows: &[(RowId, Self::Row)],
        gone: &[i64],
        base: &Snapshot,
    ) -> Result<Vec<RowChange>, RowErrors>;

    /// Whether a column is one that rows are read from, also if the others disagree.
    fn is_source(column: &str) -> bool {
        // The name of a mentioned record must be that of its id.
        let is_main = !column.contains('.') || column.ends_with(".id");
        Self::COLUMNS.contains(&column) && is_main
    }
}

/// Rows that are refused.
pub(super) type RowErrors = Vec<(RowId, RowError)>;

/// A change with the row that asks for it.
pub(super) type RowChange = (Option<RowId>, DirectoryChange);

/// The changes that remove records and put those of rows.
pub(super) fn removed_and_put<R: Clone + Into<DirectoryChange>>(
    rows: &[(RowId, R)],
    is_changed: impl Fn(&R) -> bool,
    removed: impl Iterator<Item = DirectoryChange>,
) -> Vec<RowChange> {
    let put = rows
        .iter()
        .filter(|(_, record)| is_changed(record))
        .map(|(row, record)| (Some(*row), record.clone().into()));
    removed.map(|change| (None, change)).chain(put).collect()
}
