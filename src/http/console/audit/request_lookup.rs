use http::StatusCode;

use super::rows::rows;
use crate::domain::ShortText;
use crate::http::audit::{RefusalRule, RequestId};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{FormErrors, RequestLookupPage};
use crate::http::pages::View;
use crate::http::pages::texts::Texts;

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
    let trail = server.audit_store();
    let errors = match trail {
        Some(_) => check(&id, request.texts()),
        None => FormErrors::default(),
    };
    let entries = match (trail, id.parse::<ShortText>()) {
        (Some(trail), Ok(id)) if errors.is_empty() => trail.audit_records_of(&id).await?,
        _ => Vec::new(),
    };
    let view = RequestLookupPage {
        text: request.texts(),
        layout: request.layout("audit"),
        has_audit_store: trail.is_some(),
        events: rows(server, &entries).await?,
        id,
        errors,
    };
    render(request, &view, &view.errors)
}

/// What is wrong with an id that no request can have.
pub(in crate::http::console) fn check(id: &str, text: &'static Texts) -> FormErrors {
    let mut errors = FormErrors::default();
    if !RequestId::is_well_formed(id) {
        errors.add("id", text.id_malformed);
    }
    errors
}

/// The page of a look-up, which is refused if there is an error.
pub(in crate::http::console) fn render(
    request: &UserRequest<'_>,
    view: &impl View,
    errors: &FormErrors,
) -> HandlerResult {
    if errors.is_empty() {
        return request.render(StatusCode::OK, view);
    }
    request.render_refused(StatusCode::BAD_REQUEST, RefusalRule::ParameterInvalid, view)
}
