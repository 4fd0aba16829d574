use std::collections::HashMap;
use std::marker::PhantomData;

use super::cells::{Cells, number};
use super::columns::Columns;
use super::diff::RecordCells;
use super::file::Table;
use super::kind::Kind;
use super::refusal::{Refusal, RefusalKind, RowError};
use crate::domain::Email;

/// Finds the record that a row is.
pub(super) struct Matching<K> {
    chosen: Option<Chosen>,
    kind: PhantomData<K>,
}

/// A column that the caller chose, and the ids of the records with each of its values.
struct Chosen {
    column: String,
    ids: HashMap<String, Vec<i64>>,
}

impl<K: Kind> Matching<K> {
    pub(super) fn new(
        column: Option<&str>,
        table: &Table,
        columns: &Columns,
        shown: &RecordCells<'_>,
    ) -> Result<Self, Refusal> {
        let chosen = column.map(|column| Chosen::new::<K>(column, table, columns, shown));
        Ok(Self {
            chosen: chosen.transpose()?,
            kind: PhantomData,
        })
    }

    /// The id of the record; `None` for a new one.
    pub(super) fn record(
        &self,
        cells: Cells<'_>,
        shown: &RecordCells<'_>,
    ) -> Result<Option<i64>, RowError> {
        if let Some(cell) = cells.filled("id") {
            let id = number(Ok)(cell).map_err(|rule| RowError::value("id", &rule))?;
            return match K::list(shown.snapshot).get(id) {
                Some(_) => Ok(Some(id)),
                None => Err(RowError::cell(
                    "id",
                    "is not the id of a record: leave it empty for a new one, which gets an id",
                )
                .with_kind(RefusalKind::UnknownRecord)),
            };
        }
        if let Some((column, cell)) = K::EMAIL.and_then(|name| Some((name, cells.filled(name)?))) {
            let email: Email = cell
                .trim()
                .parse()
                .map_err(|rule| RowError::value(column, &rule))?;
            match shown.lookup.with_email(&email)[..] {
                [] => {}
                [student] => return Ok(Some(student.get())),
                _ => {
                    let reason = "is the address of several students: write the id";
                    return Err(
                        RowError::cell(column, reason).with_kind(RefusalKind::AmbiguousRecord)
                    );
                }
            }
        }
        let Some(Chosen { column, ids }) = &self.chosen else {
            return Ok(None);
        };
        let cell = cells.text(column).unwrap_or_default().trim();
        match ids.get(cell).map_or(&[][..], Vec::as_slice) {
            [] => Ok(None),
            [id] => Ok(Some(*id)),
            _ => {
                let reason = "is the value of several records: write the id";
                Err(RowError::cell(column, reason).with_kind(RefusalKind::AmbiguousRecord))
            }
        }
    }
}

impl Chosen {
    fn new<K: Kind>(
        column: &str,
        table: &Table,
        columns: &Columns,
        shown: &RecordCells<'_>,
    ) -> Result<Self, Refusal> {
        let refused = |reason: &str| Refusal {
            place: None,
            column: Some(format!("{column:?}")),
            kind: RefusalKind::Column,
            reason: reason.to_owned(),
        };
        let position = columns
            .find(column.trim())
            .filter(|position| !columns.is_list(*position))
            .ok_or_else(|| {
                refused("cannot match rows: choose a column of this list that has single values")
            })?;
        if table.heading(position).is_none() && !table.rows.is_empty() {
            return Err(refused(
                "was chosen to match rows, but the file has no such column",
            ));
        }
        let mut ids: HashMap<String, Vec<i64>> = HashMap::new();
        for profile in K::list(shown.snapshot).iter() {
            let cells = shown.cells::<K>(columns, profile);
            let cell = cells[position].trim();
            if !cell.is_empty() {
                ids.entry(cell.to_owned()).or_default().push(K::id(profile));
            }
        }
        Ok(Self {
            column: columns.name(position).to_owned(),
            ids,
        })
    }
}
