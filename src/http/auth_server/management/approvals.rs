use bytes::Bytes;
use http::{Request, Response};

use super::wire::{Clients, ScopeClientBody};
use super::{envelope, fields, page_request};
use crate::http::Body;
use crate::http::auth_server::error::Error;
use crate::http::management::ManagementSession;

/// `GET /v1/applications/{id}/scopes/{scopeId}/clients`.
pub(super) async fn list(
    management: &ManagementSession<'_>,
    application: &str,
    scope: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let definition = management.changeable_scope(application, scope).await?;
    let page = page_request::from_query(request)?;
    let found = management.clients_of_scope(&definition, page).await?;
    Ok(envelope::page(
        page,
        found.total,
        Clients {
            clients: found.items.iter().map(ScopeClientBody::new).collect(),
        },
    ))
}

/// `PUT /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`.
pub(super) async fn approve(
    management: &ManagementSession<'_>,
    application: &str,
    scope: &str,
    client: &str,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let definition = management.changeable_scope(application, scope).await?;
    fields::require_none(request)?;
    management.approve_scope(&definition, client).await?;
    Ok(envelope::empty())
}

/// `DELETE /v1/applications/{id}/scopes/{scopeId}/clients/{clientId}`.
pub(super) async fn withdraw(
    management: &ManagementSession<'_>,
    application: &str,
    scope: &str,
    client: &str,
) -> Result<Response<Body>, Error> {
    management
        .withdraw_scope(
            &management.changeable_scope(application, scope).await?,
            client,
        )
        .await?;
    Ok(envelope::empty())
}
