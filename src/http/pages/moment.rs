#[cfg(feature = "ui")]
use jiff::tz::TimeZone;
#[cfg(feature = "ui")]
use serde::Serialize;

#[cfg(feature = "ui")]
use crate::domain::Date;
use crate::domain::Timestamp;

/// A moment for a script, which knows the browser's zone.
pub(crate) fn in_utc(at: Timestamp) -> String {
    at.to_string()
}

/// A moment or a day, for programs and as people in the school read it. Both languages write it the same way.
#[cfg(feature = "ui")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Moment {
    pub(crate) iso: String,
    pub(crate) text: String,
}

#[cfg(feature = "ui")]
impl Moment {
    /// A moment, where the school is.
    pub(crate) fn at(at: Timestamp, zone: &TimeZone) -> Self {
        let end = if at.seconds() < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        let zoned = jiff::Timestamp::from_second(at.seconds()).unwrap_or(end).to_zoned(zone.clone());
        Self { iso: zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(), text: zoned.strftime("%Y-%m-%d %H:%M").to_string() }
    }

    /// When a day begins where the school is.
    pub(crate) fn start_of(day: Date, zone: &TimeZone) -> Option<Timestamp> {
        let day = jiff::civil::Date::new(day.year(), day.month(), day.day()).ok()?;
        Some(Timestamp::from_seconds(day.to_zoned(zone.clone()).ok()?.timestamp().as_second()))
    }

    /// A day.
    pub(crate) fn on(day: Date) -> Self {
        Self { iso: day.to_string(), text: day.to_string() }
    }
}

#[cfg(all(test, feature = "ui"))]
mod tests {
    use super::*;

    /// Fails if moments are shown in UTC.
    #[test]
    fn moments_are_those_of_the_schools_zone() {
        let seoul = TimeZone::get("Asia/Seoul").unwrap();
        let moment = Moment::at(Timestamp::from_seconds(1_795_275_000), &seoul);
        assert_eq!((&*moment.iso, &*moment.text), ("2026-11-22T00:30:00+09:00", "2026-11-22 00:30"));
        for end in [i64::MIN, i64::MAX] {
            assert!(!Moment::at(Timestamp::from_seconds(end), &seoul).text.is_empty());
        }
        assert_eq!(Moment::on(Date::new(2026, 3, 2).unwrap()).text, "2026-03-02");
    }
}
