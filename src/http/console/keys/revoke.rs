use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{show, usage};
use crate::http::Body;
use crate::http::console::error::Error;
use crate::http::console::flash::Flash;
use crate::http::console::form::{Form, FormFields};
use crate::http::console::server::Server;
use crate::http::console::session::SignedInUser;
use crate::http::console::views::ConfirmPage;

/// Number of days whose calls show whether a key is in use.
const DAYS: i32 = 7;

/// `GET /keys/{id}/revoke`: shows recent use and asks for confirmation.
pub(super) async fn show(
    server: &Server,
    user: &SignedInUser,
    id: &str,
) -> Result<Response<Body>, Error> {
    let (management, text) = (user.management(server), server.texts());
    let key = management.changeable_api_key(id).await?;
    let calls = usage::total(
        &management
            .daily_api_key_usage(&key, usage::last_days(server, DAYS)?)
            .await?,
    );
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
        ..ConfirmPage::new(text, server.layout(user, show::section(user, &key)))
    };
    server.render(StatusCode::OK, &page)
}

/// `POST /keys/{id}/revoke`: revokes the key.
pub(super) async fn submit(
    server: &Server,
    user: &SignedInUser,
    id: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    Form::parse(server, &user.token, request, FormFields::default())?;
    let management = user.management(server);
    let key = management.changeable_api_key(id).await?;
    management.revoke_api_key(&key).await?;
    server.redirect_with_flash(show::list_path(user, &key), Flash::KeyRevoked)
}
