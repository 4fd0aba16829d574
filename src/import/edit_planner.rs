//! Plans the changes of a form.

use super::Import;
use super::columns::Columns;
use super::edit::Edit;
use super::file::{RowId, Table};
use super::form::possible_cells;
use super::kind::{Kind, by_kind};
use super::plan::Plan;
use super::planner::{Accepted, Planner};
use super::refusal::{Place, Refusal, RefusalKind, RowError};
use crate::directory::{Directory, DirectoryChange, Snapshot};

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
            match self.read_and_check(row_id, id, &cells) {
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
                Err(first) => {
                    let reasons = self.all_reasons(row_id, id, cells, first).into_iter();
                    self.refused.extend(reasons.map(|reason| (row_id, reason)));
                }
            }
        }
        self.removed = Some(edit.removed);
    }

    /// Reads a row, and refuses it if the directory rejects it apart from all others.
    fn read_and_check(
        &self,
        row_id: RowId,
        id: i64,
        cells: &[Option<String>],
    ) -> Result<K::Row, RowError> {
        let row = self.read(id, cells)?;
        let changes = match K::changes(&[(row_id, row.clone())], &[], self.base) {
            Ok(changes) => changes,
            Err(refused) => {
                let first = refused.into_iter().next();
                return first.map_or(Ok(row), |(_, reason)| Err(reason));
            }
        };
        let changes: Vec<DirectoryChange> = changes.into_iter().map(|(_, change)| change).collect();
        let rejected = self.directory.rejections(self.base, &changes);
        let first = rejected.into_iter().next();
        first.map_or(Ok(row), |(_, reason)| Err(reason.into()))
    }

    /// All reasons to refuse a row, of which the first is known. For each, the row is read again
    /// with the value that the record has, or else with one that is possible.
    fn all_reasons(
        &self,
        row_id: RowId,
        id: i64,
        mut cells: Vec<Option<String>>,
        first: RowError,
    ) -> Vec<RowError> {
        let possible = possible_cells::<K>(self.directory, &self.columns);
        let (mut attempts, mut reasons) = (vec![0; cells.len()], Vec::<RowError>::new());
        let mut next = Some(first);
        while let Some(reason) = next {
            let column = match reason.kind {
                RefusalKind::LeaderIsNotMember => Some("leader.id"),
                _ => reason.column.as_deref(),
            };
            let position = column.and_then(|column| self.columns.position(column));
            if reasons.iter().all(|known| known.column != reason.column) {
                reasons.push(reason);
            }
            let Some(position) = position else { break };
            cells[position] = match attempts[position] {
                0 => None,
                1 => possible[position].clone(),
                _ => break,
            };
            attempts[position] += 1;
            next = self.read_and_check(row_id, id, &cells).err();
        }
        reasons
    }
}
