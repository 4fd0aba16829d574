//! What a run changes: pure functions of the rows and the records that the directory has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::synced_record::SyncedRecord;
use super::wire::{BadRow, Row};
use super::{NeisSchool, SyncRun};
use crate::directory::{Directory, DirectoryChange, Snapshot};
use crate::domain::{Date, InvalidValue};

/// The records of a complete read, by their ids.
pub(super) struct ReadRecords<T> {
    records: BTreeMap<String, T>,
    /// Records of rows that are not used, which stay as they are.
    kept: BTreeSet<String>,
    /// The days of rows that are not used and of which the record is unknown: all their records
    /// stay.
    unclear_days: BTreeSet<Date>,
    /// Whether the day of such a row is unknown too.
    has_unclear_day: bool,
}

/// The changes that bring the directory up to date.
pub(super) struct Plan {
    pub(super) changes: Vec<DirectoryChange>,
    pub(super) inserted: usize,
    pub(super) updated: usize,
    pub(super) deleted: usize,
    /// Number of deleted records in whose place no other is: a lesson that moves to another room is
    /// not lost.
    pub(super) lost: usize,
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
            unclear_days: BTreeSet::new(),
            has_unclear_day: false,
        };
        for (number, row) in (1..).zip(rows) {
            let parsed = T::parse(row, school).and_then(|record| {
                let id = record.id();
                if !run.window.contains(record.date()) {
                    let rule = InvalidValue::new("must be one of the days that were asked for");
                    return Err(BadRow::about(&id, ("date", rule)));
                }
                if read.records.contains_key(&id) {
                    let rule = InvalidValue::new("must not be that of an earlier row");
                    return Err(BadRow::about(&id, ("key", rule)));
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
                    match (id, row.date(T::DATE)) {
                        (Some(id), _) => _ = read.kept.insert(id),
                        // No record is of such a row.
                        (None, _) if Some(field) == T::FOREIGN_ROW_FIELD => {}
                        (None, Ok(date)) => _ = read.unclear_days.insert(date),
                        (None, Err(_)) => read.has_unclear_day = true,
                    }
                }
            }
        }
        read
    }

    /// Number of records.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether a record that no row is about is gone.
    fn is_gone(&self, id: &str, record: &T) -> bool {
        !self.records.contains_key(id)
            && !self.kept.contains(id)
            && !self.unclear_days.contains(&record.date())
            && !self.has_unclear_day
    }
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
            lost: 0,
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
        let places: BTreeSet<String> = read.records.values().map(T::place).collect();
        for (id, record) in before {
            if read.is_gone(&id, record) {
                plan.deleted += 1;
                plan.lost += usize::from(!places.contains(&record.place()));
                plan.changes.push(T::removal(id));
            }
        }
        plan
    }

    /// Whether more than this share of the records would be lost.
    pub(super) const fn deletes_more_than(&self, percent: u8) -> bool {
        self.lost * 100 > self.records * percent as usize
    }
}
