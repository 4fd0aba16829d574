use std::collections::BTreeSet;
use std::sync::Arc;

use super::log::Log;
use super::order::Order;
use super::selection::Selection;
use crate::domain::{Direction, Page, PageRequest, Record};
use crate::store::{Changes, ChangesQuery, DatasetVersion, Delta};

/// Something with an id of its own.
pub(super) trait Identified: PartialEq {
    type Id: Copy + Ord;

    fn id(&self) -> Self::Id;

    fn number(id: Self::Id) -> i64;
}

/// All records of one kind in id order.
pub(super) struct Shelf<T: Identified> {
    ids: Vec<T::Id>,
    records: Vec<Arc<Record<T>>>,
    /// Where the shelf before had the same record, for those that were taken over.
    origins: Vec<Option<usize>>,
    log: Log,
}

impl<T: Identified> Default for Shelf<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), records: Vec::new(), origins: Vec::new(), log: Log::default() }
    }
}

impl<T: Identified> Shelf<T> {
    /// Shelves values that come in id order, in a state that comes after the one `before`. A value that is as it was stays the same record,
    /// with its renderings; the others have changed in this state.
    pub(super) fn new(values: impl Iterator<Item = T>, number: u64, before: &Self) -> Self {
        let mut shelf = Self::default();
        for value in values {
            let same = before.position(value.id()).filter(|position| *before.value(*position) == value);
            shelf.ids.push(value.id());
            shelf.records.push(same.map_or_else(|| Arc::new(Record::new(value)), |position| before.record(position)));
            shelf.origins.push(same);
        }
        shelf.log = before.log.after(number, &shelf.changed(before));
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

    /// What changed since a reader last looked, if the cursor is known in the state `present`, which is that of the shelf.
    pub(super) fn delta<F>(&self, selected: &Selection, present: DatasetVersion, query: &ChangesQuery<F>) -> Delta<T> {
        let Some(start) = query.start(present) else { return Delta::CursorUnknown };
        let since = self.log.since(start);
        let told = &since[..since.len().min(query.most())];
        let wanted = |id| self.numbered(id).filter(|position| selected.has(*position)).map(|position| self.record(position));
        Delta::Told(Changes::new(present, start, since.len() as u64, told, wanted))
    }

    /// Which records are not as they were, also because they are gone.
    fn changed(&self, before: &Self) -> BTreeSet<i64> {
        let new = self.ids.iter().zip(&self.origins).filter(|(_, origin)| origin.is_none()).map(|(id, _)| *id);
        let gone = before.ids.iter().copied().filter(|id| self.position(*id).is_none());
        new.chain(gone).map(T::number).collect()
    }

    fn numbered(&self, id: i64) -> Option<usize> {
        self.ids.binary_search_by_key(&id, |id| T::number(*id)).ok()
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
