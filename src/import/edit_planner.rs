//! Plans the changes of a form.

use super::Import;
use super::columns::Columns;
use super::edit::Edit;
use super::file::{RowId, Table};
use super::kind::{Kind, by_kind};
use super::plan::Plan;
use super::planner::{Accepted, Planner};
use super::refusal::{Place, Refusal, RefusalKind, RowError};
use crate::directory::{Directory, Snapshot};

pub(super) fn plan(edit: Edit, directory: &Directory, base: &Snapshot) -> Result<Plan, Refusal> {
    by_kind!(edit.kind, plan_kind(edit, directory, base))
}

fn plan_kind<K: Kind>(edit: Edit, directory: &Directory, base: &Snapshot) -> Result<Plan, Refusal> {
    // A form removes only what it names.
    let import = Import::new(edit.kind).partial().allow_removals();
    let columns = Columns::of::<K>(directory.resources());
    let mut planner = Planner::<K>::new(&import, directory, base, (columns, Table::empty()));
    planner.read_edit(edit);
    planner.plan_accepted_rows()
}

impl<K: Kind> Planner<'_, K> {
    /// Reads the rows of an edit, whose records are known. A row is refused for all its reasons.
    fn read_edit(&mut self, edit: Edit) {
        let mut next_id = K::list(self.base).next_id();
        for (index, row) in edit.rows.into_iter().enumerate() {
            let place = Place::Record(index as u64 + 1);
            let row_id = RowId { index, place };
            let cells = self.columns.row(row.cells);
            let is_new = row.id.is_none();
            let known = row.id.filter(|id| K::list(self.base).get(*id).is_some());
            let Some(id) = (if is_new { next_id } else { known }) else {
                let reason = RowError::row("is no record").with_kind(RefusalKind::UnknownRecord);
                self.refused.push((row_id, reason));
                continue;
            };
            match self.read(id, &cells) {
                Ok(row) => {
                    if is_new {
                        next_id = id.checked_add(1);
                    }
                    self.accepted.push(Accepted {
                        row_id,
                        id,
                        is_new,
                        cells,
                        row,
                    });
                }
                Err(_) => {
                    let reasons = self.all_reasons(id, cells).into_iter();
                    self.refused.extend(reasons.map(|reason| (row_id, reason)));
                }
            }
        }
        self.removed = Some(edit.removed);
    }

    /// All reasons to refuse a row: it is read again without each refused cell.
    fn all_reasons(&self, id: i64, mut cells: Vec<Option<String>>) -> Vec<RowError> {
        let mut reasons: Vec<RowError> = Vec::new();
        while let Err(reason) = self.read(id, &cells) {
            let is_new = reasons.iter().all(|known| known.column != reason.column);
            let position = reason
                .column
                .as_deref()
                .and_then(|column| self.columns.position(column));
            reasons.extend(is_new.then_some(reason));
            if position
                .and_then(|position| cells[position].take())
                .is_none()
            {
                break;
            }
        }
        reasons
    }
}
