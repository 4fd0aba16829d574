use http::StatusCode;

use super::code_samples;
use crate::domain::{Client, ClientPolicy, ScopeRequest, ScopeRequestState, Verification};
use crate::http::console::error::Error;
use crate::http::console::people;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    AdviceRow, ClientPage, ClientScope, FormErrors, ReviewBadge, SecretRow,
};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// `GET /clients/{id}`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [id] = request.params();
    let management = &request.server.shared.management;
    management.write_secret_usage_for_page().await;
    let client = request.management().client(id).await?;
    request.render(
        StatusCode::OK,
        &page(request, &client, FormErrors::default()).await?,
    )
}

/// Builds the client page with `errors`.
pub(super) async fn page(
    request: &UserRequest<'_>,
    client: &Client,
    errors: FormErrors,
) -> Result<ClientPage, Error> {
    let server = request.server;
    let (text, now) = (request.texts(), server.now());
    let verified = match &client.verification {
        Verification::Verified { by, at } if !client.first_party => Some((by, *at)),
        _ => None,
    };
    let mut people = vec![&client.owner];
    people.extend(verified.map(|(by, _)| by));
    let names = UserLabels::load(server, people).await?;
    let usage = server.registry().client_usage(client.id, now).await?;
    let scopes = server
        .storage()
        .scope_definitions(&client.allowed_scopes)
        .await?;
    let requests = request
        .management()
        .scope_requests_of_client(client)
        .await?;
    let is_listed = |asked: &ScopeRequest| scopes.iter().any(|listed| listed.id == asked.scope);
    let count = |is_counted: &dyn Fn(&ScopeRequest) -> bool| {
        requests.iter().filter(|asked| is_counted(asked)).count()
    };
    Ok(ClientPage {
        waiting_requests: count(&|asked| asked.state == ScopeRequestState::Waiting),
        approved_requests: count(&|asked| {
            matches!(asked.state, ScopeRequestState::Approved { .. }) && !is_listed(asked)
        }),
        refused_requests: count(&|asked| matches!(asked.state, ScopeRequestState::Refused(_))),
        text,
        layout: request.layout("clients"),
        errors,
        suspended: client
            .suspended_at
            .map(|at| DisplayTime::from_timestamp(at, server.zone())),
        owner_has_left: client.is_suspended()
            && server.shared.management.has_left(&client.owner).await?,
        owner_by_email: server.accounts().is_some(),
        people: match request.is_administrator() {
            true => people::suggestions(server).await?,
            false => Vec::new(),
        },
        id: client.id.to_string(),
        name: client.name.to_string(),
        may_change: !client.first_party || request.is_administrator(),
        advice: client
            .advise(now)
            .into_iter()
            .map(|advice| AdviceRow::new(advice, text))
            .collect(),
        owner: names.full(&client.owner),
        review: ReviewBadge::new(client, text),
        verified_by: verified.map(|(by, at)| {
            (
                names.name(by),
                DisplayTime::from_timestamp(at, server.zone()),
            )
        }),
        policy: text.policy(client.policy),
        redirect_uris: client
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect(),
        policy_uri: client.policy_uri.as_ref().map(ToString::to_string),
        scopes: scopes
            .iter()
            .map(|scope| ClientScope::new(scope, text))
            .collect(),
        settings: settings(client, text),
        live_grants: usage.live,
        last_granted: usage
            .last_granted_at
            .map(|at| DisplayTime::from_timestamp(at, server.zone())),
        created: DisplayTime::from_timestamp(client.created_at, server.zone()),
        has_secrets: client.policy != ClientPolicy::Public,
        secrets: SecretRow::list(client, server.zone()),
        authorize_link: code_samples::authorize_link(server, client),
        samples: code_samples::for_client(server, client)?,
    })
}

/// Labels of the enabled settings.
fn settings(client: &Client, text: &'static Texts) -> Vec<&'static str> {
    let switches = [
        (client.pkce_required, text.pkce_required),
        (client.plain_pkce_allowed, text.plain_pkce_allowed),
        (client.iss_omitted, text.iss_omitted),
        (
            client.client_credentials_allowed,
            text.client_credentials_allowed,
        ),
        (client.first_party, text.first_party),
    ];
    switches
        .into_iter()
        .filter(|(is_on, _)| *is_on)
        .map(|(_, label)| label)
        .collect()
}
