use http::StatusCode;

use super::{show, usage};
use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::ConfirmPage;

/// Number of days whose calls show whether a key is in use.
const DAYS: i32 = 7;

/// `GET /keys/{id}/revoke`: shows recent use and asks for confirmation.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let (management, text) = (request.management(), request.texts());
    request.server.write_key_usage().await;
    let key = management.changeable_api_key(id).await?;
    let days = usage::last_days(request.server, DAYS)?;
    let calls = usage::total(&usage::of_keys(request, &[key.id], days).await?);
    let affected = if calls == 0 {
        text.revoke_key_unused.to_owned()
    } else {
        text.revoke_key_used(calls)
    };
    let page = ConfirmPage {
        affected: Some(affected),
        affected_kind: if calls == 0 { "" } else { "warning" },
        title: text.revoke_key_title(&key.description),
        effects: vec![text.revoke_key_effect.to_owned()],
        back: format!("/keys/{}", key.id),
        back_label: key.description.to_string(),
        action: format!("/keys/{}/revoke", key.id),
        button: text.revoke,
        ..ConfirmPage::new(text, request.layout(show::section(request, &key)))
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /keys/{id}/revoke`: revokes the key.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let key = management.changeable_api_key(id).await?;
    management.revoke_api_key(&key).await?;
    request.redirect_with_flash(show::list_path(request, &key), Flash::KeyRevoked)
}
