use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use crate::http::console::cookie::{self, CookieKind};
use crate::http::console::error::Error;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::revoke_keys;
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::sign_in;
use crate::http::console::views::ConfirmPage;
use crate::http::{Body, response};

/// `GET /account/sign-out-everywhere`: asks for confirmation.
pub(super) fn show(server: &Server, user: &SignedInUser) -> Result<Response<Body>, Error> {
    let text = server.texts();
    let page = ConfirmPage {
        title: text.sign_out_everywhere_title.to_owned(),
        effects: vec![text.sign_out_everywhere_effect.to_owned()],
        back: "/account".to_owned(),
        back_label: text.nav_account.to_owned(),
        action: "/account/sign-out-everywhere".to_owned(),
        button: text.sign_out_everywhere,
        switch: revoke_keys::switch(server),
        ..ConfirmPage::new(text, server.layout(user, "account"))
    };
    server.render(StatusCode::OK, &page)
}

/// `POST /account/sign-out-everywhere`: ends all sessions and grants, including this session.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let form = Form::parse(
        server,
        &user.token,
        request,
        FormFields {
            single: &[revoke_keys::FIELD],
            repeated: &[],
        },
    )?;
    user.management(server)
        .sign_out_everywhere(revoke_keys::from_form(server, &form))
        .await?;
    let answer = response::redirect(
        StatusCode::SEE_OTHER,
        &sign_in::address(server, None, Flash::SignedOut),
    )?;
    Ok(response::with_header(
        answer,
        SET_COOKIE,
        &cookie::clear_token(CookieKind::Session, server),
    )?)
}
