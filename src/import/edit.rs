//! Changes of a few records, as forms make them.

use std::sync::Arc;

use super::plan::Plan;
use super::planner::plan_edit;
use super::refusal::ImportError;
use crate::directory::{Directory, Snapshot};
use crate::domain::RecordKind;

/// Records of one kind to create, to change and to remove, by the rules of an import: a field of a
/// form is a cell of a row, with the same parser and the same reasons to refuse it.
#[derive(Clone)]
pub(crate) struct Edit {
    pub(super) kind: RecordKind,
    pub(super) rows: Vec<EditedRow>,
    pub(super) removed: Vec<i64>,
}

/// A record as a form has it.
#[derive(Clone)]
pub(super) struct EditedRow {
    /// The id; `None` for a new record.
    pub(super) id: Option<i64>,
    /// The cells, each with the name of its column. The others stay as they are.
    pub(super) cells: Vec<(String, String)>,
}

impl Edit {
    pub(crate) const fn new(kind: RecordKind) -> Self {
        Self {
            kind,
            rows: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// Creates a record.
    pub(crate) fn create(mut self, cells: Vec<(String, String)>) -> Self {
        self.rows.push(EditedRow { id: None, cells });
        self
    }

    /// Changes the cells of a record.
    pub(crate) fn change(mut self, id: i64, cells: Vec<(String, String)>) -> Self {
        let id = Some(id);
        self.rows.push(EditedRow { id, cells });
        self
    }

    /// Removes a record.
    pub(crate) fn remove(mut self, id: i64) -> Self {
        self.removed.push(id);
        self
    }

    /// Plans the changes for a version of the directory. Nothing is written.
    ///
    /// # Errors
    /// When the changes contradict each other, or the directory cannot work.
    pub(crate) async fn plan(
        self,
        directory: &Directory,
        base: Arc<Snapshot>,
    ) -> Result<Plan, ImportError> {
        let context = directory.clone();
        let work = move || plan_edit(self, &context, &base);
        Ok(directory.run_blocking(work).await??)
    }
}
