use bytes::Bytes;
use http::{Request, Response, StatusCode};

use super::{Ids, address};
use crate::domain::ScopeDefinition;
use crate::http::Body;
use crate::http::console::gate::SignedIn;
use crate::http::console::names::Names;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::console::views::{Pages, Problems, ScopeClientRow, ScopePage};
use crate::http::manage::Changeable;
use crate::http::pages::Moment;
use crate::store::{ScopeClient, ScopeUsage};

/// `GET /applications/{id}/scopes/{scopeId}`: the scope, and who uses it.
pub(super) async fn answer(
    server: &Server,
    who: &SignedIn,
    (application, id): Ids<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let definition = who.desk(server).changeable_scope(application, id).await?;
    server.page(StatusCode::OK, &page(server, who, &definition, request).await?)
}

pub(super) async fn page(
    server: &Server,
    who: &SignedIn,
    definition: &Changeable<ScopeDefinition>,
    request: &Request<Bytes>,
) -> Result<ScopePage, Refusal> {
    let (desk, page) = (who.desk(server), Query::of(request)?.page()?);
    let usage = desk.scope_usage(definition).await?;
    let found = desk.clients_of_scope(definition, page).await?;
    let at = |page| server.at(&format!("{}?page={page}", address(definition)));
    Ok(ScopePage {
        text: server.texts(),
        frame: server.frame(who, "applications"),
        problems: Problems::default(),
        application_address: super::super::address(definition.scope.application),
        application_name: definition.application_name.to_string(),
        address: address(definition),
        scope_name: definition.scope.name.to_string(),
        scope: definition.scope.to_string(),
        description: definition.description.to_string(),
        approval_required: definition.approval_required,
        live_grants: usage.grants.live,
        last_granted: usage.grants.last_granted_at.map(|at| Moment::at(at, &server.zone)),
        clients: rows(server, who, &found.items, &usage).await?,
        pages: Pages::of(found.total, page, server.texts(), at),
        client_id: String::new(),
    })
}

async fn rows(server: &Server, who: &SignedIn, found: &[ScopeClient], usage: &ScopeUsage) -> Result<Vec<ScopeClientRow>, Refusal> {
    let mut known = server.clients_by_id(found.iter().map(|entry| entry.client).collect()).await?;
    let clients: Vec<_> = found.iter().filter_map(|entry| Some((*entry, known.remove(&entry.client)?))).collect();
    let owners: Vec<_> = clients.iter().map(|(_, client)| &client.owner).collect();
    let names = Names::of(server, owners).await?;
    let desk = who.desk(server);
    let rows = clients.into_iter().map(|(entry, client)| {
        let of_client = usage.of(&client.id);
        ScopeClientRow {
            id: client.id.to_string(),
            name: client.name.to_string(),
            owner: names.name(&client.owner),
            has_page: desk.may_see(&client),
            is_listed: entry.listed,
            is_approved: entry.approved,
            live_grants: of_client.live,
            last_granted: of_client.last_granted_at.map(|at| Moment::at(at, &server.zone)),
        }
    });
    Ok(rows.collect())
}
