use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::rows::rows;
use crate::domain::Line;
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::AuditExplainPage;

/// `GET /admin/audit/explain?id=…`: what happened in one request.
pub(super) async fn show(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    // Ids are read out and copied by people.
    let id = Query::of(request)?.value("id").unwrap_or_default().trim().to_ascii_lowercase();
    let entries = match (server.audit.trail(), id.parse::<Line>()) {
        (Some(trail), Ok(id)) => trail.audit_records_of(&id).await?,
        _ => Vec::new(),
    };
    let view = AuditExplainPage {
        text: server.texts(),
        frame: server.frame(who, "admin"),
        are_kept_here: server.audit.trail().is_some(),
        events: rows(server, &entries).await?,
        id,
    };
    server.page(StatusCode::OK, &view)
}
