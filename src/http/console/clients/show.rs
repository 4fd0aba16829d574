use http::{Response, StatusCode};

use super::samples;
use crate::domain::{Client, ClientPolicy, Role, Verification};
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{AdviceRow, ClientPage, ClientScope, Problems, ReviewMark, SecretRow};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// `GET /clients/{id}`.
pub(super) async fn show(server: &Server, who: &SignedIn, id: &str) -> Result<Response<Body>, Refusal> {
    let client = who.desk(server).client(id).await?;
    server.page(StatusCode::OK, &page(server, who, &client, Problems::default()).await?)
}

/// The page of a client, on which something may be wrong.
pub(super) async fn page(server: &Server, who: &SignedIn, client: &Client, problems: Problems) -> Result<ClientPage, Refusal> {
    let (text, now) = (server.texts(), server.clock.now());
    let verified = match &client.verification {
        Verification::Verified { by, at } if !client.first_party => Some((by, *at)),
        _ => None,
    };
    let mut people = vec![&client.owner];
    people.extend(verified.map(|(by, _)| by));
    let names = Names::of(server, people).await?;
    let usage = server.storage.client_usage(client.id, now).await?.unwrap_or_default();
    let scopes = server.storage.scope_definitions(&client.allowed_scopes).await?;
    Ok(ClientPage {
        text,
        frame: server.frame(who, "clients"),
        problems,
        suspended: client.suspended_at.map(|at| Moment::at(at, &server.zone)),
        owner_by_email: server.doorkeeper.authenticator.accounts().is_some(),
        id: client.id.to_string(),
        name: client.name.to_string(),
        may_change: !client.first_party || who.person.role == Role::Admin,
        advice: client.advise(now).into_iter().map(|advice| AdviceRow::of(advice, text)).collect(),
        owner: names.name(&client.owner),
        review: ReviewMark::of(client, text),
        verified_by: verified.map(|(by, at)| (names.name(by), Moment::at(at, &server.zone))),
        policy: text.policy(client.policy),
        redirect_uris: client.redirect_uris.iter().map(ToString::to_string).collect(),
        scopes: scopes.iter().map(ClientScope::of).collect(),
        settings: settings(client, text),
        live_grants: usage.live,
        last_granted: usage.last_granted_at.map(|at| Moment::at(at, &server.zone)),
        created: Moment::at(client.created_at, &server.zone),
        has_secrets: client.policy != ClientPolicy::Public,
        secrets: SecretRow::all_of(client, &server.zone),
        authorize_link: samples::authorize_link(server, client),
        samples: samples::of(server, client)?,
    })
}

/// The switches that are on.
fn settings(client: &Client, text: &'static Texts) -> Vec<&'static str> {
    let switches = [
        (client.pkce_required, text.pkce_required),
        (client.plain_pkce_allowed, text.plain_pkce_allowed),
        (client.iss_omitted, text.iss_omitted),
        (client.client_credentials_allowed, text.client_credentials_allowed),
        (client.first_party, text.first_party),
    ];
    switches.into_iter().filter(|(is_on, _)| *is_on).map(|(_, label)| label).collect()
}
