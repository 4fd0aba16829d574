//! Import and export of students, clubs and projects, as CSV and JSON.
//!
//! [`Import`] compares a file with the directory. Its [`Plan`] shows every record that would be
//! added, changed or gone, and every line that is refused; [`Plan::apply`] then writes exactly that,
//! in one transaction, if the directory has not changed in between. [`Export`] writes files that an
//! import reads back without a change.
//!
//! * A column is named as in the CSV of the data API, such as `majorClub.id`, or by a Korean heading,
//!   such as 학년. A column that a file lacks stays as it is; an empty cell removes the value.
//! * A row is the record with its `id`, else the student with its e-mail address, else the record
//!   with the same value in the column of [`Import::match_by`], else a new record. Without that
//!   column, and in a file without ids, a club or a project is the one with its name. New ids follow
//!   the highest one that the list ever had.
//! * A column that is computed from others, such as `studentNumber`, must agree with them.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lyceum::directory::Directory;
//! use lyceum::domain::RecordKind;
//! use lyceum::import::{ApplyOutcome, Export, Import};
//! use lyceum::store::memory::MemoryStore;
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let directory = Directory::open(Arc::new(MemoryStore::new())).await?;
//! let file = "이름,성별,이메일,학번,전공\n김하늘,여,haneul@school.example,2307,AI\n";
//! let plan = Import::new(RecordKind::Students).plan(&directory, file).await?;
//! assert_eq!((plan.added(), plan.changed(), plan.removed()), (1, 0, 0));
//! println!("{plan}");
//! assert!(matches!(plan.apply(&directory).await?, ApplyOutcome::Applied(_)));
//!
//! let exported = Export::new(RecordKind::Students).write(&directory).await?;
//! assert!(Import::new(RecordKind::Students).plan(&directory, exported).await?.is_empty());
//! # Ok::<_, lyceum::import::ImportError>(()) }).unwrap();
//! ```

mod cells;
mod clubs;
mod columns;
mod compare;
mod csv_rows;
mod diff;
#[cfg(feature = "console")]
mod edit;
#[cfg(feature = "console")]
mod edit_planner;
mod export;
mod file;
#[cfg(feature = "console")]
mod form;
mod headings;
mod json_rows;
mod kind;
mod lookup;
mod matching;
mod plan;
mod planner;
mod projects;
mod refusal;
mod report;
mod students;

#[cfg(test)]
mod tests;

pub use diff::{Difference, FieldChange, PlannedRecord};
pub use export::Export;
pub use file::{Encoding, FileFormat, MAX_BYTES, MAX_CELL_BYTES, MAX_ROWS};
pub(crate) use plan::code;
pub use plan::{ApplyOutcome, Obstacle, Plan};
pub use refusal::{ImportError, Place, Refusal, RefusalKind};

pub(crate) use compare::planned_records;
pub(crate) use report::{plain, write_fields, write_record};
#[cfg(feature = "console")]
pub(crate) use {
    edit::Edit,
    form::{
        FormColumn, RecordPage, changed_since, definition, form_cells, form_columns,
        is_form_column, record_count, record_name, record_page, selected_ids,
    },
};

use crate::directory::{Directory, Snapshot};
use crate::domain::RecordKind;

/// How a file of one kind of records is compared with the directory.
#[derive(Debug, Clone)]
pub struct Import {
    kind: RecordKind,
    format: FileFormat,
    match_by: Option<String>,
    is_partial: bool,
    allows_removals: bool,
    skips_refused: bool,
}

impl Import {
    /// An import of a CSV file with all records of this kind.
    pub const fn new(kind: RecordKind) -> Self {
        Self {
            kind,
            format: FileFormat::Csv,
            match_by: None,
            is_partial: false,
            allows_removals: false,
            skips_refused: false,
        }
    }

    /// Sets the format of the file; CSV by default.
    #[must_use]
    pub fn format(self, format: FileFormat) -> Self {
        Self { format, ..self }
    }

    /// Sets the column by which a row without a known id and e-mail address finds its record; by
    /// default `name` for clubs and projects in a file without ids.
    #[must_use]
    pub fn match_by(self, column: impl Into<String>) -> Self {
        Self {
            match_by: Some(column.into()),
            ..self
        }
    }

    /// Keeps the records that the file lacks. Otherwise they are removed, apart from former students.
    #[must_use]
    pub fn partial(self) -> Self {
        Self {
            is_partial: true,
            ..self
        }
    }

    /// Allows that more than a tenth of the records, or of the enrolled students, are removed.
    #[must_use]
    pub fn allow_removals(self) -> Self {
        Self {
            allows_removals: true,
            ..self
        }
    }

    /// Applies the other lines if some are refused. Otherwise nothing is applied then.
    #[must_use]
    pub fn skip_refused(self) -> Self {
        Self {
            skips_refused: true,
            ..self
        }
    }

    /// Compares a file with the directory. Nothing is written.
    ///
    /// # Errors
    /// When the file as a whole is refused, such as for an unknown column, or the store of the
    /// directory does not respond.
    pub async fn plan(
        &self,
        directory: &Directory,
        file: impl Into<Vec<u8>>,
    ) -> Result<Plan, ImportError> {
        let (import, file) = (self.clone(), file.into());
        directory.check().await?;
        let base = directory.snapshot().await?;
        let context = directory.clone();
        let work = move || planner::plan(&import, &context, &base, &file);
        Ok(directory.run_blocking(work).await??)
    }

    /// Compares a file with a snapshot, on this thread.
    ///
    /// # Errors
    /// When the file as a whole is refused.
    pub(crate) fn plan_on(
        &self,
        directory: &Directory,
        base: &Snapshot,
        file: &[u8],
    ) -> Result<Plan, Refusal> {
        planner::plan(self, directory, base, file)
    }
}
