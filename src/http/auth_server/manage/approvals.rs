//! Which clients list a scope, and which of other owners may where it needs approval.

use bytes::Bytes;
use http::{Request, Response};

use super::audit::managed;
use super::permission::{changeable_scope, id_of, unknown};
use super::wire::{Clients, ScopeClientBody};
use super::{fields, page, reply};
use crate::http::Body;
use crate::http::audit::{Change, Object};
use crate::http::auth_server::bearer::Caller;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::server::Server;
use crate::store::ScopeApproval;

/// `GET /v1/applications/{id}/scopes/{scopeId}/clients`: those that list it or were approved for it.
pub(super) async fn list(
    server: &Server,
    caller: &Caller,
    application: &str,
    scope: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let definition = changeable_scope(server, caller, application, scope).await?;
    let page = page::requested(request)?;
    let found = server.storage.clients_of_scope(definition.id, page).await?;
    Ok(reply::page(page, found.total, Clients { clients: found.items.iter().map(ScopeClientBody::of).collect() }))
}

/// `PUT /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`.
pub(super) async fn give(
    server: &Server,
    caller: &Caller,
    application: &str,
    scope: &str,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let definition = changeable_scope(server, caller, application, scope).await?;
    fields::none(request)?;
    let client = id_of(client)?;
    match server.storage.approve_scope(definition.id, client, server.clock.now()).await? {
        ScopeApproval::Approved => {
            managed(server, caller, Object::ScopeApproval { scope: definition.scope, client }, Change::Created);
            Ok(reply::done())
        }
        ScopeApproval::UnknownScope | ScopeApproval::UnknownClient => Err(unknown()),
    }
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`: the client loses the scope, also where it needed no approval.
pub(super) async fn withdraw(
    server: &Server,
    caller: &Caller,
    application: &str,
    scope: &str,
    client: &str,
) -> Result<Response<Body>, Refusal> {
    let definition = changeable_scope(server, caller, application, scope).await?;
    let client = id_of(client)?;
    if !server.storage.withdraw_scope(definition.id, client).await? {
        return Err(unknown());
    }
    managed(server, caller, Object::ScopeApproval { scope: definition.scope, client }, Change::Deleted);
    Ok(reply::done())
}
