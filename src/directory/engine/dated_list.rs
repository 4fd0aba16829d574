use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::indexed_list::{QueryableList, ResultSet};
use super::record_table::narrow;
use crate::directory::resource::{Query, QueryKind, RenderOptions, Resource, ResourceDefinition};
use crate::directory::version_history::History;
use crate::domain::{ClassNum, Date, DateRange, Grade, Lesson, Meal, Period, SchoolEvent};
use crate::store::DirectoryRow;

/// A record that belongs to a day.
pub(in crate::directory) trait Dated {
    fn date(&self) -> Date;

    /// The sort key within the day.
    fn sort_key(&self) -> impl Ord;

    fn id(&self) -> Cow<'_, str>;
}

/// Records sorted by day and, within a day, by their sort key.
pub(in crate::directory) struct DatedList<T> {
    resource: Arc<Resource<T>>,
    entries: Vec<Arc<T>>,
    /// Positions of the records in order of id.
    by_id: Vec<u32>,
}

impl<T: Dated + PartialEq> DatedList<T> {
    /// Creates a list without records.
    pub(in crate::directory) const fn new(resource: Arc<Resource<T>>) -> Self {
        Self {
            resource,
            entries: Vec::new(),
            by_id: Vec::new(),
        }
    }

    /// Returns this list with the changed rows applied, which are in ascending order of id. A
    /// record with an unchanged value is shared.
    pub(in crate::directory) fn with_changes(&self, rows: Vec<DirectoryRow<String, T>>) -> Self {
        let mut is_kept = vec![true; self.entries.len()];
        let mut new = Vec::new();
        for row in rows {
            let before = self.position(&row.id);
            if let Some(before) = before {
                is_kept[before] = false;
            }
            let Some(value) = row.value else { continue };
            let same = before
                .map(|before| &self.entries[before])
                .filter(|record| ***record == value);
            new.push(same.map_or_else(|| Arc::new(value), Arc::clone));
        }
        let kept = self
            .entries
            .iter()
            .zip(is_kept)
            .filter(|(_, is_kept)| *is_kept)
            .map(|(record, _)| Arc::clone(record));
        let mut entries: Vec<_> = kept.chain(new).collect();
        entries.sort_by(|one, other| {
            one.date()
                .cmp(&other.date())
                .then_with(|| one.sort_key().cmp(&other.sort_key()))
        });
        let mut by_id: Vec<u32> = (0..narrow(entries.len())).collect();
        by_id.sort_by_cached_key(|position| entries[*position as usize].id().into_owned());
        Self {
            resource: Arc::clone(&self.resource),
            entries,
            by_id,
        }
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
        let start = self
            .entries
            .partition_point(|entry| entry.date() < days.from());
        start..start + self.entries[start..].partition_point(|entry| entry.date() <= days.to())
    }

    fn position(&self, id: &str) -> Option<usize> {
        let found = self
            .by_id
            .binary_search_by(|position| self.entries[*position as usize].id().as_ref().cmp(id))
            .ok()?;
        Some(self.by_id[found] as usize)
    }
}

impl<T: Dated + PartialEq + Send + Sync + 'static> QueryableList for DatedList<T> {
    fn definition(&self) -> &ResourceDefinition {
        self.resource.definition()
    }

    /// Compares every record of the days, which are few.
    fn select(&self, query: &Query, _: History<'_>) -> Option<ResultSet> {
        let QueryKind::Days(days) = query.kind else {
            return None;
        };
        let is_wanted = |entry: &T| {
            let mut conditions = self.resource.filter_accessors.iter().zip(&query.values);
            conditions.all(|(read, value)| {
                value
                    .as_ref()
                    .is_none_or(|value| read.matches(entry, value))
            })
        };
        let positions: Vec<u32> = self
            .range(days)
            .filter(|at| is_wanted(&self.entries[*at]))
            .map(narrow)
            .collect();
        Some(ResultSet {
            total: positions.len() as u64,
            positions,
            changes: None,
        })
    }

    /// Serializes the record each time. The same days are rarely queried in two ways, so only whole
    /// responses are cached.
    fn write_json(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>) {
        self.resource
            .write_json(&self.entries[position as usize], options, out);
    }

    fn cached_json(&self, _: u32) -> Option<&[u8]> {
        None
    }

    fn estimated_cost(&self, query: &Query) -> usize {
        match query.kind {
            // Their JSON is serialized for each response, so at most a month counts as cheap.
            QueryKind::Days(days) if days.from().days_until(days.to()) < 31 => {
                self.range(days).len()
            }
            QueryKind::Days(_) => usize::MAX,
            QueryKind::Page { .. } | QueryKind::Changes { .. } => 0,
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

    fn sort_key(&self) -> impl Ord {
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

    fn sort_key(&self) -> impl Ord {
        let key: (&str, &str) = (&self.name, &self.id);
        key
    }
}

impl Dated for Lesson {
    fn date(&self) -> Date {
        self.date
    }

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn sort_key(&self) -> impl Ord {
        let key: (Grade, ClassNum, Period, &str) =
            (self.grade, self.class_num, self.period, &self.id);
        key
    }
}
