//! Compares the rows of a file with a snapshot.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use super::Import;
use super::cells::Cells;
use super::clubs::Clubs;
use super::columns::Columns;
use super::compare::all_differences;
use super::diff::{Difference, PlannedRecord, Shown};
#[cfg(feature = "console")]
use super::edit::Edit;
use super::file::{RowId, Table};
use super::kind::{Kind, RefusedRows};
use super::matching::Matching;
use super::plan::{FileFacts, Plan, leaving};
use super::projects::Projects;
use super::refusal::{Place, Refusal, RefusalKind, Refused};
use super::students::Students;
use crate::directory::{Directory, DirectoryChange, Snapshot};
use crate::domain::{RecordKind, fold_case};
use crate::store::DirectoryRows;

/// How often the rows are tried again without those that were refused. A row is refused later than
/// in the first round only if it depends on another refused row.
const MAX_ROUNDS: usize = 20;

pub(super) fn plan(
    import: &Import,
    directory: &Directory,
    base: &Snapshot,
    file: &[u8],
) -> Result<Plan, Refusal> {
    match import.kind {
        RecordKind::Students => Planner::<Students>::new(import, directory, base, file)?.plan(),
        RecordKind::Clubs => Planner::<Clubs>::new(import, directory, base, file)?.plan(),
        RecordKind::Projects => Planner::<Projects>::new(import, directory, base, file)?.plan(),
    }
}

/// Plans the changes of a form.
#[cfg(feature = "console")]
pub(super) fn plan_edit(
    edit: Edit,
    directory: &Directory,
    base: &Snapshot,
) -> Result<Plan, Refusal> {
    // A form removes only what it names.
    let import = Import::new(edit.kind).partial().allow_removals();
    match edit.kind {
        RecordKind::Students => {
            Planner::<Students>::for_edit(&import, directory, base).plan_edit(edit)
        }
        RecordKind::Clubs => Planner::<Clubs>::for_edit(&import, directory, base).plan_edit(edit),
        RecordKind::Projects => {
            Planner::<Projects>::for_edit(&import, directory, base).plan_edit(edit)
        }
    }
}

struct Planner<'a, K: Kind> {
    import: &'a Import,
    directory: &'a Directory,
    base: &'a Snapshot,
    shown: Shown<'a>,
    columns: Columns,
    table: Table,
    accepted: Vec<Accepted<K>>,
    refused: RefusedRows,
    /// The known records of the rows, also of refused ones, with these rows.
    found: BTreeMap<i64, RowId>,
    /// Whether the record of a refused row is not known, or is that of another row too. No record is
    /// removed then, because it may be that one.
    has_lost_row: bool,
    /// The records that an edit removes. The file of an import decides by what it lacks.
    removed: Option<Vec<i64>>,
    kind: PhantomData<K>,
}

/// A row that is not refused so far.
struct Accepted<K: Kind> {
    row_id: RowId,
    id: i64,
    is_new: bool,
    cells: Vec<Option<String>>,
    row: K::Row,
}

impl<'a, K: Kind> Planner<'a, K> {
    fn new(
        import: &'a Import,
        directory: &'a Directory,
        base: &'a Snapshot,
        file: &[u8],
    ) -> Result<Self, Refusal> {
        let resources = directory.resources();
        let columns = Columns::of::<K>(resources);
        Ok(Self {
            import,
            directory,
            base,
            shown: Shown::new(base, resources),
            table: Table::read(file, import.format, &columns)?,
            columns,
            accepted: Vec::new(),
            refused: Vec::new(),
            found: BTreeMap::new(),
            has_lost_row: false,
            removed: None,
            kind: PhantomData,
        })
    }

    fn plan(mut self) -> Result<Plan, Refusal> {
        self.read_rows()?;
        self.settle()
    }

    /// Refuses rows until the directory accepts all others.
    fn settle(mut self) -> Result<Plan, Refusal> {
        for _ in 0..MAX_ROUNDS {
            let gone = self.gone();
            let rows: Vec<(RowId, K::Row)> = self
                .accepted
                .iter()
                .map(|accepted| (accepted.row_id, accepted.row.clone()))
                .collect();
            let changes = match K::changes(&rows, &gone, self.base) {
                Ok(changes) => changes,
                Err(refused) => {
                    self.refuse(refused);
                    continue;
                }
            };
            let (rows, changes): (Vec<Option<RowId>>, Vec<DirectoryChange>) =
                changes.into_iter().unzip();
            match self.directory.dry_run(self.base, &changes) {
                Err(rejected) => {
                    let refused = rejected.into_iter().filter_map(|(index, reason)| {
                        let row = rows.get(index).copied().flatten()?;
                        Some((row, reason.into()))
                    });
                    self.refuse(refused.collect());
                }
                Ok(next) => {
                    let next = next.as_ref().map(|(rows, next)| (rows, next));
                    let disagreeing = self.disagreeing(next.map_or(self.base, |(_, next)| next));
                    if disagreeing.is_empty() {
                        return Ok(self.finish(changes, next));
                    }
                    self.refuse(disagreeing);
                }
            }
        }
        Err(Refusal::of_file(
            "too many lines depend on lines that are refused: correct the refused lines first",
        ))
    }

    /// Whether names are all that tells the records of the file apart: clubs and projects have no
    /// e-mail address, and a file that people write has no ids.
    fn has_names_alone(&self) -> bool {
        let has = |column| {
            let position = self.columns.position(column);
            position.is_some_and(|position| self.table.heading(position).is_some())
        };
        K::EMAIL.is_none() && has("name") && !has("id")
    }

    /// Reads the rows, each with the record that it is.
    fn read_rows(&mut self) -> Result<(), Refusal> {
        let chosen = self.import.match_by.as_deref();
        let chosen = chosen.or_else(|| self.has_names_alone().then_some("name"));
        let matching = Matching::<K>::new(chosen, &self.table, &self.columns, &self.shown)?;
        let mut next_id = K::list(self.base).next_id();
        let mut twins = RefusedRows::new();
        for row in std::mem::take(&mut self.table.rows) {
            let (row_id, cells) = (row.id, row.cells);
            let identified = cells.and_then(|cells| {
                let known = matching.record(self.cells(&cells), &self.shown)?;
                Ok((cells, known))
            });
            let (cells, known) = match identified {
                Ok(identified) => identified,
                Err(reason) => {
                    self.has_lost_row = true;
                    self.refused.push((row_id, reason));
                    continue;
                }
            };
            if let Some(id) = known {
                if let Some(other) = self.found.get(&id).copied() {
                    // One of the two may be meant for a record that the file then seems to lack.
                    self.has_lost_row = true;
                    let same_as = |row: RowId| {
                        Refused::row(format!("is the same record as {}", row.place))
                            .with_kind(RefusalKind::AmbiguousRecord)
                    };
                    self.refused.push((row_id, same_as(other)));
                    twins.push((other, same_as(row_id)));
                    continue;
                }
                self.found.insert(id, row_id);
            }
            let read =
                match known.or(next_id) {
                    Some(id) => self.read(id, &cells).map(|row| (id, row)),
                    None => Err(Refused::row("no id is left for a new record")
                        .with_kind(RefusalKind::TooMany)),
                };
            match read {
                Ok((id, row)) => {
                    let is_new = known.is_none();
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
                Err(reason) => {
                    self.has_lost_row |= known.is_none();
                    self.refused.push((row_id, reason));
                }
            }
        }
        self.refuse(twins);
        Ok(())
    }

    fn read(&self, id: i64, row: &[Option<String>]) -> Result<K::Row, Refused> {
        let before = K::list(self.base).get(id);
        K::read(self.cells(row), id, before, &self.shown.lookup)
    }

    const fn cells<'r>(&'r self, row: &'r [Option<String>]) -> Cells<'r> {
        Cells {
            columns: &self.columns,
            row,
        }
    }

    /// The records that the file lacks, if they are to be removed.
    fn gone(&self) -> Vec<i64> {
        if let Some(removed) = &self.removed {
            return removed.clone();
        }
        if self.import.is_partial || self.has_lost_row {
            return Vec::new();
        }
        let (_, gone) = self.missing();
        gone
    }

    /// The records that the file lacks: those that stay all the same, and the others.
    fn missing(&self) -> (Vec<i64>, Vec<i64>) {
        let missing = K::list(self.base)
            .iter()
            .filter(|profile| !self.found.contains_key(&K::id(profile)));
        let (stay, gone): (Vec<_>, Vec<_>) =
            missing.partition(|profile| K::stays_without_a_row(profile));
        let ids = |profiles: Vec<&K::Profile>| profiles.into_iter().map(K::id).collect();
        (ids(stay), ids(gone))
    }

    /// Refuses accepted rows, each for the first of its reasons.
    fn refuse(&mut self, reasons: RefusedRows) {
        let mut by_row = BTreeMap::new();
        for (row_id, reason) in reasons {
            by_row.entry(row_id).or_insert(reason);
        }
        for accepted in std::mem::take(&mut self.accepted) {
            match by_row.remove(&accepted.row_id) {
                None => self.accepted.push(accepted),
                Some(reason) => {
                    self.has_lost_row |= accepted.is_new;
                    self.refused.push((accepted.row_id, reason));
                }
            }
        }
    }

    /// The rows in which a computed column, or the name of a mentioned record, is another than the
    /// directory would have.
    fn disagreeing(&self, next: &Snapshot) -> RefusedRows {
        let headings = self.table.headings.iter();
        let checked: Vec<usize> = headings
            .map(|(_, position)| *position)
            .filter(|at| !self.columns.is_list(*at) && !K::is_source(self.columns.name(*at)))
            .collect();
        if checked.is_empty() {
            return Vec::new();
        }
        let shown = Shown::new(next, self.directory.resources());
        let disagreeing = |accepted: &Accepted<K>| {
            let profile = K::list(next).get(accepted.id)?;
            let cells = shown.cells::<K>(&self.columns, profile);
            let is_other = |position: &usize| {
                let cell = accepted.cells[*position].as_deref().unwrap_or_default();
                let is_same = || fold_case(cell.trim()) == fold_case(cells[*position].trim());
                !cell.trim().is_empty() && !is_same()
            };
            let column = self
                .columns
                .name(checked.iter().copied().find(|at| is_other(at))?);
            let reason = "does not fit the other columns, from which it follows";
            let reason = Refused::cell(column, reason).with_kind(RefusalKind::Contradiction);
            Some((accepted.row_id, reason))
        };
        self.accepted.iter().filter_map(disagreeing).collect()
    }

    fn finish(
        &self,
        changes: Vec<DirectoryChange>,
        next: Option<(&DirectoryRows, &Snapshot)>,
    ) -> Plan {
        let places: BTreeMap<i64, Place> = self
            .accepted
            .iter()
            .map(|accepted| (accepted.id, accepted.row_id.place))
            .collect();
        let all = next.map_or_else(Vec::new, |(rows, next)| {
            let after = Shown::new(next, self.directory.resources());
            all_differences(rows, &self.shown, &after, (K::KIND, &places))
        });
        let gone = all
            .iter()
            .filter(|record| record.kind == K::KIND && record.difference == Difference::Gone);
        let gone = gone.filter_map(|record| K::list(self.base).get(record.id));
        let gone = gone.map(|record| self.shown.cells::<K>(&self.columns, record));
        let gone: Vec<Vec<String>> = gone.collect();
        let (mut records, consequences): (Vec<PlannedRecord>, Vec<PlannedRecord>) =
            all.into_iter().partition(|record| record.kind == K::KIND);
        records.sort_by_key(|record| (record.difference == Difference::Gone, record.place));
        let touched = records
            .iter()
            .filter(|record| record.place.is_some())
            .count();
        let mut refused: Vec<Refusal> = self
            .refused
            .iter()
            .map(|(row_id, refused)| self.refusal(row_id.place, refused))
            .collect();
        refused.sort_by_key(|refusal| refusal.place);
        let headings = self.table.headings.iter();
        let added = self.accepted.iter().filter(|it| it.is_new).count();
        Plan {
            kind: K::KIND,
            version: self.base.version(),
            file: FileFacts {
                encoding: self.table.encoding,
                columns: headings
                    .map(|(heading, at)| (heading.clone(), self.columns.name(*at).to_owned()))
                    .collect(),
                rows: self.accepted.len() + self.refused.len(),
            },
            unchanged: self.accepted.len() - touched,
            records,
            leaving: leaving(self.base, &changes),
            suggests_match: self.import.match_by.is_none()
                && !gone.is_empty()
                && added.abs_diff(gone.len()) * 10 <= gone.len(),
            gone,
            consequences,
            is_complete: refused.is_empty() && !self.import.is_partial,
            refused,
            changes,
            accepted: self.accepted.iter().map(|accepted| accepted.id).collect(),
            former_kept: match self.removed.is_some() || self.import.is_partial {
                true => 0,
                false => self.missing().0.len(),
            },
            records_before: K::list(self.base)
                .iter()
                .filter(|profile| !K::stays_without_a_row(profile))
                .count(),
            allows_removals: self.import.allows_removals,
            skips_refused: self.import.skips_refused,
            keeps_missing: self.has_lost_row && !self.import.is_partial,
        }
    }

    /// A refusal with the heading that the file has for the column.
    fn refusal(&self, place: Place, refused: &Refused) -> Refusal {
        let heading = refused.column.as_ref().map(|column| {
            let heading = self.columns.position(column);
            heading
                .and_then(|position| self.table.heading(position))
                .unwrap_or(column)
                .to_owned()
        });
        Refusal {
            place: Some(place),
            column: heading,
            kind: refused.kind,
            reason: refused.reason.clone(),
        }
    }
}

#[cfg(feature = "console")]
impl<'a, K: Kind> Planner<'a, K> {
    fn for_edit(import: &'a Import, directory: &'a Directory, base: &'a Snapshot) -> Self {
        let resources = directory.resources();
        Self {
            import,
            directory,
            base,
            shown: Shown::new(base, resources),
            table: Table::empty(),
            columns: Columns::of::<K>(resources),
            accepted: Vec::new(),
            refused: Vec::new(),
            found: BTreeMap::new(),
            has_lost_row: false,
            removed: None,
            kind: PhantomData,
        }
    }

    fn plan_edit(mut self, edit: Edit) -> Result<Plan, Refusal> {
        self.read_edit(edit);
        self.settle()
    }

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
                let reason = Refused::row("is no record").with_kind(RefusalKind::UnknownRecord);
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
    fn all_reasons(&self, id: i64, mut cells: Vec<Option<String>>) -> Vec<Refused> {
        let mut reasons: Vec<Refused> = Vec::new();
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
