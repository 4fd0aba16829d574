use std::sync::Arc;

use super::log::Log;
use super::order::Order;
use super::selection::Selection;
use crate::directory::changes::{Changes, ChangesQuery, Delta};
use crate::directory::history::History;
use crate::domain::{Direction, Page, PageRequest, Record};

/// Something with an id of its own.
pub(in crate::directory) trait Identified: PartialEq {
    type Id: Copy + Ord;

    fn number(id: Self::Id) -> i64;
}

/// A record that changed, or the id of a removed one, with the number of the version in which it changed.
pub(in crate::directory) struct Entry<T: Identified> {
    pub(in crate::directory) id: T::Id,
    pub(in crate::directory) changed: u64,
    pub(in crate::directory) value: Option<T>,
}

/// All records of one kind in id order.
pub(super) struct Shelf<T: Identified> {
    ids: Vec<T::Id>,
    records: Vec<Arc<Record<T>>>,
    log: Log,
}

/// Where a new shelf has the records of the one before.
pub(super) struct Moves {
    /// For each position of the new shelf the position of the same record on the one before, if it is the same.
    origins: Vec<Option<u32>>,
    /// For each position of the shelf before the position of the same record on the new one, if it is the same.
    places: Vec<Option<u32>>,
}

impl<T: Identified> Default for Shelf<T> {
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

    /// The positions of the new shelf whose records are not those of the one before.
    pub(super) fn changed(&self) -> impl Iterator<Item = usize> {
        self.origins.iter().enumerate().filter(|(_, origin)| origin.is_none()).map(|(position, _)| position)
    }

    /// Where the record of this position of the shelf before is now.
    pub(super) fn new_position(&self, position: u32) -> Option<u32> {
        self.places[position as usize]
    }
}

impl<T: Identified> Shelf<T> {
    /// This shelf after these entries, which come in ascending order of id. A value that is as it was stays the same record, with its
    /// renderings.
    pub(super) fn after(&self, entries: impl Iterator<Item = Entry<T>>) -> (Self, Moves) {
        let most = self.len() + entries.size_hint().0;
        let mut shelf = Self { ids: Vec::with_capacity(most), records: Vec::with_capacity(most), log: Log::default() };
        let (mut origins, mut changed) = (Vec::with_capacity(most), Vec::new());
        let mut position = 0;
        for entry in entries {
            changed.push((T::number(entry.id), entry.changed));
            let next = position + self.ids[position..].partition_point(|id| *id < entry.id);
            shelf.take_over(self, position..next, &mut origins);
            let before = self.ids.get(next).is_some_and(|id| *id == entry.id).then_some(next);
            position = next + usize::from(before.is_some());
            let Some(value) = entry.value else { continue };
            let same = before.filter(|before| *self.value(*before) == value);
            shelf.ids.push(entry.id);
            shelf.records.push(same.map_or_else(|| Arc::new(Record::new(value)), |before| self.record(before)));
            origins.push(same.map(narrow));
        }
        shelf.take_over(self, position..self.len(), &mut origins);
        shelf.log = self.log.after(&changed);
        shelf.ids.shrink_to_fit();
        shelf.records.shrink_to_fit();
        (shelf, Moves::new(origins, self.len()))
    }

    fn take_over(&mut self, before: &Self, positions: std::ops::Range<usize>, origins: &mut Vec<Option<u32>>) {
        self.ids.extend_from_slice(&before.ids[positions.clone()]);
        self.records.extend_from_slice(&before.records[positions.clone()]);
        origins.extend(positions.map(|position| Some(narrow(position))));
    }

    /// The record with this id.
    pub(super) fn get(&self, id: T::Id) -> Option<&Arc<Record<T>>> {
        self.position(id).map(|position| &self.records[position])
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn position(&self, id: T::Id) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        self.records.iter().map(|record| record.value())
    }

    /// One page of the selected records, in id order unless an `order` is given.
    pub(super) fn page(&self, selected: &Selection, order: Option<&Order>, direction: Direction, page: PageRequest) -> Page<'_, T> {
        let total = selected.count();
        let start = usize::try_from(page.offset()).unwrap_or(usize::MAX).min(total);
        let end = start.saturating_add(page.size() as usize).min(total);
        let items = match (order, direction) {
            (None, Direction::Ascending) => self.records_at(selected.ranked(start..end)),
            (None, Direction::Descending) => {
                let mut items = self.records_at(selected.ranked(total - end..total - start));
                items.reverse();
                items
            }
            (Some(order), Direction::Ascending) => self.records_at(selected.along(order.ascending(), start..end)),
            (Some(order), Direction::Descending) => self.records_at(selected.along(order.descending(), start..end)),
        };
        Page { total: total as u64, items }
    }

    /// What changed since a reader last asked, if the cursor is known.
    pub(super) fn delta<F>(&self, selected: &Selection, history: History<'_>, query: &ChangesQuery<F>) -> Delta<T> {
        let Some(start) = history.start(query.since) else { return Delta::CursorUnknown };
        let since = self.log.since(start);
        let told = &since[..since.len().min(query.most())];
        let mut changes = Changes {
            total: since.len() as u64,
            records: Vec::with_capacity(told.len()),
            gone: Vec::new(),
            next: history.cursor_after(told.last().copied().filter(|_| told.len() < since.len())),
        };
        for (_, id) in told {
            match self.numbered(*id).filter(|position| selected.has(*position)) {
                Some(position) => changes.records.push(self.record(position)),
                None => changes.gone.push(*id),
            }
        }
        Delta::Told(changes)
    }

    fn numbered(&self, id: i64) -> Option<usize> {
        self.ids.binary_search_by_key(&id, |id| T::number(*id)).ok()
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

    fn records_at(&self, positions: impl Iterator<Item = usize>) -> Vec<&Record<T>> {
        positions.map(|position| &*self.records[position]).collect()
    }
}

/// A position, or the end of a text, as it is kept: in half of the memory.
pub(super) fn narrow(position: usize) -> u32 {
    u32::try_from(position).expect("a school has fewer than 2³² records, and bytes of one kind of text")
}
