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
    const COLUMNS: &'static [FileColumn];
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

    /// The names of the columns.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::COLUMNS.iter().map(|column| column.name)
    }

    /// Whether a column is one that rows are read from, also if the others disagree.
    fn is_source(column: &str) -> bool {
        // The name of a mentioned record must be that of its id.
        let is_main = !column.contains('.') || column.ends_with(".id");
        is_main && Self::names().any(|name| name == column)
    }
}

/// A column of an export.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileColumn {
    /// The name, such as `majorClub.id`.
    pub(super) name: &'static str,
    /// Whether every record has a value, or every enrolled student.
    #[cfg_attr(not(feature = "console"), expect(dead_code))]
    pub(super) is_required: bool,
    /// Whether only enrolled students have a value.
    pub(super) is_for_enrolled: bool,
}

impl FileColumn {
    /// A column in which every record has a value.
    pub(super) const fn required(name: &'static str) -> Self {
        Self {
            is_required: true,
            ..Self::optional(name)
        }
    }

    /// A column in which a record may have no value.
    pub(super) const fn optional(name: &'static str) -> Self {
        Self {
            name,
            is_required: false,
            is_for_enrolled: false,
        }
    }

    /// The column as one in which only enrolled students have a value.
    pub(super) const fn for_enrolled(self) -> Self {
        Self {
            is_for_enrolled: true,
            ..self
        }
    }
}

/// The changes that put the records that differ, and remove those that are gone, each with its row.
pub(super) fn changes_of<'a, T: Clone + PartialEq + Into<DirectoryChange> + 'a>(
    rows: &[(RowId, T)],
    before: impl Fn(&T) -> Option<&'a T>,
    gone: impl Iterator<Item = DirectoryChange>,
) -> Vec<RowChange> {
    let is_changed = |(_, record): &&(RowId, T)| before(record) != Some(record);
    let changed = rows.iter().filter(is_changed);
    let changed = changed.map(|(row, record)| (Some(*row), record.clone().into()));
    gone.map(|change| (None, change)).chain(changed).collect()
}

/// Rows that are refused.
pub(super) type RowErrors = Vec<(RowId, RowError)>;

/// A change with the row that asks for it.
pub(super) type RowChange = (Option<RowId>, DirectoryChange);
