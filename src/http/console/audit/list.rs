use http::StatusCode;

use super::event_page;
use super::filter::{EventFilter, InvalidDateRange};
use super::rows::rows;
use crate::http::audit::{EventName, RefusalRule};
use crate::http::console::people;
use crate::http::console::query::Query;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AuditPage, PageLinks, SelectOption};
use crate::http::pages::texts::Texts;

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
    let (entries, page_links) = event_page::load(trail, &filter.any, &query, text).await?;
    let events = rows(server, &entries).await?;
    request.render(
        StatusCode::OK,
        &AuditPage {
            events,
            page_links,
            who: filter.who,
            people: people::suggestions(server).await?,
            csv: match filter.unmatched {
                Some(_) => String::new(),
                None => query.href_in_place_of(&["before"], "after", "").replacen(
                    '?',
                    "/admin/audit.csv?",
                    1,
                ),
            },
            unmatched: filter.unmatched,
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
        unmatched: None,
        events: Vec::new(),
        page_links: PageLinks::default(),
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
