use bytes::Bytes;
use http::{Request, Response, StatusCode};

use crate::domain::Client;
use crate::http::Body;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems};
use crate::http::manage::NotDone;

/// `GET /clients/{id}/delete`: what goes with it.
pub(super) async fn ask(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let client = who.desk(server).changeable_client(id).await?;
    server.page(StatusCode::OK, &question(server, who, &client).await?)
}

async fn question(server: &Server, who: &SignedIn, client: &Client) -> Result<ConfirmPage, Refusal> {
    let text = server.texts();
    let live = server.storage.client_usage(client.id, server.clock.now()).await?.unwrap_or_default().live;
    Ok(ConfirmPage {
        title: text.delete_client_title.with(&client.name),
        effects: vec![text.delete_client_effect.to_owned()],
        touched: (live > 0).then(|| text.touches.with(text.count_connections.of(live))),
        action: format!("/clients/{}/delete", client.id),
        button: text.delete,
        ..ConfirmPage::about(text, server.frame(who, "clients"), client)
    })
}

/// `POST /clients/{id}/delete`.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    Form::of_session(server, &who.token, request, Fields::default())?;
    let client = desk.changeable_client(id).await?;
    match desk.delete_client(&client).await {
        Ok(()) => server.led_to(if client.owner == who.person.id { "/clients" } else { "/admin/clients" }, Done::Deleted),
        Err(NotDone::Denied(denial)) if denial.status == StatusCode::CONFLICT => {
            let problems = Problems::of_denial(&denial, &[], server.texts());
            let page = ConfirmPage { problems, ..question(server, who, &client).await? };
            Ok(faulty(server.page(denial.status, &page)?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}
