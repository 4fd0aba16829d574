//! What a run changes: pure functions of the rows and the records that the directory has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::synced_record::SyncedRecord;
use super::wire::{BadRow, Row};
use super::{NeisSchool, SyncRun};
use crate::directory::{Directory, DirectoryChange, Snapshot};
use crate::domain::InvalidValue;

/// The records of a complete read, by their ids.
pub(super) struct ReadRecords<T> {
    records: BTreeMap<String, T>,
    /// Records of rows that are not used, which stay as they are.
    kept: BTreeSet<String>,
}

/// The changes that bring the directory up to date.
pub(super) struct Plan {
    pub(super) changes: Vec<DirectoryChange>,
    pub(super) inserted: usize,
    pub(super) updated: usize,
    pub(super) deleted: usize,
    /// Number of records that the directory has of these days.
    pub(super) records: usize,
}

impl<T: SyncedRecord> ReadRecords<T> {
    /// Parses the rows, and counts those that are not used in the record of the run.
    pub(super) fn parse(
        rows: &[Row],
        school: &NeisSchool,
        directory: &Directory,
        snapshot: &Snapshot,
        run: &mut SyncRun,
    ) -> Self {
        let mut read = Self {
            records: BTreeMap::new(),
            kept: BTreeSet::new(),
        };
        for (number, row) in (1..).zip(rows) {
            let parsed = T::parse(row, school).and_then(|record| {
                let id = record.id();
                if !run.window.contains(record.date()) {
                    return Err(bad_row(
                        "date",
                        "must be one of the days that were asked for",
                    ));
                }
                if read.records.contains_key(&id) {
                    return Err(bad_row("key", "must not be that of an earlier row"));
                }
                match record.check(directory, snapshot) {
                    Ok(()) => Ok((id, record)),
                    Err(error) => Err(BadRow::about(&id, error)),
                }
            });
            match parsed {
                Ok((id, record)) => _ = read.records.insert(id, record),
                Err(BadRow { field, rule, id }) => {
                    run.skip(number, field, rule);
                    read.kept.extend(id);
                }
            }
        }
        read
    }
}

fn bad_row(field: &'static str, rule: &'static str) -> BadRow {
    (field, InvalidValue::new(rule)).into()
}

impl Plan {
    /// Compares the records with those that the directory has of the school on these days.
    pub(super) fn new<T: SyncedRecord>(
        read: &ReadRecords<T>,
        before: &[Arc<T>],
        school: &NeisSchool,
    ) -> Self {
        let before: BTreeMap<String, &T> = before
            .iter()
            .filter(|record| record.school().school_code == school.school_code)
            .map(|record| (record.id(), &**record))
            .collect();
        let mut plan = Self {
            changes: Vec::new(),
            inserted: 0,
            updated: 0,
            deleted: 0,
            records: before.len(),
        };
        for (id, record) in &read.records {
            match before.get(id) {
                Some(before) if *before == record => continue,
                Some(_) => plan.updated += 1,
                None => plan.inserted += 1,
            }
            plan.changes.push(record.clone().into());
        }
        for id in before.into_keys() {
            if !read.records.contains_key(&id) && !read.kept.contains(&id) {
                plan.deleted += 1;
                plan.changes.push(T::removal(id));
            }
        }
        plan
    }

    /// Whether more than this share of the records would be deleted.
    pub(super) const fn deletes_more_than(&self, percent: u8) -> bool {
        self.deleted * 100 > self.records * percent as usize
    }
}
