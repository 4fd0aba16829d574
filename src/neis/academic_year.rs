use super::{SyncKind, korea};
use crate::domain::{Date, DateRange, InvalidValue, Timestamp};

/// Length of a window of timetables in days. The timetables of a school with 60 classes have some
/// 5,000 rows in that time, and a [write](crate::directory::Directory::MAX_CHANGES) takes 10,000.
const TIMETABLE_DAYS: i32 = 14;

/// An academic year: from 1 March to the end of February.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AcademicYear {
    first: Date,
    last: Date,
}

impl AcademicYear {
    /// Creates the year that begins in March of a calendar year.
    ///
    /// # Errors
    /// If that is not from 1 to 9998.
    pub fn new(year: i16) -> Result<Self, InvalidValue> {
        let next = Date::new(year.saturating_add(1), 3, 1)?;
        let last = next.plus_days(-1);
        Ok(Self {
            first: Date::new(year, 3, 1)?,
            last: last.ok_or(InvalidValue::new("must be a year of the calendar"))?,
        })
    }

    /// The year that a day belongs to; the first or last one at the ends of the calendar.
    pub fn containing(day: Date) -> Self {
        let year = day.year() - i16::from(day.month() < 3);
        Self::new(year.clamp(1, 9998)).unwrap_or(Self {
            first: day,
            last: day,
        })
    }

    /// The current year at a time, by the Korean calendar.
    pub fn at(now: Timestamp) -> Self {
        Self::containing(Date::from_timestamp(now, &korea()))
    }

    /// The calendar year in which it begins, by which it is named.
    pub fn year(self) -> i16 {
        self.first.year()
    }

    /// The days for one [run](super::Sync::run) each: the whole year, or two weeks of timetables.
    pub fn windows(self, kind: SyncKind) -> Vec<DateRange> {
        let days = match kind {
            SyncKind::Meals | SyncKind::Schedules => DateRange::MAX_DAYS,
            SyncKind::Timetables => TIMETABLE_DAYS,
        };
        let mut windows = Vec::new();
        let mut next = Some(self.first);
        while let Some(first) = next.filter(|first| *first <= self.last) {
            let last = first
                .plus_days(days - 1)
                .unwrap_or(self.last)
                .min(self.last);
            windows.extend(DateRange::new(first, last));
            next = last.plus_days(1);
        }
        windows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// Fails if January belongs to the year that begins in its own March, or the year changes at
    /// midnight of another zone.
    #[test]
    fn an_academic_year_begins_in_march_by_the_korean_calendar() {
        for (text, year) in [
            ("2026-02-28", 2025),
            ("2026-03-01", 2026),
            ("2027-01-01", 2026),
            ("2024-02-29", 2023),
            ("0001-01-01", 1),
            ("9999-12-31", 9998),
        ] {
            assert_eq!(AcademicYear::containing(day(text)).year(), year, "{text}");
        }
        // 2026-02-28T15:00:00Z is midnight in Korea.
        let midnight = 1_772_290_800;
        for (seconds, year) in [(midnight - 1, 2025), (midnight, 2026)] {
            let at = Timestamp::from_seconds(seconds);
            assert_eq!(AcademicYear::at(at).year(), year);
        }
    }

    /// Fails if the windows leave out a day, or have one twice, and with it its records.
    #[test]
    fn the_windows_of_a_year_have_every_day_once() {
        for (year, days) in [(2026, 365), (2027, 366)] {
            let year = AcademicYear::new(year).unwrap();
            for kind in SyncKind::ALL {
                let windows = year.windows(*kind);
                let counted: i32 = windows
                    .iter()
                    .map(|window| window.from().days_until(window.to()) + 1)
                    .sum();
                assert_eq!(counted, days);
                let follows =
                    |pair: &[DateRange]| pair[0].to().plus_days(1) == Some(pair[1].from());
                assert!(windows.windows(2).all(follows));
                assert_eq!(windows[0].from(), year.first);
            }
            assert_eq!(year.windows(SyncKind::Meals).len(), 1);
            assert_eq!(year.windows(SyncKind::Timetables).len(), 27);
        }
    }
}
