use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::list::{Listed, Selected};
use super::record_table::narrow;
use crate::directory::history::History;
use crate::directory::resource::{Definition, Query, RenderOptions, Request, Resource};
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
    resource: Arc<Resource<T>>,
    entries: Vec<Arc<T>>,
    /// The positions by id.
    by_id: Vec<u32>,
}

impl<T: Dated + PartialEq> Calendar<T> {
    /// A calendar without records.
    pub(in crate::directory) const fn new(resource: Arc<Resource<T>>) -> Self {
        Self { resource, entries: Vec::new(), by_id: Vec::new() }
    }

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
        Self { resource: Arc::clone(&self.resource), entries, by_id }
    }

    pub(in crate::directory) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::directory) fn get(&self, id: &str) -> Option<&T> {
        self.position(id).map(|position| &*self.entries[position])
    }

    pub(in crate::directory) fn days(&self, days: DateRange) -> &[Arc<T>] {
        &self.entries[self.range(days)]
    }

    fn range(&self, days: DateRange) -> Range<usize> {
        let start = self.entries.partition_point(|entry| entry.date() < days.from());
        start..start + self.entries[start..].partition_point(|entry| entry.date() <= days.to())
    }

    fn position(&self, id: &str) -> Option<usize> {
        let found = self.by_id.binary_search_by(|position| self.entries[*position as usize].id().as_ref().cmp(id)).ok()?;
        Some(self.by_id[found] as usize)
    }
}

impl<T: Dated + PartialEq + Send + Sync + 'static> Listed for Calendar<T> {
    fn definition(&self) -> &Definition {
        self.resource.definition()
    }

    /// Every record of the days is compared: there are few.
    fn select(&self, query: &Query, _: History<'_>) -> Option<Selected> {
        let Request::Days(days) = query.request else { return None };
        let is_wanted = |entry: &T| {
            let mut conditions = self.resource.conditions.iter().zip(&query.values);
            conditions.all(|(read, value)| value.as_ref().is_none_or(|value| read.is(entry, value)))
        };
        let positions: Vec<u32> = self.range(days).filter(|at| is_wanted(&self.entries[*at])).map(narrow).collect();
        Some(Selected { total: positions.len() as u64, positions, changes: None })
    }

    /// Days are seldom asked for in two ways, so their JSON is kept with the answer alone.
    fn write(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>) {
        self.resource.write(&self.entries[position as usize], options, out);
    }

    fn kept(&self, _: u32) -> Option<&[u8]> {
        None
    }

    fn looked_at(&self, query: &Query) -> usize {
        match query.request {
            // Their JSON is made for each answer, so a month is the most that is made at once.
            Request::Days(days) if days.from().days_until(days.to()) < 31 => self.range(days).len(),
            Request::Days(_) => usize::MAX,
            Request::Page { .. } | Request::Changes { .. } => 0,
        }
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
