//! Calendar feeds of an API key.

use askama::Template;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::Layout;
use crate::domain::{ApiKey, CalendarFeed};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// The part of a key's page about its calendar feeds.
#[derive(Debug, Serialize)]
pub(crate) struct KeyCalendars {
    /// The feeds that have not expired.
    pub(crate) feeds: Vec<FeedRow>,
    /// Whether the key has as many as it may have.
    pub(crate) is_full: bool,
    /// Whether the key has expired or is suspended, so that no feed of it works.
    pub(crate) is_paused: bool,
}

/// A calendar feed.
#[derive(Debug, Serialize)]
pub(crate) struct FeedRow {
    pub(crate) id: String,
    /// The last four characters of its token.
    pub(crate) hint: String,
    pub(crate) created: DisplayTime,
    /// The end of the feed, or that of its key if it is earlier.
    pub(crate) expires: DisplayTime,
}

impl FeedRow {
    pub(crate) fn new(feed: &CalendarFeed, key: &ApiKey, zone: &TimeZone) -> Self {
        let end = feed.expires_at.min(key.expires_at);
        Self {
            id: feed.id.to_string(),
            hint: feed.hint.clone(),
            created: DisplayTime::from_timestamp(feed.created_at, zone),
            expires: DisplayTime::from_timestamp(end, zone),
        }
    }
}

/// Address of a calendar, with the token. `Debug` omits the addresses.
#[derive(Serialize)]
pub(crate) struct CalendarLink {
    /// Unique on the page.
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) address: String,
    /// The same address with the scheme that opens the calendar program.
    pub(crate) webcal: String,
}

impl std::fmt::Debug for CalendarLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CalendarLink")
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

/// The addresses of a new calendar feed, which are shown only once.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/calendar_created.html")]
pub(crate) struct CalendarCreatedPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Schedules and meals.
    pub(crate) calendars: Vec<CalendarLink>,
    /// The timetables of the classes.
    pub(crate) timetables: Vec<CalendarLink>,
    pub(crate) continue_href: String,
}
