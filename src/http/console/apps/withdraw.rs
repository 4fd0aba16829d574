use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::http::Body;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::ConfirmPage;

/// `GET /apps/{client}/withdraw`: what would end.
pub(super) async fn show(server: &Server, who: &SignedIn, client: &str) -> Result<Response<Body>, Refusal> {
    let (connection, text) = (who.desk(server).connection(client).await?, server.texts());
    let page = ConfirmPage {
        title: text.withdraw_app_title.with(&connection.client.name),
        effects: vec![text.withdraw_app_effect.to_owned(), text.withdraw_app_tokens.to_owned()],
        back: "/apps".to_owned(),
        back_label: text.nav_apps.to_owned(),
        action: format!("/apps/{}/withdraw", connection.client.id),
        button: text.withdraw,
        ..ConfirmPage::new(text, server.frame(who, "apps"))
    };
    server.page(StatusCode::OK, &page)
}

/// `POST /apps/{client}/withdraw`: ends it.
pub(super) async fn submit(server: &Server, who: &SignedIn, client: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    Form::of_session(server, &who.token, request, Fields::default())?;
    who.desk(server).withdraw_connection(client).await?;
    server.led_to("/apps", Done::Withdrawn)
}
