use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{show, usage};
use crate::http::Body;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::ConfirmPage;

/// How many days tell whether a key is in use.
const DAYS: i32 = 7;

/// `GET /keys/{id}/revoke`: what would end.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let (desk, text) = (who.desk(server), server.texts());
    let key = desk.changeable_api_key(id).await?;
    let calls = usage::total(&desk.calls_of(&key, usage::last_days(server, DAYS)?).await?);
    let touched = if calls == 0 { text.revoke_key_unused.to_owned() } else { text.revoke_key_used.of(calls) };
    let page = ConfirmPage {
        touched: Some(touched),
        touched_kind: if calls == 0 { "" } else { "warning" },
        title: text.revoke_key_title.with(&key.description),
        effects: vec![text.revoke_key_effect.to_owned()],
        back: format!("/keys/{}", key.id),
        back_label: key.description.to_string(),
        action: format!("/keys/{}/revoke", key.id),
        button: text.revoke,
        ..ConfirmPage::new(text, server.frame(who, show::here(who, &key)))
    };
    server.page(StatusCode::OK, &page)
}

/// `POST /keys/{id}/revoke`: ends it.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Form::of_session(server, &who.token, request, Fields::default())?;
    let desk = who.desk(server);
    let key = desk.changeable_api_key(id).await?;
    desk.revoke_api_key(&key).await?;
    server.led_to(show::list(who, &key), Done::KeyRevoked)
}
