use std::sync::Arc;

use crate::domain::{ClassNum, Date, DateRange, Grade, Lesson, Meal, Period, Record, SchoolEvent};

/// Something that belongs to a day, with its place in the order of all days.
pub(in crate::store::memory) trait Dated {
    fn date(&self) -> Date;

    /// Where it comes on its day.
    fn place(&self) -> impl Ord;
}

/// Records in the order of their days and of their places there.
pub(in crate::store::memory) struct Calendar<T>(Vec<Arc<Record<T>>>);

impl<T: Dated> Calendar<T> {
    pub(in crate::store::memory) fn new(records: impl Iterator<Item = Arc<Record<T>>>) -> Self {
        let mut entries: Vec<_> = records.collect();
        entries.sort_by(|one, other| {
            let (one, other) = (one.value(), other.value());
            one.date().cmp(&other.date()).then_with(|| one.place().cmp(&other.place()))
        });
        Self(entries)
    }

    pub(in crate::store::memory) fn days(&self, days: DateRange) -> &[Arc<Record<T>>] {
        let from_here = &self.0[self.0.partition_point(|entry| entry.value().date() < days.from())..];
        &from_here[..from_here.partition_point(|entry| entry.value().date() <= days.to())]
    }
}

impl<T> Default for Calendar<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Dated for Meal {
    fn date(&self) -> Date {
        self.date
    }

    fn place(&self) -> impl Ord {
        (self.kind, self.id())
    }
}

impl Dated for SchoolEvent {
    fn date(&self) -> Date {
        self.date
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

    fn place(&self) -> impl Ord {
        let place: (Grade, ClassNum, Period, &str) = (self.grade, self.class_num, self.period, &self.id);
        place
    }
}
