//! Ending of somebody's sessions.

use crate::http::console::form::Form;
use crate::http::console::form::flash::Flash;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;

/// `POST /admin/people/{id}/sessions/{session}/end`.
pub(crate) async fn end(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id, session] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    management.end_session_of(&account, session).await?;
    request.redirect_with_flash(
        &format!("/admin/people/{}", account.id),
        Flash::TheirSessionsEnded,
    )
}

/// `POST /admin/people/{id}/sessions/end`: ends all sessions and grants.
pub(crate) async fn end_all(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = request.management();
    let account = management.account(id).await?;
    management.sign_out_of_everything(&account).await?;
    request.redirect_with_flash(
        &format!("/admin/people/{}", account.id),
        Flash::TheirSessionsEnded,
    )
}
