use http::StatusCode;

use super::address;
use crate::domain::ScopeDefinition;
use crate::http::console::error::Error;
use crate::http::console::form::translations;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{PageLinks, ScopeClientRow, ScopePage};
use crate::http::management::Changeable;
use crate::http::pages::DisplayTime;
use crate::store::{ScopeClient, ScopeUsage};

/// `GET /applications/{id}/scopes/{scopeId}`: the scope and the clients that use it.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let [application, id] = request.params();
    let definition = request
        .management()
        .changeable_scope(application, id)
        .await?;
    request.render(StatusCode::OK, &page(request, &definition).await?)
}

async fn page(
    request: &UserRequest<'_>,
    definition: &Changeable<ScopeDefinition>,
) -> Result<ScopePage, Error> {
    let (server, text) = (request.server, request.texts());
    let (management, page) = (request.management(), request.query()?.page()?);
    let usage = management.scope_usage(definition).await?;
    let found = management.clients_of_scope(definition, page).await?;
    let at = |page| server.href(&format!("{}?page={page}", address(definition)));
    Ok(ScopePage {
        text: request.texts(),
        layout: request.layout("applications"),
        application_address: super::super::address(definition.scope.application),
        application_name: text.scope_application(definition).to_owned(),
        address: address(definition),
        scope_name: definition.scope.name.to_string(),
        scope: definition.scope.to_string(),
        description: text.scope_description(definition).to_owned(),
        translations: translations::rows(
            definition.description.as_str(),
            &definition.description_translations,
            text,
        ),
        approval_required: definition.approval_required,
        live_grants: usage.grants.live,
        last_granted: usage
            .grants
            .last_granted_at
            .map(|at| DisplayTime::from_timestamp(at, server.zone())),
        clients: rows(request, &found.items, &usage).await?,
        page_links: PageLinks::new(found.total, page, request.texts(), at),
    })
}

async fn rows(
    request: &UserRequest<'_>,
    found: &[ScopeClient],
    usage: &ScopeUsage,
) -> Result<Vec<ScopeClientRow>, Error> {
    let server = request.server;
    let mut known = server
        .shared
        .management
        .clients_by_id(found.iter().map(|entry| entry.client).collect())
        .await?;
    let clients: Vec<_> = found
        .iter()
        .filter_map(|entry| Some((*entry, known.remove(&entry.client)?)))
        .collect();
    let owners: Vec<_> = clients.iter().map(|(_, client)| &client.owner).collect();
    let names = UserLabels::load(server, owners).await?;
    let management = request.management();
    let rows = clients.into_iter().map(|(entry, client)| {
        let of_client = usage.for_client(&client.id);
        ScopeClientRow {
            id: client.id.to_string(),
            name: client.name.to_string(),
            owner: names.for_user(&client.owner, request),
            has_page: management.may_see(&client),
            is_listed: entry.listed,
            is_approved: entry.approved,
            live_grants: of_client.live,
            last_granted: of_client
                .last_granted_at
                .map(|at| DisplayTime::from_timestamp(at, server.zone())),
        }
    });
    Ok(rows.collect())
}
