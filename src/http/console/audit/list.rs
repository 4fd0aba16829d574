use http::StatusCode;

use super::filter::{EventFilter, InvalidDateRange};
use super::rows::rows;
use crate::domain::{AuditEntry, AuditId};
use crate::http::audit::{EventName, RefusalRule};
use crate::http::console::people;
use crate::http::console::query::Query;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AuditPage, PageLinks, SelectOption};
use crate::http::pages::texts::Texts;

/// Number of events on a page.
const SIZE: usize = 20;

/// `GET /admin/audit`: newest events first.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    let (query, text) = (request.query()?, request.texts());
    let Some(trail) = server.audit_store() else {
        return request.render(
            StatusCode::OK,
            &AuditPage {
                has_audit_store: false,
                ..page(request, &query, None)
            },
        );
    };
    let filter = match EventFilter::from_query(server, &query).await? {
        Ok(filter) => filter,
        Err(InvalidDateRange) => {
            let view = AuditPage {
                problem: Some(text.errors.days),
                ..page(request, &query, None)
            };
            return request.render_refused(
                StatusCode::BAD_REQUEST,
                RefusalRule::ParameterInvalid,
                &view,
            );
        }
    };
    let id = |name| {
        let id = query.value(name)?.parse().ok()?;
        AuditId::new(id).ok()
    };
    // One more entry than fits shows whether there is a further page.
    let most = u32::try_from(SIZE + 1).unwrap_or(u32::MAX);
    let (entries, has_newer, has_older) = match (id("after"), id("before")) {
        (Some(after), _) => {
            let mut entries = filter.find_newer(trail, after, most).await?;
            let has_newer = entries.len() > SIZE;
            entries.truncate(SIZE);
            entries.reverse();
            (entries, has_newer, true)
        }
        (None, before) => {
            let mut entries = filter.find(trail, before, most).await?;
            let has_older = entries.len() > SIZE;
            entries.truncate(SIZE);
            (entries, before.is_some(), has_older)
        }
    };
    let link = |entry: Option<&AuditEntry>, removed: &str, name: &str| {
        entry.map(|entry| query.href_in_place_of(&[removed], name, &entry.id.to_string()))
    };
    let page_links = PageLinks {
        summary: text.entries(entries.len()),
        previous: link(entries.first().filter(|_| has_newer), "before", "after"),
        next: link(entries.last().filter(|_| has_older), "after", "before"),
    };
    let events = rows(server, &entries).await?;
    request.render(
        StatusCode::OK,
        &AuditPage {
            events,
            page_links,
            who: filter.who,
            people: people::suggestions(server).await?,
            csv: query.href_in_place_of(&["before"], "after", "").replacen(
                '?',
                "/admin/audit.csv?",
                1,
            ),
            ..page(request, &query, filter.kind)
        },
    )
}

/// The page without events, with the submitted filter.
fn page(request: &UserRequest<'_>, query: &Query<'_>, kind: Option<EventName>) -> AuditPage {
    let (text, value) = (request.texts(), |name| {
        query.value(name).unwrap_or_default().to_owned()
    });
    AuditPage {
        text,
        layout: request.layout("audit"),
        has_audit_store: true,
        kinds: kinds(kind, text),
        who: value("who"),
        by: value("by"),
        about: value("about"),
        people: Vec::new(),
        csv: String::new(),
        problem: None,
        events: Vec::new(),
        page_links: PageLinks {
            summary: String::new(),
            previous: None,
            next: None,
        },
        from: value("from"),
        to: value("to"),
    }
}

fn kinds(chosen: Option<EventName>, text: &'static Texts) -> Vec<SelectOption> {
    let any = SelectOption {
        value: String::new(),
        label: text.any.into(),
        is_on: chosen.is_none(),
    };
    let choice = |word: &EventName| SelectOption {
        value: word.as_str().to_owned(),
        label: text.domain.event(*word).into(),
        is_on: Some(*word) == chosen,
    };
    [any]
        .into_iter()
        .chain(EventName::ALL.iter().map(choice))
        .collect()
}
