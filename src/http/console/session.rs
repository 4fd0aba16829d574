use std::borrow::Cow;

use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{HeaderMap, Method, Request, Response, StatusCode};

use super::error::Error;
use super::form::flash::Flash;
use super::form::typed::LateForm;
use super::server::Server;
use super::{return_to, sign_in};
use crate::http::login::SignedInUser;
use crate::http::{Body, response};

/// The signed-in user, whose session is used now. `None` without a live session.
pub(super) async fn require_user(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Option<SignedInUser>, Error> {
    let user = current_user(server, headers).await?;
    if let Some(user) = &user {
        let sessions = &server.shared.user_sessions;
        sessions.touch(&user.session, server.now()).await?;
    }
    Ok(user)
}

/// The user of the session that the browser presents, if the session is live and the user still
/// exists.
pub(super) async fn current_user(
    server: &Server,
    headers: &HeaderMap,
) -> Result<Option<SignedInUser>, Error> {
    let login = &server.shared.management.login_service;
    let sessions = &server.shared.user_sessions;
    Ok(sessions
        .user(&*login.authenticator, headers, server.now())
        .await?)
}

/// Redirects to the sign-in page, and from there to the page of the request or its form. What was
/// typed in the form of an ended session is kept, or the notice says that it is not.
///
/// The cookie of the ended session stays until the next sign-in, so that forms in other tabs are
/// kept too.
pub(super) fn redirect_to_sign_in(
    server: &Server,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let had_session = server
        .shared
        .user_sessions
        .token(request.headers())
        .is_some();
    let form = LateForm::of(server, request);
    let flash = match form {
        _ if !had_session => Flash::SignInRequired,
        LateForm::Lost(_) => Flash::SessionExpiredFormLost,
        LateForm::Kept(_) | LateForm::None => Flash::SessionExpired,
    };
    redirect_with_form(server, form, flash, page_of(server), None)
}

/// Redirects a user who signed in long ago to the sign-in page, and from there as
/// [`redirect_to_sign_in`] does, or to the `list` that has the form. The page of a form that is not
/// kept says that nothing is done yet.
pub(super) fn redirect_to_confirmation(
    server: &Server,
    request: &Request<Bytes>,
    list: Option<&str>,
) -> Result<Response<Body>, Error> {
    let form = LateForm::of(server, request);
    let flash = match form {
        LateForm::Lost(_) => Flash::PasswordRequiredFormLost,
        LateForm::Kept(_) | LateForm::None => Flash::PasswordRequired,
    };
    let is_form = request.method() == Method::POST;
    let back = (is_form && !matches!(form, LateForm::Kept(_))).then_some(Flash::Confirmed);
    let page = list.or(page_of(server));
    redirect_with_form(server, form, flash, page, back)
}

/// The page of the request or its form.
fn page_of(server: &Server) -> Option<&str> {
    server.page_uri.as_deref().or(server.form_page.as_deref())
}

/// Redirects to the sign-in page, which returns to `page`. That page shows `back`.
fn redirect_with_form(
    server: &Server,
    form: LateForm,
    flash: Flash,
    page: Option<&str>,
    back: Option<Flash>,
) -> Result<Response<Body>, Error> {
    let page = page.filter(|page| *page != "/" && return_to::is_plain(page));
    let return_to = match (page, back) {
        (Some(page), Some(back)) => Some(Cow::from(format!("{page}?done={}", back.code()))),
        (page, _) => page.map(Cow::from),
    };
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &sign_in::address(server, return_to.as_deref(), flash),
    )?;
    match form {
        LateForm::Kept(cookie) | LateForm::Lost(Some(cookie)) => {
            Ok(response::with_header(answer, SET_COOKIE, &cookie)?)
        }
        LateForm::Lost(None) | LateForm::None => Ok(answer),
    }
}
