use http::StatusCode;
use http::header::SET_COOKIE;

use super::form::Form;
use super::form::flash::Flash;
use super::form::former_session;
use super::route_matching::HandlerResult;
use super::sign_in;
use super::user_request::UserRequest;
use crate::http::audit::EventKind;
use crate::http::response;

/// `POST /sign-out`: ends this session.
pub(crate) async fn submit(request: &UserRequest<'_>, _: Form<'_>) -> HandlerResult {
    let server = request.server;
    if server
        .user_sessions()
        .end_user_session(&request.user.subject.id, request.user.session.id)
        .await?
    {
        server.context.record(EventKind::SignedOut {
            subject: Some(request.user.subject.id.clone()),
            client: None,
        });
    }
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &sign_in::address(server, None, Flash::SignedOut),
    )?;
    let answer = response::with_header(
        answer,
        SET_COOKIE,
        &server.shared.user_sessions.clear_cookie(),
    )?;
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &former_session::forget(server),
    )?)
}
