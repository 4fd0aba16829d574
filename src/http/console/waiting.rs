//! What waits for administrators: unverified clients, and requests for scopes and for hidden fields
//! of keys, in one list.

use std::collections::HashMap;

use http::StatusCode;

use super::applications::requests::{FROM_WAITING, FailedRefusal, rows};
use super::clients::form_version;
use super::error::Error;
use super::form::flash::Flash;
use super::keys::fields;
use super::route_matching::HandlerResult;
use super::user_labels::UserLabels;
use super::user_request::UserRequest;
use super::views::{Layout, PageLinks, UnverifiedClientRow, WaitingPage, grouped};
use crate::domain::{Client, ClientId, Scope, ScopeSet, SubjectId};
use crate::http::pages::DisplayTime;

/// Number of scopes that a row says in words.
const SHOWN_SCOPES: usize = 4;

/// `GET /admin/waiting`.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let page = page(request, None).await?;
    request.render(StatusCode::OK, &page)
}

/// Builds the page. Its lists are paged together: the page number counts in each.
pub(super) async fn page(
    request: &UserRequest<'_>,
    failed: Option<FailedRefusal<'_>>,
) -> Result<WaitingPage, Error> {
    let (server, text, page) = (request.server, request.texts(), request.query()?.page()?);
    let management = request.management();
    let unverified = management.clients_to_review(page).await?;
    let requests = management.all_waiting_requests(page).await?;
    let keys = management.api_keys_with_requests(page).await?;
    let total = unverified.total + requests.total + keys.total;
    let owners: Vec<&SubjectId> = unverified
        .items
        .iter()
        .map(|client| &client.owner)
        .collect();
    let people = UserLabels::load(server, owners).await?;
    let scopes = unverified.items.iter().flat_map(|client| shown(client));
    let scopes = descriptions(request, scopes.cloned().collect()).await?;
    let row = |client: &Client| UnverifiedClientRow {
        id: client.id.to_string(),
        name: client.name.to_string(),
        owner: people.named(&client.owner),
        wants_to: shown(client)
            .filter_map(|scope| scopes.get(scope).cloned())
            .collect(),
        more_scopes: client.allowed_scopes.len().saturating_sub(SHOWN_SCOPES),
        redirect_uris: client
            .redirect_uris
            .iter()
            .map(ToString::to_string)
            .collect(),
        policy_uri: client
            .policy_uri
            .as_ref()
            .map(|uri| text.review.policy_uri(uri)),
        created: DisplayTime::from_timestamp(client.created_at, server.zone()),
        fields: vec![form_version::settings(&client.settings()).hidden_input()],
    };
    // Clients from before the review of clients count as verified.
    let (older, new): (Vec<_>, Vec<_>) = unverified
        .items
        .iter()
        .partition(|client| client.is_verified());
    let longest = unverified.total.max(requests.total).max(keys.total);
    let page_links =
        PageLinks::counted(text.entries(grouped(total)), longest, page, text, |page| {
            server.href(&format!("/admin/waiting?page={page}"))
        });
    Ok(WaitingPage {
        text,
        layout: layout(request).await?,
        new_clients: new.into_iter().map(|client| row(client)).collect(),
        older_clients: older.into_iter().map(|client| row(client)).collect(),
        requests: rows(request, &requests.items, failed.as_ref()).await?,
        requests_total: requests.total,
        keys: fields::rows(request, &keys.items).await?,
        keys_total: keys.total,
        total,
        errors: failed.map(|failed| failed.errors).unwrap_or_default(),
        page_links,
        back: FROM_WAITING,
    })
}

/// The scopes of a client that its row says in words.
fn shown(client: &Client) -> impl Iterator<Item = &Scope> {
    client.allowed_scopes.iter().take(SHOWN_SCOPES)
}

/// What scopes allow, in the language of the reader as far as it is known. One statement of the
/// store.
async fn descriptions(
    request: &UserRequest<'_>,
    scopes: ScopeSet,
) -> Result<HashMap<Scope, String>, Error> {
    if scopes.is_empty() {
        return Ok(HashMap::new());
    }
    let definitions = request.server.storage().scope_definitions(&scopes).await?;
    let described = definitions.into_iter().map(|definition| {
        let text = request.texts().scope_description(&definition);
        (definition.scope.clone(), text.to_owned())
    });
    Ok(described.collect())
}

/// The layout, with a notice that names the client that was just verified.
async fn layout(request: &UserRequest<'_>) -> Result<Layout, Error> {
    let layout = request.layout("waiting");
    let query = request.query()?;
    let id = query
        .value("client")
        .and_then(|id| id.parse::<ClientId>().ok());
    let (Some(Flash::Verified), Some(id)) = (request.server.flash, id) else {
        return Ok(layout);
    };
    Ok(match request.server.storage().client(id).await? {
        Some(client) if client.is_verified() => Layout {
            flash: Some(request.texts().review.done_verified_client(&client.name)),
            ..layout
        },
        _ => layout,
    })
}
