use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::filter::{NoSuchDays, Wanted};
use super::rows::rows;
use crate::domain::AuditId;
use crate::http::Body;
use crate::http::audit::{EventWord, Rule};
use crate::http::console::gate::SignedIn;
use crate::http::console::query::Query;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{AuditPage, Choice, Pages};
use crate::http::pages::texts::Texts;

/// How many events a page has.
const SIZE: usize = 20;

/// `GET /admin/audit`: the latest first.
pub(super) async fn show(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (query, text) = (Query::of(request)?, server.texts());
    let Some(trail) = server.audit.trail() else {
        return server.page(StatusCode::OK, &AuditPage { are_kept_here: false, ..page(server, who, &query, None) });
    };
    let wanted = match Wanted::of(server, &query).await? {
        Ok(wanted) => wanted,
        Err(NoSuchDays) => {
            let view = AuditPage { problem: Some(text.faults.days), ..page(server, who, &query, None) };
            return Ok(faulty(server.page(StatusCode::BAD_REQUEST, &view)?, Rule::ParameterInvalid));
        }
    };
    let before = query.value("before").and_then(|id| id.parse().ok()).and_then(|id| AuditId::new(id).ok());
    // One more tells whether there is another page.
    let mut entries = wanted.find(trail, before, u32::try_from(SIZE + 1).unwrap_or(u32::MAX)).await?;
    let is_last = entries.len() <= SIZE;
    entries.truncate(SIZE);
    let next = entries.last().filter(|_| !is_last).map(|entry| query.with("before", &entry.id.to_string()));
    let pages = Pages { summary: text.entries.of(entries.len()), previous: None, next };
    let events = rows(server, &entries).await?;
    server.page(StatusCode::OK, &AuditPage { events, pages, who: wanted.who, ..page(server, who, &query, wanted.kind) })
}

/// The page without events, with what was asked for.
fn page(server: &Server, who: &SignedIn, query: &Query<'_>, kind: Option<EventWord>) -> AuditPage {
    let (text, value) = (server.texts(), |name| query.value(name).unwrap_or_default().to_owned());
    AuditPage {
        text,
        frame: server.frame(who, "admin"),
        are_kept_here: true,
        kinds: kinds(kind, text),
        who: value("who"),
        problem: None,
        events: Vec::new(),
        pages: Pages { summary: String::new(), previous: None, next: None },
        from: value("from"),
        to: value("to"),
    }
}

fn kinds(chosen: Option<EventWord>, text: &'static Texts) -> Vec<Choice> {
    let any = Choice { value: String::new(), label: text.any.into(), is_on: chosen.is_none() };
    let choice =
        |word: &EventWord| Choice { value: word.as_str().to_owned(), label: text.words.event(*word).into(), is_on: Some(*word) == chosen };
    [any].into_iter().chain(EventWord::ALL.iter().map(choice)).collect()
}
