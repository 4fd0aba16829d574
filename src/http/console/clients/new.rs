use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::form::{self, Filled};
use super::samples;
use crate::domain::Role;
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::Form;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::{Problems, ShownOncePage};
use crate::http::manage::NotDone;

/// `GET /clients/new`.
pub(super) async fn show(server: &Server, who: &SignedIn) -> Result<Response<Body>, Refusal> {
    form::page(server, who, None, Filled::empty(), (StatusCode::OK, Problems::default())).await
}

/// `POST /clients/new`: the secret of a client that is not public is in this answer alone.
pub(super) async fn submit(server: &Server, who: &SignedIn, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (text, is_admin) = (server.texts(), who.person.role == Role::Admin);
    let fields = Form::of_session(server, &who.token, request, form::fields(is_admin))?;
    let filled = Filled::typed(&fields, is_admin, None);
    let settings = match filled.settings(text) {
        Ok(settings) => settings,
        Err(problems) => {
            let page = form::page(server, who, None, filled, (StatusCode::BAD_REQUEST, problems)).await?;
            return Ok(faulty(page, Rule::FieldInvalid));
        }
    };
    let (client, secret) = match who.desk(server).create_client(settings, None).await {
        Ok(created) => created,
        Err(NotDone::Denied(denial)) => {
            let problems = Problems::of_denial(&denial, &form::names(is_admin), text);
            return Ok(faulty(form::page(server, who, None, filled, (denial.status, problems)).await?, denial.rule));
        }
        Err(not_done) => return Err(not_done.into()),
    };
    let next = format!("/clients/{}", client.id);
    let Some(secret) = secret else { return server.led_to(&next, Done::Created) };
    let page = ShownOncePage {
        text,
        frame: server.frame(who, "clients").only_once(),
        title: text.client_created,
        label: text.secret_value,
        secret: secret.expose().to_owned(),
        advice: vec![text.secret_advice.to_owned()],
        samples: samples::of(server, &client)?,
        next,
    };
    server.page(StatusCode::OK, &page)
}
