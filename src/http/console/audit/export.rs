//! The filtered events as CSV.

use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Response};

use super::event_page;
use super::filter::{EventFilter, InvalidDateRange};
use super::rows::rows;
use crate::http::Body;
use crate::http::audit::RefusalRule;
use crate::http::console::error::Error;
use crate::http::console::invitations::csv_cell;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::EventRow;
use crate::store::MAX_LISTED_AUDIT_RECORDS;

/// Number of events in a file, of which the newest are taken.
const MAX_EVENTS: usize = 10_000;

/// The parameters of the filter.
const FILTERS: [&str; 6] = ["what", "who", "by", "about", "from", "to"];

/// `GET /admin/audit.csv`: the newest events that match the filter of the page. The file's name says
/// so if there are older ones, and the download is an event itself.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let (server, text) = (request.server, request.texts());
    let trail = server.audit_store().ok_or_else(Error::not_found)?;
    let query = request.query()?;
    let filter = match EventFilter::from_query(server, &query).await? {
        Ok(filter) => filter,
        Err(InvalidDateRange) => return Err(Error::bad_request(RefusalRule::ParameterInvalid)),
    };
    let headings = [
        text.when,
        text.what_happened,
        text.audit.kind,
        text.details,
        text.network_address,
        text.request_id,
    ];
    // Spreadsheet programs of a Korean Windows read UTF-8 only after the byte-order mark.
    let mut table = format!("\u{feff}{}\r\n", line(&headings));
    let (mut before, mut count) = (None, 0);
    while count < MAX_EVENTS {
        let entries =
            event_page::find(trail, &filter.any, before, MAX_LISTED_AUDIT_RECORDS).await?;
        let Some(last) = entries.last() else { break };
        before = Some(last.id);
        count += entries.len();
        for row in rows(server, &entries).await? {
            table += &event(&row);
        }
        if entries.len() < MAX_LISTED_AUDIT_RECORDS as usize {
            break;
        }
    }
    let is_cut = count >= MAX_EVENTS
        && !event_page::find(trail, &filter.any, before, 1)
            .await?
            .is_empty();
    let is_sent = |name: &&str| query.value(name).is_some_and(|value| !value.is_empty());
    let filters = FILTERS.into_iter().filter(is_sent).collect();
    request.record_data_viewed("audit_events", filters, count);
    let disposition = if is_cut {
        "attachment; filename=\"events-newest-10000.csv\""
    } else {
        "attachment; filename=\"events.csv\""
    };
    let mut response = Response::new(Body::from(table));
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// The line of an event.
fn event(row: &EventRow) -> String {
    let facts: Vec<String> = row
        .facts
        .iter()
        .map(|fact| format!("{}: {}", fact.label, fact.value))
        .collect();
    let cells = [
        row.at.iso.as_str(),
        &row.sentence,
        &row.title,
        &facts.join("; "),
        &row.address,
        &row.request_id,
    ];
    format!("{}\r\n", line(&cells))
}

/// Cells of which none is a formula.
fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
    cells.join(",")
}
