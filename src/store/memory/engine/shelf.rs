use std::sync::Arc;

use super::order::Order;
use super::selection::Selection;
use crate::domain::{Direction, Page, PageRequest, Record};

/// Something with an id of its own.
pub(super) trait Identified: PartialEq {
    type Id: Copy + Ord;

    fn id(&self) -> Self::Id;
}

/// All records of one kind in id order.
pub(super) struct Shelf<T: Identified> {
    ids: Vec<T::Id>,
    records: Vec<Arc<Record<T>>>,
    /// Where the shelf before had the same record, for those that were taken over.
    origins: Vec<Option<usize>>,
}

impl<T: Identified> Default for Shelf<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), records: Vec::new(), origins: Vec::new() }
    }
}

impl<T: Identified> Shelf<T> {
    /// Shelves values that come in id order. A value that is as `before` stays the same record, with its renderings.
    pub(super) fn new(values: impl Iterator<Item = T>, before: &Self) -> Self {
        let mut shelf = Self::default();
        for value in values {
            let same = before.position(value.id()).filter(|position| *before.value(*position) == value);
            shelf.ids.push(value.id());
            shelf.records.push(same.map_or_else(|| Arc::new(Record::new(value)), |position| before.record(position)));
            shelf.origins.push(same);
        }
        shelf
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

    pub(super) fn origins(&self) -> impl Iterator<Item = Option<usize>> {
        self.origins.iter().copied()
    }

    /// One page of the selected records, in id order unless an `order` is given.
    pub(super) fn page(&self, selected: &Selection, order: Option<&Order>, direction: Direction, page: PageRequest) -> Page<T> {
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

    fn value(&self, position: usize) -> &T {
        self.records[position].value()
    }

    fn record(&self, position: usize) -> Arc<Record<T>> {
        Arc::clone(&self.records[position])
    }

    fn records_at(&self, positions: impl Iterator<Item = usize>) -> Vec<Arc<Record<T>>> {
        positions.map(|position| self.record(position)).collect()
    }
}
