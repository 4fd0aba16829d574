//! Calendars to which programs subscribe (RFC 5545), under addresses with a token.

mod content_lines;
mod render;
mod time_zone;
mod words;

use std::fmt;
use std::sync::Arc;

use fluent_uri::Uri;

pub(super) use render::{CalendarSource, render};

use crate::domain::{CalendarFeedToken, ClassNum, ClassPeriods, Grade};
use crate::store::CalendarFeedStore;

/// The first segments of every calendar's path.
const PREFIX: &str = "/v1/calendars/";

/// Paths of the calendars, as they are described.
#[cfg(feature = "openapi")]
pub(super) const PATHS: [(&str, &str, &str); 3] = [
    (
        "/v1/calendars/{token}/schedules.ics",
        "schedulesCalendar",
        "Get the events of the academic year",
    ),
    (
        "/v1/calendars/{token}/meals.ics",
        "mealsCalendar",
        "Get the meals of the academic year",
    ),
    (
        "/v1/calendars/{token}/timetable-{grade}-{classNum}.ics",
        "timetableCalendar",
        "Get the lessons of a class in the academic year",
    ),
];

/// Settings of the calendars, and the store of their feeds.
pub(super) struct Calendars {
    pub(super) feeds: Arc<dyn CalendarFeedStore>,
    pub(super) periods: ClassPeriods,
    /// The part of each event's id that is this school's.
    pub(super) host: String,
}

impl Calendars {
    /// Uses the host of the public URL in the ids of events.
    pub(super) fn new(
        feeds: Arc<dyn CalendarFeedStore>,
        periods: ClassPeriods,
        public_url: Option<&str>,
    ) -> Self {
        let host = public_url
            .and_then(|url| Uri::parse(url).ok())
            .and_then(|url| Some(url.authority()?.host().to_owned()));
        Self {
            feeds,
            periods,
            // A name that no host has (RFC 2606).
            host: host.unwrap_or_else(|| "lyceum.invalid".to_owned()),
        }
    }
}

impl fmt::Debug for Calendars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calendars")
            .field("periods", &self.periods)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

/// A calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calendar {
    Schedules,
    Meals,
    Timetable(Grade, ClassNum),
}

impl Calendar {
    /// Finds the calendar of a decoded path, and the segment that should be a token.
    pub(super) fn from_path(path: &str) -> Option<(Self, &str)> {
        let (token, file) = path.strip_prefix(PREFIX)?.split_once('/')?;
        let calendar = match file.strip_suffix(".ics")? {
            "schedules" => Self::Schedules,
            "meals" => Self::Meals,
            name => {
                let (grade, class) = name.strip_prefix("timetable-")?.split_once('-')?;
                Self::Timetable(
                    Grade::new(number(grade)?).ok()?,
                    ClassNum::new(number(class)?).ok()?,
                )
            }
        };
        Some((calendar, token))
    }

    /// The token of a decoded path, if it can be one.
    pub(super) fn token(path: &str) -> Option<CalendarFeedToken> {
        let (_, token) = Self::from_path(path)?;
        CalendarFeedToken::parse(token).ok()
    }
}

/// Reads a number that has one spelling: no sign and no zero in front.
fn number(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_has_one_path() {
        let timetable = |grade, class| {
            Calendar::Timetable(Grade::new(grade).unwrap(), ClassNum::new(class).unwrap())
        };
        for (path, calendar) in [
            ("/v1/calendars/t/schedules.ics", Some(Calendar::Schedules)),
            ("/v1/calendars/t/meals.ics", Some(Calendar::Meals)),
            ("/v1/calendars/t/timetable-2-13.ics", Some(timetable(2, 13))),
            ("/v1/calendars//meals.ics", Some(Calendar::Meals)),
            ("/v1/calendars/meals.ics", None),
            ("/v1/calendars/t/meals", None),
            ("/v1/calendars/t/meals.ics/", None),
            ("/v1/calendars/t/t/meals.ics", None),
            ("/v1/calendars/t/timetable-0-1.ics", None),
            ("/v1/calendars/t/timetable-02-1.ics", None),
            ("/v1/calendars/t/timetable-+2-1.ics", None),
            ("/v1/calendars/t/timetable-13-1.ics", None),
            ("/v1/calendars/t/timetable-2-100.ics", None),
            ("/v1/calendars/t/timetable-2.ics", None),
            ("/v1/calendars/t/timetable-2-1-1.ics", None),
        ] {
            let found = Calendar::from_path(path).map(|(calendar, _)| calendar);
            assert_eq!(found, calendar, "{path}");
        }
    }
}
