//! Requests of a client or an API key for its owner: daily counts, refusals, and the look-up of a
//! request by its id.

use http::StatusCode;
use jiff::tz::TimeZone;

use super::audit::{event_page, explanation, request_lookup};
use super::error::Error;
use super::keys::usage::{DAYS, last_days, of_keys, plot};
use super::route_matching::HandlerResult;
use super::server::Server;
use super::user_request::UserRequest;
use super::views::{ActivityPage, EventFact, FormErrors, OwnRequestPage, Plot, RefusalRow};
use crate::domain::{
    AuditCount, AuditEntry, AuditFilter, DailyCalls, Date, DateRange, ShortText, Timestamp,
};
use crate::http::audit::{EventName, StoredEvent};
use crate::http::console::query::Query;
use crate::http::console::views::PageLinks;
use crate::http::pages::DisplayTime;

/// Events by which a client gets tokens.
const SUCCESSES: [EventName; 3] = [
    EventName::TokensIssued,
    EventName::Refreshed,
    EventName::ClientTokenIssued,
];

/// `GET /clients/{id}/activity`.
pub(crate) async fn show_client(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let client = request.management().client(id).await?;
    let of_client = AuditFilter {
        client: Some(client.id),
        ..AuditFilter::default()
    };
    let page = Page {
        section: "clients",
        back: format!("/clients/{}", client.id),
        name: client.name.to_string(),
        counted: request.texts().activity.counted_of_client,
    };
    let counts = counts(request, &of_client).await?;
    let is_success = |count: &&AuditCount| {
        SUCCESSES
            .iter()
            .any(|name| name.as_str() == count.kind.as_str())
    };
    let is_refusal = |count: &&AuditCount| count.kind.as_str() == EventName::Refused.as_str();
    let days = last_days(request.server, DAYS)?;
    let calls = dates(days).map(|day| {
        let of_day = |count: &&AuditCount| count.day == number(day);
        let sum = |is: &dyn Fn(&&AuditCount) -> bool| -> u64 {
            let matching = counts.iter().filter(of_day).filter(is);
            matching.map(|count| count.count).sum()
        };
        let errors = sum(&is_refusal);
        DailyCalls {
            day,
            calls: sum(&is_success) + errors,
            errors,
        }
    });
    let calls: Vec<DailyCalls> = calls.collect();
    // Counts of stored events: those of all nodes.
    let usage = Plot::new(&calls, days, request.texts());
    show(request, page, &of_client, usage).await
}

/// `GET /keys/{id}/activity`.
pub(crate) async fn show_key(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    request.server.write_key_usage().await;
    let key = request.management().changeable_api_key(id).await?;
    let of_key = AuditFilter {
        api_key: Some(key.id),
        ..AuditFilter::default()
    };
    let page = Page {
        section: "keys",
        back: format!("/keys/{}", key.id),
        name: key.description.to_string(),
        counted: request.texts().activity.counted_of_key,
    };
    let days = last_days(request.server, DAYS)?;
    let calls = of_keys(request, &[key.id], days).await?;
    show(request, page, &of_key, plot(request, &calls, days)).await
}

/// What differs between the pages of clients and keys.
struct Page {
    section: &'static str,
    back: String,
    name: String,
    /// Which requests the chart counts, and which of them are listed.
    counted: &'static str,
}

async fn show(
    request: &UserRequest<'_>,
    page: Page,
    filter: &AuditFilter,
    usage: Plot,
) -> HandlerResult {
    let (server, text, query) = (request.server, request.texts(), request.query()?);
    let (refusals, page_links) = refusals(request, filter, &query).await?;
    let view = ActivityPage {
        text,
        layout: request.layout(page.section),
        has_audit_store: server.audit_store().is_some(),
        back: page.back,
        name: page.name,
        counted: page.counted,
        usage,
        refusals,
        page_links,
    };
    request.render(StatusCode::OK, &view)
}

fn dates(days: DateRange) -> impl Iterator<Item = Date> {
    let numbers = 0..=days.from().days_until(days.to());
    numbers.filter_map(move |number| days.from().plus_days(number))
}

/// Counts of events of the last days; none without an audit store.
async fn counts(request: &UserRequest<'_>, filter: &AuditFilter) -> Result<Vec<AuditCount>, Error> {
    let Some(trail) = request.server.audit_store() else {
        return Ok(Vec::new());
    };
    let zone = request.server.zone();
    let filter = AuditFilter {
        from: DisplayTime::start_of_day(last_days(request.server, DAYS)?.from(), zone),
        ..filter.clone()
    };
    Ok(trail
        .audit_counts(&filter, offset(request.server.now(), zone))
        .await?)
}

/// Seconds by which the clocks of the zone are ahead of UTC now.
fn offset(now: Timestamp, zone: &TimeZone) -> i32 {
    zone.to_offset(now.to_jiff()).seconds()
}

/// The number of a day since 1970-01-01.
fn number(day: Date) -> i64 {
    match Date::new(1970, 1, 1) {
        Ok(first) => first.days_until(day).into(),
        Err(_) => 0,
    }
}

/// A page of the refusals, newest first.
async fn refusals(
    request: &UserRequest<'_>,
    filter: &AuditFilter,
    query: &Query<'_>,
) -> Result<(Vec<RefusalRow>, PageLinks), Error> {
    let Some(trail) = request.server.audit_store() else {
        return Ok((Vec::new(), PageLinks::default()));
    };
    let filter = AuditFilter {
        kind: EventName::Refused.as_str().parse().ok(),
        ..filter.clone()
    };
    let (entries, links) = event_page::load(trail, &[filter], query, request.texts()).await?;
    let rows = entries.iter().map(|entry| row(request, entry)).collect();
    Ok((rows, links))
}

/// What the owner of a client or a key sees of an event: neither people nor network addresses.
fn row(request: &UserRequest<'_>, entry: &AuditEntry) -> RefusalRow {
    let (server, text) = (request.server, request.texts());
    let event = StoredEvent::parse(entry.record.json.as_str());
    let kind = entry.record.kind.as_str().parse::<EventName>().ok();
    RefusalRow {
        // Programs are refused many times a minute.
        at: DisplayTime::with_seconds(entry.record.at, server.zone()),
        title: kind.map_or_else(
            || entry.record.kind.to_string(),
            |kind| text.domain.event(kind).to_owned(),
        ),
        explanation: explanation(kind, &event, text).into_owned(),
        rule: event.rule.clone().unwrap_or_default(),
        status: event
            .status
            .map(|status| status.to_string())
            .unwrap_or_default(),
        endpoint: path(server, event.endpoint.as_deref().unwrap_or_default()),
        request_id: entry.record.request_id.to_string(),
        about: Vec::new(),
    }
}

/// The path of an endpoint that programs call, as its documentation has it; of others the name.
fn path(server: &Server, endpoint: &str) -> String {
    let lists = server.lists();
    let list = lists.iter().find(|list| list.name == endpoint);
    match (list, endpoint) {
        (Some(list), _) => list.path.to_owned(),
        (None, "authorize" | "token" | "revoke" | "introspect") => format!("/v1/oauth/{endpoint}"),
        (None, "userinfo") => "/userinfo".to_owned(),
        (None, name) => name.to_owned(),
    }
}

/// `GET /requests?id=…`: the events of a request, as far as they are of the user or of the user's
/// clients and keys.
pub(crate) async fn look_up(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    // Users copy ids by hand, so case and surrounding blanks are ignored.
    let query = request.query()?;
    let typed = query.value("id").unwrap_or_default();
    let id = typed.trim().to_ascii_lowercase();
    let trail = server.audit_store();
    let errors = match trail {
        Some(_) if !id.is_empty() => request_lookup::check(&id, request.texts()),
        _ => FormErrors::default(),
    };
    let mut events = Vec::new();
    if let (Some(trail), Ok(id), true) = (trail, id.parse::<ShortText>(), errors.is_empty()) {
        for entry in trail.audit_records_of(&id).await? {
            let about = own_records(request, &entry).await?;
            if !about.is_empty() {
                events.push(RefusalRow {
                    about,
                    ..row(request, &entry)
                });
            }
        }
    }
    let page = OwnRequestPage {
        text: request.texts(),
        layout: request.layout("requests"),
        has_audit_store: trail.is_some(),
        id,
        errors,
        events,
    };
    request_lookup::render(request, &page, &page.errors)
}

/// The user, and the client and the key of the user, of which the event is; none if it is an event of
/// others.
async fn own_records(
    request: &UserRequest<'_>,
    entry: &AuditEntry,
) -> Result<Vec<EventFact>, Error> {
    let (server, text, user) = (request.server, request.texts(), &request.user.subject.id);
    let (record, mut own) = (&entry.record, Vec::new());
    if record.subject.as_ref() == Some(user) {
        own.push(EventFact {
            label: text.fact_person,
            value: text.you.to_owned(),
            href: None,
        });
    }
    let of_event = StoredEvent::parse(record.json.as_str()).client;
    let of_event = of_event.and_then(|id| id.parse().ok());
    if let Some(id) = record.client.or(of_event)
        && let Some(client) = server.storage().client(id).await?
        && client.owner == *user
    {
        own.push(EventFact {
            label: text.client,
            value: client.name.to_string(),
            href: Some(server.href(&format!("/clients/{id}"))),
        });
    }
    if let (Some(store), Some(id)) = (server.api_keys(), record.api_key)
        && let Some(key) = store.api_key_by_id(id).await?
        && key.owner.as_ref() == Some(user)
    {
        // A revoked key has no page.
        let has_page = key.revoked_at.is_none();
        own.push(EventFact {
            label: text.key,
            value: key.description.to_string(),
            href: has_page.then(|| server.href(&format!("/keys/{id}"))),
        });
    }
    Ok(own)
}
