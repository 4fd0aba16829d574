use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::domain::InvalidValue;

/// A point in time, in whole seconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from epoch seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Epoch seconds.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// The time `length` later, in whole seconds; saturates.
    #[must_use]
    pub fn plus(self, length: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(length.as_secs()).unwrap_or(i64::MAX)),
        )
    }

    /// The time `length` earlier, in whole seconds; saturates.
    #[must_use]
    pub fn minus(self, length: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(i64::try_from(length.as_secs()).unwrap_or(i64::MAX)),
        )
    }
}

/// Formats as in RFC 3339, in UTC: `2026-12-21T09:00:00Z`. Times beyond the calendar are clamped.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        to_jiff(*self).fmt(f)
    }
}

fn to_jiff(at: Timestamp) -> jiff::Timestamp {
    let end = if at.0 < 0 {
        jiff::Timestamp::MIN
    } else {
        jiff::Timestamp::MAX
    };
    jiff::Timestamp::from_second(at.0).unwrap_or(end)
}

/// A calendar day without a time zone, written `yyyy-MM-dd`, from year 1 to 9999.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date(jiff::civil::Date);

impl Date {
    /// The earliest day, 0001-01-01.
    pub const MIN: Self = Self(jiff::civil::date(1, 1, 1));

    /// The latest day, 9999-12-31.
    pub const MAX: Self = Self(jiff::civil::Date::MAX);

    /// Creates a date from a year, month (1–12) and day (1–31).
    ///
    /// # Errors
    /// If the calendar has no such day.
    pub fn new(year: i16, month: i8, day: i8) -> Result<Self, InvalidValue> {
        if year < 1 {
            return Err(NOT_A_DATE);
        }
        jiff::civil::Date::new(year, month, day)
            .map(Self)
            .map_err(|_| NOT_A_DATE)
    }

    /// The date of `at` in the time zone `zone`.
    pub fn from_timestamp(at: Timestamp, zone: &jiff::tz::TimeZone) -> Self {
        Self(zone.to_datetime(to_jiff(at)).date())
    }

    /// The day `days` later, or earlier if negative; `None` beyond the calendar.
    pub fn plus_days(self, days: i32) -> Option<Self> {
        self.shifted(jiff::Span::new().try_days(days).ok()?)
    }

    /// The same day `years` later, or the last of the month if it does not exist (29 February).
    pub fn plus_years(self, years: i16) -> Option<Self> {
        self.shifted(jiff::Span::new().try_years(years).ok()?)
    }

    /// The number of days until `later`; negative if it is before this day.
    pub fn days_until(self, later: Self) -> i32 {
        self.0
            .until((jiff::Unit::Day, later.0))
            .map_or(0, |span| span.get_days())
    }

    /// The year.
    pub fn year(self) -> i16 {
        self.0.year()
    }

    /// The month, 1–12.
    pub fn month(self) -> i8 {
        self.0.month()
    }

    /// The day of the month, 1–31.
    pub fn day(self) -> i8 {
        self.0.day()
    }

    /// The day of the week, 1 for Monday to 7 for Sunday.
    pub fn weekday(self) -> i8 {
        self.0.weekday().to_monday_one_offset()
    }

    fn shifted(self, span: jiff::Span) -> Option<Self> {
        self.0
            .checked_add(span)
            .ok()
            .filter(|date| date.year() >= 1)
            .map(Self)
    }
}

const NOT_A_DATE: InvalidValue = InvalidValue::new("must be a date as yyyy-MM-dd");

impl FromStr for Date {
    type Err = InvalidValue;

    /// Parses exactly `yyyy-MM-dd`: ten ASCII characters, an existing day.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let bytes: &[u8; 10] = text.as_bytes().try_into().map_err(|_| NOT_A_DATE)?;
        let shape = bytes.iter().enumerate().all(|(at, byte)| {
            if matches!(at, 4 | 7) {
                *byte == b'-'
            } else {
                byte.is_ascii_digit()
            }
        });
        if !shape {
            return Err(NOT_A_DATE);
        }
        let number = |range: std::ops::Range<usize>| {
            bytes[range]
                .iter()
                .fold(0_i16, |sum, digit| sum * 10 + i16::from(digit - b'0'))
        };
        // Two digits always fit an i8.
        Self::new(number(0..4), number(5..7) as i8, number(8..10) as i8)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:04}-{:02}-{:02}",
            self.year(),
            self.month(),
            self.day()
        )
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_only_in_its_one_spelling() {
        for text in ["2026-11-21", "0001-01-01", "9999-12-31", "2024-02-29"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "2026-1-1",
            "20261121",
            "2026-02-30",
            "2025-02-29",
            "2026-13-01",
            "0000-01-01",
            "+026-01-01",
            "2026-11-21 ",
            "２０２６-1-1",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn a_moment_is_written_in_utc_also_beyond_the_calendar() {
        assert_eq!(
            Timestamp::from_seconds(1_767_222_000).to_string(),
            "2025-12-31T23:00:00Z"
        );
        assert!(
            Timestamp::from_seconds(i64::MAX)
                .to_string()
                .starts_with("9999-12-30")
        );
        assert!(
            Timestamp::from_seconds(i64::MIN)
                .to_string()
                .starts_with("-009999-01-02")
        );
        assert_eq!(
            Date::from_timestamp(Timestamp::from_seconds(i64::MIN), &jiff::tz::TimeZone::UTC)
                .year(),
            -9999
        );
    }

    #[test]
    fn today_depends_on_the_time_zone() {
        let seoul = jiff::tz::TimeZone::get("Asia/Seoul").unwrap();
        let just_before_midnight_utc = Timestamp::from_seconds(1_767_222_000); // 2025-12-31T23:00:00Z
        assert_eq!(
            Date::from_timestamp(just_before_midnight_utc, &seoul).to_string(),
            "2026-01-01"
        );
        assert_eq!(
            Date::from_timestamp(just_before_midnight_utc, &jiff::tz::TimeZone::UTC).to_string(),
            "2025-12-31"
        );
    }

    #[test]
    fn a_year_after_a_leap_day_is_the_last_of_february() {
        let leap: Date = "2024-02-29".parse().unwrap();
        assert_eq!(leap.plus_years(1).unwrap().to_string(), "2025-02-28");
        assert_eq!(leap.days_until(leap.plus_years(1).unwrap()), 365);
        assert_eq!("9999-12-31".parse::<Date>().unwrap().plus_days(1), None);
    }
}
