use std::borrow::Cow;
use std::sync::Arc;

use super::shelf::narrow;
use crate::domain::{ClassNum, Date, DateRange, Grade, Lesson, Meal, Period, SchoolEvent};
use crate::store::DirectoryRow;

/// Something that belongs to a day, with its place in the order of all days.
pub(in crate::directory) trait Dated {
    fn date(&self) -> Date;

    /// Where it comes on its day.
    fn place(&self) -> impl Ord;

    fn id(&self) -> Cow<'_, str>;
}

/// Records in the order of their days and of their places there.
pub(in crate::directory) struct Calendar<T> {
    entries: Vec<Arc<T>>,
    /// The positions by id.
    by_id: Vec<u32>,
}

impl<T: Dated + PartialEq> Calendar<T> {
    /// This calendar after these rows changed, which come in ascending order of id. A value that is as it was stays the same record.
    pub(in crate::directory) fn after(&self, rows: Vec<DirectoryRow<String, T>>) -> Self {
        let mut is_kept = vec![true; self.entries.len()];
        let mut new = Vec::new();
        for row in rows {
            let before = self.position(&row.id);
            if let Some(before) = before {
                is_kept[before] = false;
            }
            let Some(value) = row.value else { continue };
            let same = before.map(|before| &self.entries[before]).filter(|record| ***record == value);
            new.push(same.map_or_else(|| Arc::new(value), Arc::clone));
        }
        let kept = self.entries.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(record, _)| Arc::clone(record));
        let mut entries: Vec<_> = kept.chain(new).collect();
        entries.sort_by(|one, other| one.date().cmp(&other.date()).then_with(|| one.place().cmp(&other.place())));
        let mut by_id: Vec<u32> = (0..narrow(entries.len())).collect();
        by_id.sort_by_cached_key(|position| entries[*position as usize].id().into_owned());
        Self { entries, by_id }
    }

    pub(in crate::directory) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::directory) fn get(&self, id: &str) -> Option<&T> {
        self.position(id).map(|position| &*self.entries[position])
    }

    pub(in crate::directory) fn days(&self, days: DateRange) -> &[Arc<T>] {
        let from_here = &self.entries[self.entries.partition_point(|entry| entry.date() < days.from())..];
        &from_here[..from_here.partition_point(|entry| entry.date() <= days.to())]
    }

    fn position(&self, id: &str) -> Option<usize> {
        let found = self.by_id.binary_search_by(|position| self.entries[*position as usize].id().as_ref().cmp(id)).ok()?;
        Some(self.by_id[found] as usize)
    }
}

impl<T> Default for Calendar<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), by_id: Vec::new() }
    }
}

impl Dated for Meal {
    fn date(&self) -> Date {
        self.date
    }

    fn id(&self) -> Cow<'_, str> {
        Cow::Owned(Self::id(self))
    }

    fn place(&self) -> impl Ord {
        (self.kind, self.id())
    }
}

impl Dated for SchoolEvent {
    fn date(&self) -> Date {
        self.date
    }

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn place(&self) -> impl Ord {
        let place: (&str, &str) = (&self.name, &self.id);
        place
    }
}

impl Dated for Lesson {
    fn date(&self) -> Date {
        self.date
    }

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn place(&self) -> impl Ord {
        let place: (Grade, ClassNum, Period, &str) = (self.grade, self.class_num, self.period, &self.id);
        place
    }
}
