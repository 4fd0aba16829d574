use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::domain::InvalidValue;

const MICROS_PER_SECOND: i64 = 1_000_000;

/// A point in time, in microseconds since 1970-01-01T00:00:00Z.
///
/// Records, tokens and stores have times of whole seconds; only the rate limits and caches of the
/// data API and the directory are more precise. All arithmetic saturates at [`MIN`](Self::MIN) and
/// [`MAX`](Self::MAX), some 290,000 years from now.
///
/// ```
/// use std::time::Duration;
///
/// use lyceum::domain::Timestamp;
///
/// let at = Timestamp::from_seconds(1_000).plus(Duration::from_millis(1_500));
/// assert_eq!((at.micros(), at.seconds()), (1_001_500_000, 1_001));
/// assert_eq!(at.since(at.floor_to_seconds()), Duration::from_millis(500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The earliest time.
    pub const MIN: Self = Self(i64::MIN);

    /// The latest time.
    pub const MAX: Self = Self(i64::MAX);

    /// Creates a timestamp from epoch seconds.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS_PER_SECOND))
    }

    /// Creates a timestamp from epoch microseconds.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Epoch seconds, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(MICROS_PER_SECOND)
    }

    /// Epoch microseconds.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The time rounded down to a whole second, as records have it.
    #[must_use]
    pub const fn floor_to_seconds(self) -> Self {
        Self::from_seconds(self.seconds())
    }

    /// The time `duration` later, to the microsecond.
    #[must_use]
    pub const fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(Self::micros_of(duration)))
    }

    /// The time `duration` earlier, to the microsecond.
    #[must_use]
    pub const fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(Self::micros_of(duration)))
    }

    /// The time that has passed since `earlier`; zero if that is later.
    pub const fn since(self, earlier: Self) -> Duration {
        if self.0 > earlier.0 {
            Duration::from_micros(self.0.abs_diff(earlier.0))
        } else {
            Duration::ZERO
        }
    }

    /// Whether less than `duration` has passed since `earlier`. False if that is later, because the
    /// clock was set back.
    #[cfg(any(feature = "data-api", feature = "auth-server"))]
    pub(crate) const fn is_within(self, duration: Duration, earlier: Self) -> bool {
        earlier.0 <= self.0 && self.0 < earlier.plus(duration).0
    }

    /// The microseconds of a duration; saturates.
    pub(crate) const fn micros_of(duration: Duration) -> i64 {
        let micros = duration.as_micros();
        if micros > i64::MAX as u128 {
            i64::MAX
        } else {
            micros as i64
        }
    }

    /// Converts to a `jiff::Timestamp`. Times outside its range, years -9999 to 9999, are clamped.
    pub(crate) fn to_jiff(self) -> jiff::Timestamp {
        let end = if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        };
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(end)
    }
}

/// Formats as in RFC 3339, in UTC: `2026-12-21T09:00:00Z`. Years before 0 have a sign and six
/// digits. Times outside of years -9999 to 9999 are clamped.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_jiff().fmt(f)
    }
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

    /// The date of `at` in the time zone `zone`; the earliest day if it is before that.
    pub fn from_timestamp(at: Timestamp, zone: &jiff::tz::TimeZone) -> Self {
        Self(zone.to_datetime(at.to_jiff()).date()).max(Self::MIN)
    }

    /// The first moment of the day in a time zone; the earliest or latest time for a day at the ends
    /// of the calendar that has none.
    pub fn begins_at(self, zone: &jiff::tz::TimeZone) -> Timestamp {
        match self.0.to_zoned(zone.clone()) {
            Ok(midnight) => Timestamp::from_seconds(midnight.timestamp().as_second()),
            Err(_) if self.year() < 5000 => Timestamp::MIN,
            Err(_) => Timestamp::MAX,
        }
    }

    /// The day at a time by the Korean calendar. Dates of NEIS are Korean, and its daily quota begins
    /// anew at midnight there.
    pub fn korean(at: Timestamp) -> Self {
        Self::from_timestamp(at, &jiff::tz::TimeZone::fixed(jiff::tz::offset(9)))
    }

    /// The day `days` later, or earlier if negative; `None` before year 1 or after 9999.
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
            Date::from_timestamp(Timestamp::from_seconds(i64::MIN), &jiff::tz::TimeZone::UTC),
            Date::MIN
        );
    }

    /// Fails if a number of seconds from a database or a token wraps around, so that a time in the
    /// far future is in the past.
    #[test]
    fn seconds_beyond_the_range_saturate_and_stay_in_order() {
        let seconds = [
            i64::MIN,
            i64::MIN / 1_000_000 - 1,
            -1,
            0,
            i64::MAX / 1_000_000,
            i64::MAX / 1_000_000 + 1,
            i64::MAX,
        ];
        assert!(seconds.map(Timestamp::from_seconds).is_sorted());
        for at in seconds.map(Timestamp::from_seconds) {
            let second = Duration::from_secs(1);
            assert!(at.minus(second) <= at && at <= at.plus(second));
            assert!(at.floor_to_seconds() <= at && at.seconds() <= at.plus(second).seconds());
            if at < Timestamp::from_seconds(0) {
                assert_eq!(at.minus(Duration::MAX), Timestamp::MIN);
            } else {
                assert_eq!(at.plus(Duration::MAX), Timestamp::MAX);
            }
        }
        let all = Timestamp::MAX.since(Timestamp::MIN);
        assert_eq!(all, Duration::from_micros(u64::MAX));
        assert_eq!(Timestamp::MIN.since(Timestamp::MAX), Duration::ZERO);
    }

    /// Fails if times before the epoch are rounded up, or a part of a second is lost.
    #[test]
    fn a_time_is_exact_to_the_microsecond_and_its_seconds_are_rounded_down() {
        for (micros, seconds) in [
            (-1_000_001, -2),
            (-1, -1),
            (0, 0),
            (999_999, 0),
            (1_000_000, 1),
        ] {
            let at = Timestamp::from_micros(micros);
            assert_eq!((at.micros(), at.seconds()), (micros, seconds));
            assert_eq!(at.floor_to_seconds(), Timestamp::from_seconds(seconds));
            let duration = Duration::from_micros(1_234_567);
            assert_eq!(at.plus(duration).micros(), micros + 1_234_567);
            assert_eq!(at.plus(duration).minus(duration), at);
            assert_eq!(at.plus(duration).since(at), duration);
        }
    }

    /// Fails if an entry from the future, after the clock was set back, counts as young.
    #[cfg(any(feature = "data-api", feature = "auth-server"))]
    #[test]
    fn a_time_is_within_a_length_of_an_earlier_one_only() {
        let (then, duration) = (Timestamp::from_seconds(100), Duration::from_micros(3));
        for (micros, is_within) in [(-1, false), (0, true), (2, true), (3, false)] {
            let now = Timestamp::from_micros(then.micros() + micros);
            assert_eq!(now.is_within(duration, then), is_within, "{micros}");
        }
        assert!(!then.is_within(Duration::from_secs(1), Timestamp::MIN));
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
