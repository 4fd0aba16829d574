//! A client's secrets: a new one beside the newest, and the end of the older one.

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{samples, seen};
use crate::domain::{Client, ClientPolicy};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::{Fields, Form};
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{ConfirmPage, Problems, ShownOncePage};

const FIELDS: Fields = Fields { once: &["seen"], lists: &[] };

/// `GET /clients/{id}/secrets/new`: what a new secret does to those that there are.
pub(super) async fn ask_to_add(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let client = who.desk(server).changeable_client(id).await?;
    check_not_public(&client)?;
    server.page(StatusCode::OK, &adding(server, who, &client))
}

/// `POST /clients/{id}/secrets/new`: the secret is in this answer alone. Whoever sends the form twice does not push out a secret unasked.
pub(super) async fn add(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (text, desk) = (server.texts(), who.desk(server));
    let fields = Form::of_session(server, &who.token, request, FIELDS)?;
    let client = desk.changeable_client(id).await?;
    check_not_public(&client)?;
    if !seen::secrets(&client).is_in(&fields) {
        return changed_meanwhile(server, adding(server, who, &client));
    }
    let (client, secret) = desk.add_secret(&client).await?;
    let goes_on = (client.secrets.len() > 1).then_some(text.secret_older_goes_on);
    let page = ShownOncePage {
        text,
        frame: server.frame(who, "clients").only_once(),
        title: text.secret_created,
        label: text.secret_value,
        secret: secret.expose().to_owned(),
        advice: [text.secret_advice].into_iter().chain(goes_on).map(str::to_owned).collect(),
        samples: samples::of(server, &client)?,
        next: format!("/clients/{}", client.id),
    };
    server.page(StatusCode::OK, &page)
}

/// `GET /clients/{id}/secrets/older`.
pub(super) async fn ask_to_remove_older(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let client = who.desk(server).changeable_client(id).await?;
    check_older(&client)?;
    server.page(StatusCode::OK, &removing(server, who, &client))
}

/// `POST /clients/{id}/secrets/older`: the one that was shown, and not one that has become the older one since.
pub(super) async fn remove_older(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let desk = who.desk(server);
    let fields = Form::of_session(server, &who.token, request, FIELDS)?;
    let client = desk.changeable_client(id).await?;
    check_older(&client)?;
    if !seen::secrets(&client).is_in(&fields) {
        return changed_meanwhile(server, removing(server, who, &client));
    }
    desk.remove_older_secret(&client).await?;
    server.led_to(&format!("/clients/{}", client.id), Done::SecretRemoved)
}

fn check_not_public(client: &Client) -> Result<(), Refusal> {
    if client.policy == ClientPolicy::Public { Err(Refusal::new(Rule::PublicClient, StatusCode::CONFLICT)) } else { Ok(()) }
}

fn check_older(client: &Client) -> Result<(), Refusal> {
    if client.secrets.len() > 1 { Ok(()) } else { Err(Refusal::not_found()) }
}

fn changed_meanwhile(server: &Server, page: ConfirmPage) -> Result<Response<Body>, Refusal> {
    let problems = Problems::of_all(server.texts().faults.changed_meanwhile);
    Ok(faulty(server.page(StatusCode::CONFLICT, &ConfirmPage { problems, ..page })?, Rule::ChangedMeanwhile))
}

fn adding(server: &Server, who: &SignedIn, client: &Client) -> ConfirmPage {
    let text = server.texts();
    let effect = if client.secrets.is_empty() { text.first_secret_effect } else { text.new_secret_effect };
    let pushed_out = (client.secrets.len() >= Client::SECRETS).then(|| text.new_secret_pushes_out.to_owned());
    ConfirmPage {
        title: text.new_secret_title.with(&client.name),
        effects: vec![effect.to_owned()],
        touched: pushed_out,
        action: format!("/clients/{}/secrets/new", client.id),
        button: text.new_secret,
        ..question(server, who, client)
    }
}

fn removing(server: &Server, who: &SignedIn, client: &Client) -> ConfirmPage {
    let text = server.texts();
    ConfirmPage {
        title: text.remove_older_secret_title.with(&client.name),
        effects: vec![text.remove_older_secret_effect.to_owned()],
        action: format!("/clients/{}/secrets/older", client.id),
        button: text.remove_older_secret,
        ..question(server, who, client)
    }
}

/// What both questions have.
fn question(server: &Server, who: &SignedIn, client: &Client) -> ConfirmPage {
    ConfirmPage { fields: vec![seen::secrets(client).input()], ..ConfirmPage::about(server.texts(), server.frame(who, "clients"), client) }
}
