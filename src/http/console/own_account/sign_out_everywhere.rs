use http::StatusCode;
use http::header::SET_COOKIE;

use crate::http::console::form::flash::Flash;
use crate::http::console::form::former_session;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::sign_in;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::ConfirmPage;
use crate::http::response;

pub(crate) const FIELDS: FormFields = FormFields::new(&[revoke_keys::FIELD]);

/// `GET /account/sign-out-everywhere`: asks for confirmation.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let text = request.texts();
    let page = ConfirmPage {
        title: text.sign_out_everywhere_title.to_owned(),
        effects: vec![text.sign_out_everywhere_effect.to_owned()],
        back: "/account".to_owned(),
        back_label: text.nav_account.to_owned(),
        action: "/account/sign-out-everywhere".to_owned(),
        button: text.sign_out_everywhere,
        switch: revoke_keys::switch(request.server),
        ..ConfirmPage::new(text, request.layout("account"))
    };
    request.render(StatusCode::OK, &page)
}

/// `POST /account/sign-out-everywhere`: ends all sessions and grants, including this session.
pub(crate) async fn submit(request: &UserRequest<'_>, form: Form<'_>) -> HandlerResult {
    let server = request.server;
    request
        .management()
        .sign_out_everywhere(revoke_keys::from_form(server, &form))
        .await?;
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
