//! Pages of the school's days: the timetable of a class, the meals of a week and the calendar of a
//! month. They are read with the user's own key or by an administrator without one, as the lists are.

mod dates;
mod meals;
mod month;
mod timetable;
mod today;

use http::StatusCode;
use http::header::RETRY_AFTER;
use serde_json::Value;

use super::fetch::{self, ApiError, FetchOutcome};
use super::reader::{Reader, Readers};
use super::{query, record_look};
use crate::directory::ResourceDefinition;
use crate::domain::Date;
use crate::http::console::error::Error;
use crate::http::console::query::encode;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::Server;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{KeyOption, ListLink, WeekFrame};
use crate::http::pages::View;
pub(crate) use meals::show as show_meals;
pub(super) use meals::{calories, dish_list};
pub(crate) use month::show as show_month;
pub(crate) use timetable::show as show_timetable;
pub(crate) use today::card as day_card;

/// One of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WeekPageKind {
    Timetable,
    Meals,
    Month,
}

impl WeekPageKind {
    const ALL: [Self; 3] = [Self::Timetable, Self::Meals, Self::Month];

    /// Path of the page.
    const fn path(self) -> &'static str {
        match self {
            Self::Timetable => "/week",
            Self::Meals => "/week/meals",
            Self::Month => "/month",
        }
    }

    /// Name of the list that it shows.
    const fn list(self) -> &'static str {
        match self {
            Self::Timetable => "timetables",
            Self::Meals => "meals",
            Self::Month => "schedules",
        }
    }
}

/// A page's parameters, its list, and the authorities that may read the list.
struct WeekRequest<'a> {
    request: &'a UserRequest<'a>,
    kind: WeekPageKind,
    list: &'a ResourceDefinition,
    today: Date,
    /// The selected authority, if the user has one that may read the list.
    reader: Option<Reader>,
    keys: Vec<KeyOption>,
    /// Where the user makes an address for a calendar app.
    subscribe: Option<ListLink>,
}

/// The records that a page shows, or the error of the data API.
enum ReadOutcome {
    Records(Vec<Value>),
    Error(ApiError),
}

impl<'a> WeekRequest<'a> {
    async fn load(request: &'a UserRequest<'a>, kind: WeekPageKind) -> Result<Self, Error> {
        let query = request.query()?;
        Self::with_key(request, kind, query.value("key")).await
    }

    /// The same with the id of the selected key.
    async fn with_key(
        request: &'a UserRequest<'a>,
        kind: WeekPageKind,
        wanted: Option<&str>,
    ) -> Result<Self, Error> {
        let server = request.server;
        let source = server.shared.data.as_ref().ok_or_else(Error::not_found)?;
        let lists = source.client.definitions();
        let list = lists.into_iter().find(|list| list.name == kind.list());
        let list = list.ok_or_else(Error::not_found)?;
        let readers = Readers::load(request).await?;
        // A key that is asked for and may not read the list is refused by the data API.
        let reader = readers
            .select(wanted, list)?
            .filter(|reader| wanted.is_some() || reader.may_read(list));
        Ok(Self {
            request,
            kind,
            list,
            today: Date::from_timestamp(server.now(), server.zone()),
            subscribe: subscribe_link(request, &readers, reader.as_ref()),
            keys: reader
                .as_ref()
                .map_or_else(Vec::new, |reader| readers.choices(reader, request.texts())),
            reader,
        })
    }

    /// Reads the page's records of these days. `None` without an authority.
    async fn read(
        &self,
        days: (Date, Date),
        filters: &[(&'static str, i64)],
    ) -> Result<Option<ReadOutcome>, Error> {
        self.read_list(self.list, days, filters).await
    }

    /// Reads the records of another page on these days, beside the page's own. Without the
    /// authority for them, or if the data API refuses, there are none.
    async fn read_beside(
        &self,
        kind: WeekPageKind,
        days: (Date, Date),
    ) -> Result<Vec<Value>, Error> {
        let lists = self.request.server.lists();
        let list = lists.into_iter().find(|list| list.name == kind.list());
        let may_read = |list: &&ResourceDefinition| {
            let mut reader = self.reader.iter();
            reader.any(|reader| reader.may_read(list))
        };
        let Some(list) = list.filter(may_read) else {
            return Ok(Vec::new());
        };
        Ok(match self.read_list(list, days, &[]).await? {
            Some(ReadOutcome::Records(records)) => records,
            _ => Vec::new(),
        })
    }

    async fn read_list(
        &self,
        list: &ResourceDefinition,
        (first, last): (Date, Date),
        filters: &[(&'static str, i64)],
    ) -> Result<Option<ReadOutcome>, Error> {
        let server = self.request.server;
        let (Some(reader), Some(source)) = (&self.reader, &server.shared.data) else {
            return Ok(None);
        };
        let mut parameters = vec![
            ("fromDate", first.to_string()),
            ("toDate", last.to_string()),
        ];
        let filters = filters
            .iter()
            .map(|(name, value)| (*name, value.to_string()));
        parameters.extend(filters);
        let query = encode(parameters.iter().map(|(name, value)| (*name, &**value)));
        let target = query::target(list.path, &query);
        let response = match fetch::fetch(server, source, reader, &target).await? {
            FetchOutcome::Error(error) => return Ok(Some(ReadOutcome::Error(error))),
            FetchOutcome::Success(response) => response,
        };
        let records = fetch::all_records(list, response).await?;
        let names = parameters.iter().map(|(name, _)| *name).collect();
        record_look(self.request, reader, list, names, records.len());
        Ok(Some(ReadOutcome::Records(records)))
    }

    /// Renders a page, with the status and the wait of the data API's error.
    fn render(&self, outcome: Option<&ReadOutcome>, page: &impl View) -> HandlerResult {
        let Some(ReadOutcome::Error(error)) = outcome else {
            return self.request.render(StatusCode::OK, page);
        };
        let mut response = self.request.render(error.status, page)?;
        let retry_after = error.retry_after.clone();
        response
            .headers_mut()
            .extend(retry_after.map(|seconds| (RETRY_AFTER, seconds)));
        Ok(response)
    }

    /// The common part of the pages. `address` returns the query for a day.
    fn frame(
        &self,
        outcome: Option<&ReadOutcome>,
        range: String,
        [previous, next]: [Option<Date>; 2],
        is_now: bool,
        extra: &[(&str, &str)],
    ) -> WeekFrame {
        let server = self.request.server;
        let href = |day: Option<Date>| self.href(self.kind, day, extra);
        let tab = |kind: WeekPageKind| ListLink {
            href: self.href(kind, None, &[]),
            label: self
                .request
                .texts()
                .school
                .list(kind.list())
                .unwrap_or(kind.list()),
            is_current: kind == self.kind,
        };
        WeekFrame {
            kinds: WeekPageKind::ALL.map(tab).into(),
            action: server.href(self.kind.path()),
            range,
            previous: previous.map(|day| href(Some(day))),
            current: href(None),
            is_current: is_now,
            next: next.map(|day| href(Some(day))),
            keys: self.keys.clone(),
            offers_keys: self.keys.len() > 1
                && (self.reader.as_ref().is_some_and(Reader::is_chosen)
                    || matches!(outcome, Some(ReadOutcome::Error(_)))),
            problem: match outcome {
                Some(ReadOutcome::Error(error)) => Some(self.problem(error)),
                _ => None,
            },
            subscribe: self.subscribe.clone(),
        }
    }

    /// Address of a page with the selected key, on a day or, without one, today.
    fn href(&self, kind: WeekPageKind, day: Option<Date>, extra: &[(&str, &str)]) -> String {
        let key = self.reader.as_ref().and_then(Reader::parameter);
        let day = day.map(|day| match kind {
            WeekPageKind::Month => dates::month_value(day),
            _ => day.to_string(),
        });
        let name = match kind {
            WeekPageKind::Month => "month",
            _ => "date",
        };
        let pairs = [("key", key.as_deref()), (name, day.as_deref())];
        let pairs = pairs
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        href(
            self.request.server,
            kind.path(),
            pairs.chain(extra.iter().copied()),
        )
    }

    fn problem(&self, error: &ApiError) -> String {
        let text = self.request.texts();
        match (&*error.reason, &self.reader) {
            ("scope_missing", Some(Reader::Key { key, .. })) => {
                text.key_lacks_scope(&key.description)
            }
            ("rate_limited", _) => text.errors.rate_limited.to_owned(),
            _ => text.errors.unreadable.to_owned(),
        }
    }
}

/// The page of the key with which the user can subscribe in a calendar app, or the form for a new
/// key. `None` if the server has no calendar feeds, or the page asks for a key anyway.
fn subscribe_link(
    request: &UserRequest<'_>,
    readers: &Readers,
    reader: Option<&Reader>,
) -> Option<ListLink> {
    let (server, text) = (request.server, request.texts());
    server.shared.calendars.as_ref()?;
    let reader = reader?;
    let (href, label) = match readers.key_for_feeds(reader) {
        Some(key) => (format!("/keys/{key}#calendars"), text.week.subscribe),
        None => ("/keys/new".to_owned(), text.week.subscribe_with_key),
    };
    Some(ListLink {
        href: server.href(&href),
        label,
        is_current: false,
    })
}

fn href<'p>(
    server: &Server,
    path: &str,
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
) -> String {
    let query = encode(pairs);
    let separator = if query.is_empty() { "" } else { "?" };
    server.href(&format!("{path}{separator}{query}"))
}

/// Text of a record's field, or an empty text.
fn text_of<'r>(record: &'r Value, field: &str) -> &'r str {
    record[field].as_str().unwrap_or_default()
}
