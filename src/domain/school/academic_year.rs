use jiff::tz::TimeZone;

use crate::domain::{Date, DateRange, InvalidValue, Timestamp};

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

    /// The calendar year in which it begins, by which it is named.
    pub fn year(self) -> i16 {
        self.first.year()
    }

    /// The first day, 1 March.
    pub const fn first_day(self) -> Date {
        self.first
    }

    /// The last day, of February.
    pub const fn last_day(self) -> Date {
        self.last
    }

    /// When it has ended in a time zone: at midnight of 1 March.
    pub fn ends_at(self, zone: &TimeZone) -> Timestamp {
        let next = self.last.plus_days(1);
        next.map_or(Timestamp::MAX, |next| next.begins_at(zone))
    }

    /// All its days.
    pub fn days(self) -> DateRange {
        DateRange::new(self.first, self.last).unwrap_or_else(|_| DateRange::single_day(self.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails if January belongs to the year that begins in its own March.
    #[test]
    fn an_academic_year_begins_in_march() {
        for (text, year) in [
            ("2026-02-28", 2025),
            ("2026-03-01", 2026),
            ("2027-01-01", 2026),
            ("2024-02-29", 2023),
            ("0001-01-01", 1),
            ("9999-12-31", 9998),
        ] {
            let day = text.parse().unwrap();
            assert_eq!(AcademicYear::containing(day).year(), year, "{text}");
        }
    }

    /// Fails if a year ends at midnight of another zone.
    #[test]
    fn a_year_ends_at_midnight_where_the_school_is() {
        let year = AcademicYear::new(2026).unwrap();
        for (zone, seconds) in [("UTC", 1_803_859_200), ("Asia/Seoul", 1_803_826_800)] {
            let ends_at = year.ends_at(&TimeZone::get(zone).unwrap());
            assert_eq!(ends_at, Timestamp::from_seconds(seconds), "{zone}");
        }
    }

    #[test]
    fn the_days_of_a_year_are_all_of_them() {
        for (year, last, count) in [(2026, "2027-02-28", 365), (2027, "2028-02-29", 366)] {
            let days = AcademicYear::new(year).unwrap().days();
            assert_eq!(days.to(), last.parse().unwrap());
            assert_eq!(days.from().days_until(days.to()) + 1, count);
        }
    }
}
