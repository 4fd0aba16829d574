use http::StatusCode;

use super::show::section;
use crate::domain::{AcademicYear, ApiKey, ApiScope, CalendarFeed, Date};
use crate::http::console::error::Error;
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::server::{CalendarFeeds, Server};
use crate::http::console::shown_once::ShownSecret;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{CalendarCreatedPage, CalendarLink, FeedRow, KeyCalendars};
use crate::http::issuer::Issuer;
use crate::http::management::Rejection;

/// Classes whose timetables are listed; a school with more has the first of them.
const MAX_CLASSES: usize = 100;

/// The feeds of a key, if it may have any.
pub(super) async fn section_of(
    request: &UserRequest<'_>,
    key: &ApiKey,
) -> Result<Option<KeyCalendars>, Error> {
    let server = request.server;
    let Some(calendars) = &server.shared.calendars else {
        return Ok(None);
    };
    if !key.scopes.contains(&ApiScope::NEIS_READ) {
        return Ok(None);
    }
    let (now, zone) = (server.now(), server.zone());
    let feeds: Vec<_> = calendars
        .store
        .calendar_feeds(key.id)
        .await?
        .iter()
        .filter(|feed| now < feed.expires_at)
        .map(|feed| FeedRow::new(feed, key, zone))
        .collect();
    let is_full = feeds.len() >= CalendarFeed::MAX_PER_KEY as usize;
    Ok(Some(KeyCalendars {
        feeds,
        is_full,
        is_paused: key.expires_at <= now,
    }))
}

/// `POST /keys/{id}/calendars`: creates a feed, and redirects to the page that shows it once.
pub(crate) async fn submit_new(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let server = request.server;
    let [id] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    let calendars = calendars(server)?;
    let year = AcademicYear::containing(Date::from_timestamp(server.now(), server.zone()));
    if key.expires_at <= server.now() {
        let path = format!("/keys/{}", key.id);
        return request.redirect_with_flash(&path, Flash::CalendarFeedKeyExpired);
    }
    let created = management
        .create_calendar_feed(&*calendars.store, &key, year.ends_at(server.zone()))
        .await?;
    let Some(token) = created else {
        let path = format!("/keys/{}", key.id);
        return request.redirect_with_flash(&path, Flash::CalendarFeedLimitReached);
    };
    request.redirect_to_secret(&ShownSecret::CalendarFeed {
        key: key.id.to_string(),
        token: token.expose().to_owned(),
    })
}

/// The page that shows the addresses of a new feed once.
pub(crate) async fn shown(request: &UserRequest<'_>, id: &str, token: &str) -> HandlerResult {
    let (server, text) = (request.server, request.texts());
    let key = request.management().changeable_api_key(id).await?;
    let calendars = calendars(server)?;
    let link = |name: &str, label: String| calendar_link(&calendars.address, token, name, label);
    let timetables = classes(server).into_iter().map(|(grade, class)| {
        let name = format!("timetable-{grade}-{class}");
        link(&name, text.calendars.class_timetable(grade, class))
    });
    let page = CalendarCreatedPage {
        text,
        // The page cannot be requested again in another language.
        layout: request
            .layout(section(request, &key))
            .without_language_switch(),
        calendars: vec![
            link("schedules", text.calendars.schedules.to_owned()),
            link("meals", text.calendars.meals.to_owned()),
        ],
        timetables: timetables.collect(),
        continue_href: format!("/keys/{}", key.id),
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /keys/{id}/calendars/{feed}/revoke`.
pub(crate) async fn submit_revoke(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id, feed] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    let calendars = calendars(request.server)?;
    management
        .revoke_calendar_feed(&*calendars.store, &key, feed)
        .await?;
    let path = format!("/keys/{}", key.id);
    request.redirect_with_flash(&path, Flash::CalendarFeedRevoked)
}

fn calendars(server: &Server) -> Result<&CalendarFeeds, Rejection> {
    let calendars = server.shared.calendars.as_ref();
    calendars.ok_or_else(Rejection::not_found)
}

/// The address of a calendar, also as one that opens the calendar program.
fn calendar_link(address: &Issuer, token: &str, name: &str, label: String) -> CalendarLink {
    let address = format!("{}/v1/calendars/{}/{name}.ics", address.as_str(), token);
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    CalendarLink {
        id: name.to_owned(),
        label,
        webcal: format!("webcal://{rest}"),
        address,
    }
}

/// The grades and classes of the school, by the bounds of the timetables' parameters.
fn classes(server: &Server) -> Vec<(i64, i64)> {
    let lists = server.lists();
    let Some(timetables) = lists.iter().find(|list| list.name == "timetables") else {
        return Vec::new();
    };
    let bounds = |field| timetables.number_bounds(field);
    let (Some(grades), Some(classes)) = (bounds("grade"), bounds("classNum")) else {
        return Vec::new();
    };
    grades
        .flat_map(|grade| classes.clone().map(move |class| (grade, class)))
        .take(MAX_CLASSES)
        .collect()
}
