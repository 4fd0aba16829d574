#[cfg(feature = "console")]
use jiff::tz::TimeZone;
#[cfg(feature = "console")]
use serde::Serialize;

#[cfg(feature = "console")]
use crate::domain::Date;
use crate::domain::Timestamp;

/// Formats a time in UTC for the script, which knows the browser's time zone.
pub(crate) fn format_utc(at: Timestamp) -> String {
    at.to_string()
}

/// A time or a date, for programs and for readers in the school. Both languages use the same
/// format.
#[cfg(feature = "console")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct DisplayTime {
    pub(crate) iso: String,
    pub(crate) text: String,
}

#[cfg(feature = "console")]
impl DisplayTime {
    /// A time in the school's time zone.
    pub(crate) fn from_timestamp(at: Timestamp, zone: &TimeZone) -> Self {
        let zoned = at.to_jiff().to_zoned(zone.clone());
        Self {
            iso: zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            text: zoned.strftime("%Y-%m-%d %H:%M").to_string(),
        }
    }

    /// A time in the school's time zone with its second, where several follow within a minute.
    pub(crate) fn with_seconds(at: Timestamp, zone: &TimeZone) -> Self {
        let zoned = at.to_jiff().to_zoned(zone.clone());
        Self {
            text: zoned.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            ..Self::from_timestamp(at, zone)
        }
    }

    /// Start of a day in the school's time zone.
    pub(crate) fn start_of_day(day: Date, zone: &TimeZone) -> Option<Timestamp> {
        let day = jiff::civil::Date::new(day.year(), day.month(), day.day()).ok()?;
        Some(Timestamp::from_seconds(
            day.to_zoned(zone.clone()).ok()?.timestamp().as_second(),
        ))
    }

    /// A date.
    pub(crate) fn from_date(day: Date) -> Self {
        Self {
            iso: day.to_string(),
            text: day.to_string(),
        }
    }
}

#[cfg(all(test, feature = "console"))]
mod tests {
    use super::*;

    /// Fails if times are shown in UTC.
    #[test]
    fn moments_are_those_of_the_schools_zone() {
        let seoul = TimeZone::get("Asia/Seoul").unwrap();
        let moment = DisplayTime::from_timestamp(Timestamp::from_seconds(1_795_275_000), &seoul);
        assert_eq!(
            (&*moment.iso, &*moment.text),
            ("2026-11-22T00:30:00+09:00", "2026-11-22 00:30")
        );
        let moment = DisplayTime::with_seconds(Timestamp::from_seconds(1_795_275_007), &seoul);
        assert_eq!(
            (&*moment.iso, &*moment.text),
            ("2026-11-22T00:30:07+09:00", "2026-11-22 00:30:07")
        );
        for end in [i64::MIN, i64::MAX] {
            assert!(
                !DisplayTime::from_timestamp(Timestamp::from_seconds(end), &seoul)
                    .text
                    .is_empty()
            );
        }
        assert_eq!(
            DisplayTime::from_date(Date::new(2026, 3, 2).unwrap()).text,
            "2026-03-02"
        );
    }
}
