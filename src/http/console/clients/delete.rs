use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::http::Body;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::ConfirmPage;

/// `GET /clients/{id}/delete`: what goes with it.
pub(super) async fn ask(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let text = server.texts();
    let client = who.desk(server).changeable_client(id).await?;
    let live = server.storage.client_usage(client.id, server.clock.now()).await?.unwrap_or_default().live;
    let page = ConfirmPage {
        title: text.delete_client_title.with(&client.name),
        effects: vec![text.delete_client_effect.to_owned()],
        touched: (live > 0).then(|| text.touches.with(text.count_connections.of(live))),
        action: format!("/clients/{}/delete", client.id),
        button: text.delete,
        ..ConfirmPage::about(text, server.frame(who, "clients"), &client)
    };
    server.page(StatusCode::OK, &page)
}

/// `POST /clients/{id}/delete`.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    Form::of_session(server, &who.token, request, Fields::default())?;
    let client = desk.changeable_client(id).await?;
    desk.delete_client(&client).await?;
    let list = if client.owner == who.person.id { "/clients" } else { "/admin/clients" };
    server.led_to(list, Done::Deleted)
}
