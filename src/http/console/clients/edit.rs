use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::form::{self, Filled};
use super::seen;
use crate::domain::{Client, ClientSettings, Role};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::console::done::Done;
use crate::http::console::form::Form;
use crate::http::console::gate::SignedIn;
use crate::http::console::refusal::{Refusal, faulty};
use crate::http::console::server::Server;
use crate::http::console::views::Problems;
use crate::http::manage::NotDone;

/// `GET /clients/{id}/edit`.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let client = who.desk(server).changeable_client(id).await?;
    page(server, who, &client, Filled::of(&client.settings()), (StatusCode::OK, Problems::default())).await
}

/// `POST /clients/{id}/edit`. Whoever saw an older version is shown today's: what they typed was about another client than this one has become,
/// and would undo what somebody else has done.
pub(super) async fn submit(server: &Server, who: &SignedIn, id: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let (text, is_admin, desk) = (server.texts(), who.person.role == Role::Admin, who.desk(server));
    let fields = Form::of_session(server, &who.token, request, form::fields(is_admin))?;
    let client = desk.changeable_client(id).await?;
    let before = client.settings();
    if !seen::settings(&before).is_in(&fields) {
        return changed_meanwhile(server, who, &client).await;
    }
    let filled = Filled::typed(&fields, is_admin, Some(&before));
    let settings = match filled.settings(text) {
        Ok(settings) => in_the_order_of(&before, settings),
        Err(problems) => {
            return Ok(faulty(page(server, who, &client, filled, (StatusCode::BAD_REQUEST, problems)).await?, Rule::FieldInvalid));
        }
    };
    match desk.change_client(&client, settings, None).await {
        Ok(()) => server.led_to(&format!("/clients/{}", client.id), Done::Saved),
        Err(NotDone::Denied(denial)) if denial.rule == Rule::ChangedMeanwhile => {
            changed_meanwhile(server, who, &*desk.changeable_client(id).await?).await
        }
        Err(NotDone::Denied(denial)) if denial.rule != Rule::NotFound => {
            let problems = Problems::of_denial(&denial, &form::names(is_admin), text);
            Ok(faulty(page(server, who, &client, filled, (denial.status, problems)).await?, denial.rule))
        }
        Err(not_done) => Err(not_done.into()),
    }
}

/// The settings with the scopes in the order in which they were registered, the new ones behind.
fn in_the_order_of(before: &ClientSettings, settings: ClientSettings) -> ClientSettings {
    let chosen = settings.allowed_scopes;
    ClientSettings { allowed_scopes: before.allowed_scopes.intersection(&chosen).union(&chosen), ..settings }
}

async fn changed_meanwhile(server: &Server, who: &SignedIn, client: &Arc<Client>) -> Result<Response<Body>, Refusal> {
    let problems = Problems::of_all(server.texts().faults.changed_meanwhile);
    let page = page(server, who, client, Filled::of(&client.settings()), (StatusCode::CONFLICT, problems)).await?;
    Ok(faulty(page, Rule::ChangedMeanwhile))
}

async fn page(
    server: &Server,
    who: &SignedIn,
    client: &Client,
    filled: Filled,
    outcome: (StatusCode, Problems),
) -> Result<Response<Body>, Refusal> {
    form::page(server, who, Some((client, seen::settings(&client.settings()))), filled, outcome).await
}
