use super::cells::Cells;
use super::file::RowId;
use super::lookup::Lookup;
use super::refusal::Refused;
use crate::directory::{DirectoryChange, ListView, Resource, SchoolResources, Snapshot};
use crate::domain::RecordKind;

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
    ) -> Result<Self::Row, Refused>;

    /// The changes that make the rows and remove the records that are gone, each with its row.
    ///
    /// # Errors
    /// The rows that contradict others.
    fn changes(
        rows: &[(RowId, Self::Row)],
        gone: &[i64],
        base: &Snapshot,
    ) -> Result<Vec<RowChange>, RefusedRows>;

    /// Whether a column is one that rows are read from, also if the others disagree.
    fn is_source(column: &str) -> bool {
        // The name of a mentioned record must be that of its id.
        let is_main = !column.contains('.') || column.ends_with(".id");
        Self::COLUMNS.contains(&column) && is_main
    }
}

/// Rows that are refused.
pub(super) type RefusedRows = Vec<(RowId, Refused)>;

/// A change with the row that asks for it.
pub(super) type RowChange = (Option<RowId>, DirectoryChange);
