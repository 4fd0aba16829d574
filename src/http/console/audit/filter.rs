use jiff::tz::TimeZone;

use crate::domain::{
    ApiKeyId, ApplicationId, AuditFilter, ClientId, Date, GrantId, SubjectId, Timestamp,
};
use crate::http::audit::EventName;
use crate::http::console::error::Error;
use crate::http::console::people;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::pages::DisplayTime;

/// Number of users that a text of the filter may name. Each is a query of its own.
const MAX_USERS: usize = 10;

/// Filter for audit events, as submitted by an administrator.
#[derive(Debug)]
pub(super) struct EventFilter {
    pub(super) kind: Option<EventName>,
    /// The submitted text for events by or about a user or a record: an e-mail address, a part of a
    /// name, or the id of a user, client, application, grant or API key.
    pub(super) who: String,
    /// Alternative store filters; empty if nothing can match.
    pub(super) any: Vec<AuditFilter>,
    /// The message if a submitted text matches no user, or too many.
    pub(super) unmatched: Option<String>,
}

/// A date is invalid, or the first day is after the last.
#[derive(Debug)]
pub(super) struct InvalidDateRange;

impl EventFilter {
    pub(super) async fn from_query(
        server: &Server,
        query: &Query<'_>,
    ) -> Result<Result<Self, InvalidDateRange>, Error> {
        let kind = query
            .value("what")
            .and_then(|word| word.parse::<EventName>().ok());
        let Ok((from, to)) = date_range(query, server.zone()) else {
            return Ok(Err(InvalidDateRange));
        };
        let mut any = vec![AuditFilter {
            kind: kind.and_then(|kind| kind.as_str().parse().ok()),
            from,
            to,
            ..AuditFilter::default()
        }];
        let typed = |name| query.value(name).unwrap_or_default().trim();
        let mut unmatched = None;
        for name in ["by", "about", "who"] {
            let text = typed(name);
            if text.is_empty() {
                continue;
            }
            let mut parts: Vec<Part> = Vec::new();
            let people = people::find_up_to(server, text, MAX_USERS).await?;
            let are_too_many = people.is_none();
            for id in people.unwrap_or_default() {
                if name != "about" {
                    parts.push(Part::Subject(id.clone()));
                }
                if name != "by" {
                    parts.push(Part::Target(id));
                }
            }
            if name != "by" {
                parts.extend(ids(text));
            }
            if parts.is_empty() {
                let texts = server.texts();
                unmatched = Some(if are_too_many {
                    texts.audit.many_users(MAX_USERS, text)
                } else {
                    texts.audit.no_user(text)
                });
            }
            any = narrowed(any, parts);
        }
        Ok(Ok(Self {
            kind,
            who: typed("who").to_owned(),
            any,
            unmatched,
        }))
    }
}

/// A condition that a submitted text may mean.
#[derive(Debug, Clone)]
enum Part {
    Subject(SubjectId),
    Target(SubjectId),
    Client(ClientId),
    Application(ApplicationId),
    Grant(GrantId),
    ApiKey(ApiKeyId),
}

/// The ids that a text may be, also of a removed record.
fn ids(text: &str) -> impl Iterator<Item = Part> {
    let parts = [
        text.parse().ok().map(Part::Client),
        text.parse().ok().map(Part::Application),
        text.parse().ok().map(Part::Grant),
        text.parse().ok().map(Part::ApiKey),
    ];
    parts.into_iter().flatten()
}

/// Each of the filters with each of the conditions.
fn narrowed(filters: Vec<AuditFilter>, parts: Vec<Part>) -> Vec<AuditFilter> {
    let with = |filter: &AuditFilter, part: &Part| {
        let mut filter = filter.clone();
        match part.clone() {
            Part::Subject(id) => filter.subject = Some(id),
            Part::Target(id) => filter.target = Some(id),
            Part::Client(id) => filter.client = Some(id),
            Part::Application(id) => filter.application = Some(id),
            Part::Grant(id) => filter.grant = Some(id),
            Part::ApiKey(id) => filter.api_key = Some(id),
        }
        filter
    };
    let combined = filters
        .iter()
        .flat_map(|filter| parts.iter().map(|part| with(filter, part)));
    combined.collect()
}

/// Start (inclusive) and end (exclusive) of the submitted days.
fn date_range(
    query: &Query<'_>,
    zone: &TimeZone,
) -> Result<(Option<Timestamp>, Option<Timestamp>), InvalidDateRange> {
    let day = |name| {
        query
            .value(name)
            .map(|text| text.parse::<Date>().map_err(|_| InvalidDateRange))
            .transpose()
    };
    let (from, to) = (day("from")?, day("to")?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(InvalidDateRange);
    }
    let after = to.and_then(|to| to.plus_days(1));
    Ok((
        from.and_then(|day| DisplayTime::start_of_day(day, zone)),
        after.and_then(|day| DisplayTime::start_of_day(day, zone)),
    ))
}
