use std::sync::Arc;

use super::list::{ChangeInfo, Selected};
use super::log::Log;
use super::order::Order;
use super::selection::Selection;
use crate::directory::changes::Cursor;
use crate::directory::history::History;
use crate::domain::{Direction, PageRequest, Record};

/// A record that changed, or the id of a removed one, with the number of the version in which it changed.
pub(in crate::directory) struct Entry<T> {
    pub(in crate::directory) id: i64,
    pub(in crate::directory) changed: u64,
    pub(in crate::directory) value: Option<T>,
}

/// All records of one kind in id order.
pub(super) struct RecordTable<T> {
    ids: Vec<i64>,
    records: Vec<Arc<Record<T>>>,
    log: Log,
}

/// Where a new table has the records of the one before.
pub(super) struct Moves {
    /// For each position of the new table the position of the same record on the one before, if it is the same.
    origins: Vec<Option<u32>>,
    /// For each position of the table before the position of the same record on the new one, if it is the same.
    places: Vec<Option<u32>>,
}

impl<T> Default for RecordTable<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), records: Vec::new(), log: Log::default() }
    }
}

impl Moves {
    fn new(origins: Vec<Option<u32>>, before: usize) -> Self {
        let mut places = vec![None; before];
        for (place, origin) in (0..).zip(&origins) {
            if let Some(origin) = origin {
                places[*origin as usize] = Some(place);
            }
        }
        Self { origins, places }
    }

    pub(super) fn origins(&self) -> impl Iterator<Item = Option<usize>> {
        self.origins.iter().map(|origin| origin.map(|position| position as usize))
    }

    /// The positions of the new table whose records are not those of the one before.
    pub(super) fn changed(&self) -> impl Iterator<Item = usize> {
        self.origins.iter().enumerate().filter(|(_, origin)| origin.is_none()).map(|(position, _)| position)
    }

    /// Where the record of this position of the table before is now.
    pub(super) fn new_position(&self, position: u32) -> Option<u32> {
        self.places[position as usize]
    }
}

impl<T: PartialEq> RecordTable<T> {
    /// This table after these entries, which come in ascending order of id. A value that is as it was stays the same record, with its
    /// renderings.
    pub(super) fn after(&self, entries: impl Iterator<Item = Entry<T>>) -> (Self, Moves) {
        let most = self.len() + entries.size_hint().0;
        let mut table = Self { ids: Vec::with_capacity(most), records: Vec::with_capacity(most), log: Log::default() };
        let (mut origins, mut changed) = (Vec::with_capacity(most), Vec::new());
        let mut position = 0;
        for entry in entries {
            changed.push((entry.id, entry.changed));
            let next = position + self.ids[position..].partition_point(|id| *id < entry.id);
            table.take_over(self, position..next, &mut origins);
            let before = self.ids.get(next).is_some_and(|id| *id == entry.id).then_some(next);
            position = next + usize::from(before.is_some());
            let Some(value) = entry.value else { continue };
            let same = before.filter(|before| *self.value(*before) == value);
            table.ids.push(entry.id);
            table.records.push(same.map_or_else(|| Arc::new(Record::new(value)), |before| self.record(before)));
            origins.push(same.map(narrow));
        }
        table.take_over(self, position..self.len(), &mut origins);
        table.log = self.log.after(&changed);
        table.ids.shrink_to_fit();
        table.records.shrink_to_fit();
        (table, Moves::new(origins, self.len()))
    }

    fn take_over(&mut self, before: &Self, positions: std::ops::Range<usize>, origins: &mut Vec<Option<u32>>) {
        self.ids.extend_from_slice(&before.ids[positions.clone()]);
        self.records.extend_from_slice(&before.records[positions.clone()]);
        origins.extend(positions.map(|position| Some(narrow(position))));
    }

    /// Forgets records that were removed before this version.
    pub(super) fn forget_removed(&mut self, before: u64) {
        let ids = &self.ids;
        self.log.retain(|number, id| number >= before || ids.binary_search(&id).is_ok());
    }

    /// The record with this id.
    pub(super) fn get(&self, id: i64) -> Option<&Arc<Record<T>>> {
        self.position(id).map(|position| &self.records[position])
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

    /// The positions of one page of the selected records, in id order unless an `order` is given, and how many are selected.
    pub(super) fn page(&self, selected: &Selection, order: Option<&Order>, direction: Direction, page: PageRequest) -> (usize, Vec<u32>) {
        let total = selected.count();
        let start = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(total);
        let end = start.saturating_add(page.size() as usize).min(total);
        let positions = match (order, direction) {
            (None, Direction::Ascending) => selected.ranked(start..end).map(narrow).collect(),
            (None, Direction::Descending) => {
                let mut positions: Vec<u32> = selected.ranked(total - end..total - start).map(narrow).collect();
                positions.reverse();
                positions
            }
            (Some(order), Direction::Ascending) => selected.along(order.ascending(), start..end).map(narrow).collect(),
            (Some(order), Direction::Descending) => selected.along(order.descending(), start..end).map(narrow).collect(),
        };
        (total, positions)
    }

    /// What changed since a reader last asked, at most `size` records; `None` if the cursor is not known.
    pub(super) fn changes(&self, selected: &Selection, history: History<'_>, since: Option<Cursor>, size: u32) -> Option<Selected> {
        let since = self.log.since(history.start(since)?);
        let told = &since[..since.len().min(size as usize)];
        let next = history.cursor_after(told.last().copied().filter(|_| told.len() < since.len()));
        let mut changes = ChangeInfo { next, more: told.len() < since.len(), gone: Vec::new() };
        let mut positions = Vec::with_capacity(told.len());
        for (_, id) in told {
            match self.position(*id).filter(|position| selected.has(*position)) {
                Some(position) => positions.push(narrow(position)),
                None => changes.gone.push(*id),
            }
        }
        Some(Selected { total: since.len() as u64, positions, changes: Some(changes) })
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

/// A position, or the end of a text, as it is kept: in half of the memory.
pub(super) fn narrow(position: usize) -> u32 {
    u32::try_from(position).expect("a school has fewer than 2³² records, and bytes of one kind of text")
}
