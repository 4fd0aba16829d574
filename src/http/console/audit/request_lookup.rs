use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::rows::rows;
use crate::domain::ShortText;
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::RequestLookupPage;

/// `GET /admin/audit/explain?id=…`: the events of one request.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    // Users copy ids by hand, so case and surrounding blanks are ignored.
    let id = Query::from_request(request)?
        .value("id")
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let entries = match (server.audit.store(), id.parse::<ShortText>()) {
        (Some(trail), Ok(id)) => trail.audit_records_of(&id).await?,
        _ => Vec::new(),
    };
    let view = RequestLookupPage {
        text: server.texts(),
        layout: server.layout(user, "admin"),
        has_audit_store: server.audit.store().is_some(),
        events: rows(server, &entries).await?,
        id,
    };
    server.render(StatusCode::OK, &view)
}
