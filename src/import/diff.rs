//! The records that differ between two snapshots.

use std::collections::BTreeMap;

use super::columns::Columns;
use super::kind::Kind;
use super::lookup::Lookup;
use super::refusal::Place;
use crate::directory::{RenderOptions, SchoolResources, Snapshot};
use crate::domain::RecordKind;

/// A record that a plan adds, changes or removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRecord {
    /// The kind of the record.
    pub kind: RecordKind,
    /// The id; that of a new record is decided already.
    pub id: i64,
    /// The name, of a changed record the new one.
    pub name: String,
    /// Where its row is in the file.
    pub place: Option<Place>,
    /// What becomes of it.
    pub difference: Difference,
    /// The fields that change; of a new record those that have a value, of a removed one none.
    pub fields: Vec<FieldChange>,
}

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// It is new.
    Added,
    /// Some of its fields change.
    Changed,
    /// It is removed.
    Removed,
}

/// A field of a record that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The column, by its name in the data API.
    pub field: &'static str,
    /// The value before, as an export has it; empty if there was none.
    pub before: String,
    /// The value after.
    pub after: String,
}

/// The records of a snapshot as cells.
pub(super) struct RecordCells<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) lookup: Lookup<'a>,
    pub(super) resources: &'a SchoolResources,
}

impl<'a> RecordCells<'a> {
    pub(super) const fn new(snapshot: &'a Snapshot, resources: &'a SchoolResources) -> Self {
        Self {
            snapshot,
            lookup: Lookup::new(snapshot, resources),
            resources,
        }
    }

    /// The cells of a record by the positions of the columns.
    pub(super) fn cells<K: Kind>(&self, columns: &Columns, profile: &K::Profile) -> Vec<String> {
        let mut json = Vec::new();
        write_json::<K>(self.resources, profile, &mut json);
        columns.cells(&json, |mentioned| self.lookup.mention(mentioned))
    }
}

/// Appends a record as JSON, with all members of a club.
pub(super) fn write_json<K: Kind>(
    resources: &SchoolResources,
    profile: &K::Profile,
    out: &mut Vec<u8>,
) {
    let options = RenderOptions {
        render_flag: true,
        ..RenderOptions::default()
    };
    K::resource(resources).write_json(profile, options, out);
}

/// The differences of the records with these ids, apart from what they show of other records.
pub(super) fn differences<K: Kind>(
    ids: impl Iterator<Item = i64>,
    before: &RecordCells<'_>,
    after: &RecordCells<'_>,
    places: &BTreeMap<i64, Place>,
) -> Vec<PlannedRecord> {
    let columns = Columns::of::<K>(before.resources);
    let difference = |id| {
        let old = K::list(before.snapshot).get(id);
        let new = K::list(after.snapshot).get(id);
        let difference = match (old, new) {
            (None, Some(_)) => Difference::Added,
            (Some(_), None) => Difference::Removed,
            (Some(_), Some(_)) => Difference::Changed,
            (None, None) => return None,
        };
        let place = places.get(&id).copied();
        if let (Some(old), Some(new)) = (old, new)
            && place.is_none()
            && K::is_same_record(old, new)
        {
            return None;
        }
        let cells = |shown: &RecordCells<'_>, record: Option<&K::Profile>| {
            record.map(|record| shown.cells::<K>(&columns, record))
        };
        let fields = match difference {
            Difference::Removed => Vec::new(),
            _ => fields::<K>(&columns, cells(before, old), cells(after, new)),
        };
        let is_empty = difference == Difference::Changed && fields.is_empty();
        (!is_empty).then(|| PlannedRecord {
            kind: K::KIND,
            id,
            name: new.or(old).map_or("", K::name).to_owned(),
            place,
            difference,
            fields,
        })
    };
    ids.filter_map(difference).collect()
}

fn fields<K: Kind>(
    columns: &Columns,
    before: Option<Vec<String>>,
    after: Option<Vec<String>>,
) -> Vec<FieldChange> {
    let cell = |cells: &Option<Vec<String>>, position: usize| {
        cells
            .as_ref()
            .map(|cells| cells[position].clone())
            .unwrap_or_default()
    };
    let named = K::names().filter(|name| *name != "id");
    let positions = named.filter_map(|name| Some((name, columns.position(name)?)));
    positions
        .map(|(field, position)| FieldChange {
            field,
            before: cell(&before, position),
            after: cell(&after, position),
        })
        .filter(|change| change.before != change.after)
        .collect()
}
