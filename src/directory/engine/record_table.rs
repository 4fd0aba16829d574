use std::sync::Arc;

use super::change_log::ChangeLog;
use super::indexed_list::{DeltaInfo, ResultSet};
use super::selection::Selection;
use super::sort_order::SortOrder;
use crate::directory::delta::Cursor;
use crate::directory::version_history::History;
use crate::domain::{PageRequest, Record, SortDirection};

/// A changed record, or the id of a removed one, with the number of the version in which it
/// changed.
pub(in crate::directory) struct RecordChange<T> {
    pub(in crate::directory) id: i64,
    pub(in crate::directory) changed: u64,
    pub(in crate::directory) value: Option<T>,
}

/// All records of one list in id order, with the log of their changes.
pub(super) struct RecordTable<T> {
    ids: Vec<i64>,
    records: Vec<Arc<Record<T>>>,
    log: ChangeLog,
}

/// Maps positions between a table and its successor.
pub(super) struct PositionMap {
    /// For each new position the old position of the same unchanged record.
    origins: Vec<Option<u32>>,
    /// For each old position the new position of the same unchanged record.
    new_positions: Vec<Option<u32>>,
}

impl<T> Default for RecordTable<T> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            records: Vec::new(),
            log: ChangeLog::default(),
        }
    }
}

impl PositionMap {
    fn new(origins: Vec<Option<u32>>, before: usize) -> Self {
        let mut new_positions = vec![None; before];
        for (position, origin) in (0..).zip(&origins) {
            if let Some(origin) = origin {
                new_positions[*origin as usize] = Some(position);
            }
        }
        Self {
            origins,
            new_positions,
        }
    }

    pub(super) fn origins(&self) -> impl Iterator<Item = Option<usize>> {
        self.origins
            .iter()
            .map(|origin| origin.map(|position| position as usize))
    }

    /// Returns the positions of the new table whose records are new or changed.
    pub(super) fn changed(&self) -> impl Iterator<Item = usize> {
        self.origins
            .iter()
            .enumerate()
            .filter(|(_, origin)| origin.is_none())
            .map(|(position, _)| position)
    }

    /// Returns the new position of the record at an old position, if it is unchanged.
    pub(super) fn new_position(&self, position: u32) -> Option<u32> {
        self.new_positions[position as usize]
    }
}

impl<T: PartialEq> RecordTable<T> {
    /// Returns this table with changes applied, which are in ascending order of id. A record with
    /// an unchanged value is shared, with its cached JSON.
    pub(super) fn with_changes(
        &self,
        entries: impl Iterator<Item = RecordChange<T>>,
    ) -> (Self, PositionMap) {
        let max_len = self.len() + entries.size_hint().0;
        let mut table = Self {
            ids: Vec::with_capacity(max_len),
            records: Vec::with_capacity(max_len),
            log: ChangeLog::default(),
        };
        let (mut origins, mut changed) = (Vec::with_capacity(max_len), Vec::new());
        let mut position = 0;
        for entry in entries {
            changed.push((entry.id, entry.changed));
            let next = position + self.ids[position..].partition_point(|id| *id < entry.id);
            table.copy_from(self, position..next, &mut origins);
            let before = self
                .ids
                .get(next)
                .is_some_and(|id| *id == entry.id)
                .then_some(next);
            position = next + usize::from(before.is_some());
            let Some(value) = entry.value else { continue };
            let same = before.filter(|before| *self.value(*before) == value);
            table.ids.push(entry.id);
            table.records.push(same.map_or_else(
                || Arc::new(Record::new(value)),
                |before| self.record(before),
            ));
            origins.push(same.map(narrow));
        }
        table.copy_from(self, position..self.len(), &mut origins);
        table.log = self.log.with_changes(&changed);
        table.ids.shrink_to_fit();
        table.records.shrink_to_fit();
        (table, PositionMap::new(origins, self.len()))
    }

    fn copy_from(
        &mut self,
        before: &Self,
        positions: std::ops::Range<usize>,
        origins: &mut Vec<Option<u32>>,
    ) {
        self.ids.extend_from_slice(&before.ids[positions.clone()]);
        self.records
            .extend_from_slice(&before.records[positions.clone()]);
        origins.extend(positions.map(|position| Some(narrow(position))));
    }

    /// Forgets records that were removed before this version.
    pub(super) fn forget_removed(&mut self, before: u64) {
        let ids = &self.ids;
        self.log
            .retain(|number, id| number >= before || ids.binary_search(&id).is_ok());
    }

    /// Returns the record with this id.
    pub(super) fn get(&self, id: i64) -> Option<&Arc<Record<T>>> {
        self.position(id).map(|position| &self.records[position])
    }

    /// Returns the highest id of a record that is or was in the table.
    #[cfg(feature = "import")]
    pub(super) fn highest_id(&self) -> Option<i64> {
        self.log.highest_id()
    }

    /// Returns the ids of the records that changed after the version `number`, also of removed ones.
    #[cfg(feature = "import")]
    pub(super) fn changed_after(&self, number: u64) -> impl Iterator<Item = i64> {
        self.log.since((number, i64::MAX)).iter().map(|(_, id)| *id)
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn position(&self, id: i64) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.records.iter().map(|record| record.value())
    }

    /// Returns the number of selected records and the positions of one page of them, in id order
    /// unless an `order` is given.
    pub(super) fn page(
        &self,
        selected: &Selection,
        order: Option<&SortOrder>,
        direction: SortDirection,
        page: PageRequest,
    ) -> (usize, Vec<u32>) {
        let total = selected.count();
        let start = usize::try_from(page.offset())
            .unwrap_or(usize::MAX)
            .min(total);
        let end = start.saturating_add(page.size() as usize).min(total);
        let positions = match (order, direction) {
            (None, SortDirection::Ascending) => selected.ranked(start..end).map(narrow).collect(),
            (None, SortDirection::Descending) => {
                let mut positions: Vec<u32> = selected
                    .ranked(total - end..total - start)
                    .map(narrow)
                    .collect();
                positions.reverse();
                positions
            }
            (Some(order), SortDirection::Ascending) => selected
                .page_in_order(order.ascending(), start..end)
                .map(narrow)
                .collect(),
            (Some(order), SortDirection::Descending) => selected
                .page_in_order(order.descending(), start..end)
                .map(narrow)
                .collect(),
        };
        (total, positions)
    }

    /// Returns at most `size` changes since a cursor; `None` if the cursor is unknown.
    pub(super) fn changes(
        &self,
        selected: &Selection,
        history: History<'_>,
        since: Option<Cursor>,
        size: u32,
    ) -> Option<ResultSet> {
        let since = self.log.since(history.resume_after(since)?);
        let page = &since[..since.len().min(size as usize)];
        let next = history.cursor_after(page.last().copied().filter(|_| page.len() < since.len()));
        let mut changes = DeltaInfo {
            next,
            has_more: page.len() < since.len(),
            deleted: Vec::new(),
        };
        let mut positions = Vec::with_capacity(page.len());
        for (_, id) in page {
            match self
                .position(*id)
                .filter(|position| selected.contains(*position))
            {
                Some(position) => positions.push(narrow(position)),
                None => changes.deleted.push(*id),
            }
        }
        Some(ResultSet {
            total: since.len() as u64,
            positions,
            changes: Some(changes),
        })
    }

    pub(super) fn record_at(&self, position: usize) -> &Arc<Record<T>> {
        &self.records[position]
    }

    pub(super) fn value(&self, position: usize) -> &T {
        self.records[position].value()
    }

    fn record(&self, position: usize) -> Arc<Record<T>> {
        Arc::clone(&self.records[position])
    }
}

/// Converts a position, or the end of a text, to the 32 bits in which it is stored.
pub(super) fn narrow(position: usize) -> u32 {
    u32::try_from(position).expect("a list has fewer than 2³² records, and bytes in one text index")
}
