use bytes::Bytes;
use http::header::SET_COOKIE;
use http::{Request, Response, StatusCode};

use crate::http::console::api_keys;
use crate::http::console::cookie::{self, Kind};
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::sign_in;
use crate::http::console::views::ConfirmPage;
use crate::http::{Body, answer};

/// `GET /account/sign-out-everywhere`: what would end.
pub(super) fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    let text = server.texts();
    let page = ConfirmPage {
        title: text.sign_out_everywhere_title.to_owned(),
        effects: vec![text.sign_out_everywhere_effect.to_owned()],
        back: "/account".to_owned(),
        back_label: text.nav_account.to_owned(),
        action: "/account/sign-out-everywhere".to_owned(),
        button: text.sign_out_everywhere,
        switch: api_keys::switch(server),
        ..ConfirmPage::new(text, server.frame(who, "account"))
    };
    server.page(StatusCode::OK, &page)
}

/// `POST /account/sign-out-everywhere`: ends it, this session too.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let form = Form::of_session(server, &who.token, request, Fields { once: &[api_keys::FIELD], lists: &[] })?;
    who.desk(server).sign_out_everywhere(api_keys::choice(server, &form)).await?;
    let answer = answer::redirect(StatusCode::SEE_OTHER, &sign_in::address(server, None, Done::SignedOut))?;
    Ok(answer::with_header(answer, SET_COOKIE, &cookie::take_away(Kind::Session, server))?)
}
