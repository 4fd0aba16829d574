use super::SyncKind;
use crate::domain::{AcademicYear, Date, DateRange, Timestamp};

/// Length of a window of timetables in days. The timetables of a school with 60 classes have some
/// 5,000 rows in that time, and a [write](crate::directory::Directory::MAX_CHANGES) takes 10,000.
const TIMETABLE_DAYS: i32 = 14;

impl AcademicYear {
    /// The current year at a time, by the Korean calendar.
    pub fn at(now: Timestamp) -> Self {
        Self::containing(Date::korean(now))
    }

    /// The days for one [run](super::Sync::run) each: the whole year, or two weeks of timetables.
    pub fn windows(self, kind: SyncKind) -> Vec<DateRange> {
        let days = match kind {
            SyncKind::Meals | SyncKind::Schedules => DateRange::MAX_DAYS,
            SyncKind::Timetables => TIMETABLE_DAYS,
        };
        let mut windows = Vec::new();
        let mut next = Some(self.first_day());
        while let Some(first) = next.filter(|first| *first <= self.last_day()) {
            let last = first
                .plus_days(days - 1)
                .unwrap_or(self.last_day())
                .min(self.last_day());
            windows.extend(DateRange::new(first, last));
            next = last.plus_days(1);
        }
        windows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if the year changes at midnight of another zone.
    #[test]
    fn an_academic_year_begins_by_the_korean_calendar() {
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
                assert_eq!(windows[0].from(), year.first_day());
            }
            assert_eq!(year.windows(SyncKind::Meals).len(), 1);
            assert_eq!(year.windows(SyncKind::Timetables).len(), 27);
        }
    }
}
