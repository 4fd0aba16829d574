//! The records of all kinds that differ between two snapshots.

use std::collections::BTreeMap;

use super::clubs::Clubs;
use super::diff::{PlannedRecord, RecordCells, differences};
use super::projects::Projects;
use super::refusal::Place;
use super::students::Students;
use crate::directory::{Directory, Snapshot};
use crate::domain::{ClubId, ProjectId, RecordKind, StudentId};
use crate::store::DirectoryRows;

/// The differences of the changed rows. `places` has those of one kind in the file.
pub(super) fn all_differences(
    rows: &DirectoryRows,
    before: &RecordCells<'_>,
    after: &RecordCells<'_>,
    places: (RecordKind, &BTreeMap<i64, Place>),
) -> Vec<PlannedRecord> {
    let none = BTreeMap::new();
    let places_of = |kind| if kind == places.0 { places.1 } else { &none };
    let students = rows.students.iter().map(|row| StudentId::get(row.id));
    let clubs = rows.clubs.iter().map(|row| ClubId::get(row.id));
    let projects = rows.projects.iter().map(|row| ProjectId::get(row.id));
    [
        differences::<Students>(students, before, after, places_of(RecordKind::Students)),
        differences::<Clubs>(clubs, before, after, places_of(RecordKind::Clubs)),
        differences::<Projects>(projects, before, after, places_of(RecordKind::Projects)),
    ]
    .concat()
}

/// The records that a write changes, which is in no file.
pub(crate) fn planned_records(
    directory: &Directory,
    rows: &DirectoryRows,
    base: &Snapshot,
    next: &Snapshot,
) -> Vec<PlannedRecord> {
    let resources = directory.resources();
    let before = RecordCells::new(base, resources);
    let after = RecordCells::new(next, resources);
    all_differences(
        rows,
        &before,
        &after,
        (RecordKind::Students, &BTreeMap::new()),
    )
}
