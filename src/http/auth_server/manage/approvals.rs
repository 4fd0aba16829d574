use bytes::Bytes;
use http::{Request, Response};

use super::wire::{Clients, ScopeClientBody};
use super::{fields, page, reply};
use crate::http::Body;
use crate::http::auth_server::error::Refusal;
use crate::http::manage::Desk;

/// `GET /v1/applications/{id}/scopes/{scopeId}/clients`.
pub(super) async fn list(desk: &Desk<'_>, application: &str, scope: &str, request: &Request<Bytes>) -> Result<Response<Body>, Refusal> {
    let definition = desk.changeable_scope(application, scope).await?;
    let page = page::requested(request)?;
    let found = desk.clients_of_scope(&definition, page).await?;
    Ok(reply::page(page, found.total, Clients { clients: found.items.iter().map(ScopeClientBody::of).collect() }))
}

/// `PUT /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`.
pub(super) async fn give(
    desk: &Desk<'_>,
    application: &str,
    scope: &str,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let definition = desk.changeable_scope(application, scope).await?;
    fields::none(request)?;
    desk.approve_scope(&definition, client).await?;
    Ok(reply::done())
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`.
pub(super) async fn withdraw(desk: &Desk<'_>, application: &str, scope: &str, client: &str) -> Result<Response<Body>, Refusal> {
    desk.withdraw_scope(&desk.changeable_scope(application, scope).await?, client).await?;
    Ok(reply::done())
}
