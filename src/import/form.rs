//! The columns of records as the fields of forms, and lists of records.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::clubs::Clubs;
use super::columns::Columns;
use super::diff::{RecordCells, write_json};
use super::kind::{FileColumn, Kind, by_kind};
use super::projects::Projects;
use super::students::Students;
use crate::directory::{Directory, FieldInfo, FieldType, QueryError, ResourceDefinition, Snapshot};
use crate::domain::{PageRequest, RecordKind, StudentId};

/// A column as a field of a form.
#[derive(Debug, Clone)]
pub(crate) struct FormColumn<'a> {
    /// The name of the column, such as `majorClub.id`.
    pub(crate) name: &'static str,
    /// The field of the list that it belongs to.
    pub(crate) field: &'a FieldInfo,
    /// The numbers that the school has.
    pub(crate) bounds: Option<(i64, i64)>,
    /// Whether every record has a value.
    pub(crate) is_required: bool,
    /// Whether only enrolled students have a value.
    pub(crate) is_for_enrolled: bool,
}

/// The columns that forms have: those that rows are read from, without the id.
fn columns<K: Kind>() -> impl Iterator<Item = &'static FileColumn> {
    let columns = K::COLUMNS.iter();
    columns.filter(|column| column.name != "id" && K::is_source(column.name))
}

/// Whether the forms of any kind have this column.
pub(crate) fn is_form_column(name: &str) -> bool {
    let mut all = columns::<Students>()
        .chain(columns::<Clubs>())
        .chain(columns::<Projects>());
    all.any(|column| column.name == name)
}

/// The columns of a form, in the order of the list's fields.
pub(crate) fn form_columns(directory: &Directory, kind: RecordKind) -> Vec<FormColumn<'_>> {
    by_kind!(kind, columns_of(directory))
}

/// The definition of a list.
pub(crate) fn definition(directory: &Directory, kind: RecordKind) -> &ResourceDefinition {
    by_kind!(kind, definition_of(directory))
}

fn definition_of<K: Kind>(directory: &Directory) -> &ResourceDefinition {
    K::resource(directory.resources()).definition()
}

fn columns_of<K: Kind>(directory: &Directory) -> Vec<FormColumn<'_>> {
    let definition = K::resource(directory.resources()).definition();
    let column = |column: &FileColumn| {
        let name = column.name;
        let field = name.split('.').next().unwrap_or(name);
        let field = definition
            .record
            .fields
            .iter()
            .find(|it| it.name == field)?;
        Some(FormColumn {
            name,
            field,
            bounds: definition
                .number_bounds(name)
                .map(RangeInclusive::into_inner),
            is_required: column.is_required && !column.is_for_enrolled,
            is_for_enrolled: column.is_for_enrolled,
        })
    };
    columns::<K>().filter_map(column).collect()
}

/// A possible value of each column, by their positions, for a record that lacks one.
pub(super) fn possible_cells<K: Kind>(
    directory: &Directory,
    columns: &Columns,
) -> Vec<Option<String>> {
    let definition = definition_of::<K>(directory);
    let example = definition.example.as_ref();
    let example = example.map(Value::to_string).unwrap_or_default();
    let mut cells = columns.cells(example.as_bytes(), |_| String::new());
    for (position, name) in columns.names().enumerate() {
        let field = definition.record.fields.iter().find(|it| it.name == name);
        // The example may have a class or a major that is none of the school's.
        if let Some(FieldType::Enum(values)) = field.map(|field| &field.kind) {
            cells[position] = values.iter().next().unwrap_or_default().to_owned();
        } else if let Some(bounds) = definition.number_bounds(name) {
            cells[position] = bounds.start().to_string();
        }
    }
    cells.into_iter().map(Some).collect()
}

/// The cells of a record, each with the name of its column; `None` if there is no such record.
pub(crate) fn form_cells(
    directory: &Directory,
    snapshot: &Snapshot,
    kind: RecordKind,
    id: i64,
) -> Option<(String, Vec<(&'static str, String)>)> {
    by_kind!(kind, cells_of(directory, snapshot, id))
}

fn cells_of<K: Kind>(
    directory: &Directory,
    snapshot: &Snapshot,
    id: i64,
) -> Option<(String, Vec<(&'static str, String)>)> {
    let profile = K::list(snapshot).get(id)?;
    let shown = RecordCells::new(snapshot, directory.resources());
    let of_list = Columns::of::<K>(directory.resources());
    let cells = shown.cells::<K>(&of_list, profile);
    let named = columns::<K>().map(|FileColumn { name, .. }| {
        let cell = of_list.position(name).map(|position| &cells[position]);
        let cell = cell.cloned().unwrap_or_default();
        // People know a student by the address, not by the id.
        let student = cell.parse().ok().filter(|_| *name == "leader.id");
        let student = student.and_then(|id| StudentId::new(id).ok());
        let cell = student.map_or(cell, |student| shown.lookup.mention_of(student));
        (*name, cell)
    });
    Some((K::name(profile).to_owned(), named.collect()))
}

/// A record of a list.
pub(crate) struct ShownRecord {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// The record as JSON of the data API.
    pub(crate) json: Value,
}

/// A page of a list.
pub(crate) struct RecordPage {
    pub(crate) total: u64,
    pub(crate) records: Vec<ShownRecord>,
}

/// The records that parameters of the data API select.
///
/// # Errors
/// When a parameter has a value that breaks its rule.
pub(crate) fn record_page(
    directory: &Directory,
    snapshot: &Snapshot,
    kind: RecordKind,
    parameters: &[(&str, &str)],
) -> Result<RecordPage, QueryError> {
    by_kind!(kind, page_of(directory, snapshot, parameters))
}

fn page_of<K: Kind>(
    directory: &Directory,
    snapshot: &Snapshot,
    parameters: &[(&str, &str)],
) -> Result<RecordPage, QueryError> {
    let list = K::list(snapshot);
    let page = list.page(&list.query(parameters)?);
    let record = |profile: &K::Profile| {
        let mut json = Vec::new();
        write_json::<K>(directory.resources(), profile, &mut json);
        ShownRecord {
            id: K::id(profile),
            name: K::name(profile).to_owned(),
            json: serde_json::from_slice(&json).unwrap_or_default(),
        }
    };
    Ok(RecordPage {
        total: page.total,
        records: page.values().map(record).collect(),
    })
}

/// The ids of all records that parameters of the data API select. They name no page and no size.
///
/// # Errors
/// When a parameter has a value that breaks its rule.
pub(crate) fn selected_ids(
    snapshot: &Snapshot,
    kind: RecordKind,
    parameters: &[(&str, &str)],
) -> Result<Vec<i64>, QueryError> {
    by_kind!(kind, ids_of(snapshot, parameters))
}

fn ids_of<K: Kind>(
    snapshot: &Snapshot,
    parameters: &[(&str, &str)],
) -> Result<Vec<i64>, QueryError> {
    let (list, size) = (K::list(snapshot), PageRequest::MAX_SIZE.to_string());
    let mut ids = Vec::new();
    for number in 0.. {
        let number = number.to_string();
        let part = [("page", &*number), ("size", &*size)];
        let page = list.page(&list.query(&[parameters, &part].concat())?);
        let found = ids.len();
        ids.extend(page.values().map(K::id));
        if ids.len() == found || ids.len() as u64 >= page.total {
            break;
        }
    }
    Ok(ids)
}

/// The number of all records of a kind.
pub(crate) fn record_count(snapshot: &Snapshot, kind: RecordKind) -> usize {
    by_kind!(kind, count_of(snapshot))
}

fn count_of<K: Kind>(snapshot: &Snapshot) -> usize {
    K::list(snapshot).len()
}

/// The name of a record; `None` if there is no such record.
pub(crate) fn record_name(snapshot: &Snapshot, kind: RecordKind, id: i64) -> Option<String> {
    by_kind!(kind, name_of(snapshot, id))
}

fn name_of<K: Kind>(snapshot: &Snapshot, id: i64) -> Option<String> {
    K::list(snapshot).get(id).map(|it| K::name(it).to_owned())
}

/// The ids of the records that have changed since a version of the directory.
pub(crate) fn changed_since(snapshot: &Snapshot, kind: RecordKind, version: u64) -> BTreeSet<i64> {
    by_kind!(kind, changed_of(snapshot, version))
}

fn changed_of<K: Kind>(snapshot: &Snapshot, version: u64) -> BTreeSet<i64> {
    K::list(snapshot).changed_after(version).collect()
}
