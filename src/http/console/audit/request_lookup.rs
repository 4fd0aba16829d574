use http::StatusCode;

use super::rows::rows;
use crate::domain::ShortText;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::RequestLookupPage;

/// `GET /admin/audit/explain?id=…`: the events of one request.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let server = request.server;
    // Users copy ids by hand, so case and surrounding blanks are ignored.
    let id = request
        .query()?
        .value("id")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let entries = match (server.audit_store(), id.parse::<ShortText>()) {
        (Some(trail), Ok(id)) => trail.audit_records_of(&id).await?,
        _ => Vec::new(),
    };
    let view = RequestLookupPage {
        text: request.texts(),
        layout: request.layout("audit"),
        has_audit_store: server.audit_store().is_some(),
        events: rows(server, &entries).await?,
        id,
    };
    request.render(StatusCode::OK, &view)
}
