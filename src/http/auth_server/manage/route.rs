use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};

use super::{api_keys, applications, approvals, clients, fields, grants, page, scopes, secrets};
use crate::domain::{Client, Scope};
use crate::http::Body;
use crate::http::audit::Rule;
use crate::http::auth_server::bearer;
use crate::http::auth_server::error::Refusal;
use crate::http::auth_server::route::not_allowed;
use crate::http::auth_server::server::Server;
use crate::http::manage::Access;

/// What is managed, by path. Ids are as they were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http::auth_server) enum Managed<'a> {
    Applications,
    Application(&'a str),
    Scopes(&'a str),
    Scope(&'a str, &'a str),
    Approvals(&'a str, &'a str),
    Approval(&'a str, &'a str, &'a str),
    Clients,
    AvailableScopes,
    Client(&'a str),
    ClientOwner(&'a str),
    Secrets(&'a str),
    OlderSecret(&'a str),
    ApiKeys,
    ApiKey(&'a str),
    ApiKeyRenewal(&'a str),
    Grants,
    Grant(&'a str),
}

impl<'a> Managed<'a> {
    pub(in crate::http::auth_server) fn at(path: &'a str) -> Option<Self> {
        let segments: Vec<&str> = path.strip_prefix("/v1/")?.split('/').collect();
        Some(match segments[..] {
            ["applications"] => Self::Applications,
            ["applications", id] => Self::Application(id),
            ["applications", id, "scopes"] => Self::Scopes(id),
            ["applications", id, "scopes", scope] => Self::Scope(id, scope),
            ["applications", id, "scopes", scope, "clients"] => Self::Approvals(id, scope),
            ["applications", id, "scopes", scope, "clients", client] => Self::Approval(id, scope, client),
            ["clients"] => Self::Clients,
            ["clients", "available-scopes"] => Self::AvailableScopes,
            ["clients", id] => Self::Client(id),
            ["clients", id, "owner"] => Self::ClientOwner(id),
            ["clients", id, "secrets"] => Self::Secrets(id),
            ["clients", id, "secrets", "older"] => Self::OlderSecret(id),
            ["api-keys"] => Self::ApiKeys,
            ["api-keys", id] => Self::ApiKey(id),
            ["api-keys", id, "renew"] => Self::ApiKeyRenewal(id),
            ["grants"] => Self::Grants,
            ["grants", id] => Self::Grant(id),
            _ => return None,
        })
    }

    /// What the log calls it.
    pub(in crate::http::auth_server) fn name(self) -> &'static str {
        match self {
            Self::Applications | Self::Application(_) => "applications",
            Self::Scopes(..) | Self::Scope(..) | Self::AvailableScopes => "scopes",
            Self::Approvals(..) | Self::Approval(..) => "scope_approvals",
            Self::Clients | Self::Client(_) | Self::ClientOwner(_) => "clients",
            Self::Secrets(_) | Self::OlderSecret(_) => "client_secrets",
            Self::ApiKeys | Self::ApiKey(_) | Self::ApiKeyRenewal(_) => "api_keys",
            Self::Grants | Self::Grant(_) => "grants",
        }
    }

    /// The methods that it answers, as in `Allow`.
    pub(in crate::http::auth_server) fn methods(self) -> &'static str {
        match self {
            Self::Applications | Self::Scopes(_) | Self::Clients | Self::ApiKeys => "GET, HEAD, POST",
            Self::Application(_) | Self::Client(_) => "GET, HEAD, PATCH, DELETE",
            Self::Scope(..) => "PATCH, DELETE",
            Self::Approvals(..) | Self::AvailableScopes | Self::Grants => "GET, HEAD",
            Self::Approval(..) => "PUT, DELETE",
            Self::ClientOwner(_) | Self::Secrets(_) | Self::ApiKeyRenewal(_) => "POST",
            Self::OlderSecret(_) | Self::ApiKey(_) | Self::Grant(_) => "DELETE",
        }
    }

    /// Whether it is about the keys of the data API, of which not every host has given a store.
    pub(in crate::http::auth_server) fn is_of_api_keys(self) -> bool {
        matches!(self, Self::ApiKeys | Self::ApiKey(_) | Self::ApiKeyRenewal(_))
    }

    /// Whether changes by this route count towards `management_limit`. Revocations do not.
    fn is_paid_for(self) -> bool {
        !matches!(self, Self::Grant(_) | Self::ApiKey(_) | Self::OlderSecret(_))
    }

    fn is_paged(self) -> bool {
        matches!(self, Self::Applications | Self::Scopes(_) | Self::Approvals(..) | Self::Clients | Self::AvailableScopes | Self::ApiKeys)
    }
}

/// Answers a request with one of the methods of what is managed.
pub(in crate::http::auth_server) async fn answer(
    server: &Server,
    managed: Managed<'_>,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Refusal> {
    let caller = bearer::require(server, request, &Scope::manage()).await?;
    check_client(&caller.client)?;
    let desk = &server.desk(caller.subject, Access::Grant(caller.grant), server.visit.origin);
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !(managed.is_paged() && is_read) {
        page::none(request)?;
    }
    if *request.method() == Method::DELETE {
        fields::none(request)?;
    }
    if !is_read && managed.is_paid_for() {
        desk.pay_for_change()?;
    }
    match (managed, request.method()) {
        (Managed::Applications, &Method::POST) => applications::create(desk, request).await,
        (Managed::Applications, _) => applications::list(desk, request).await,
        (Managed::Application(id), &Method::PATCH) => applications::change(desk, id, request).await,
        (Managed::Application(id), &Method::DELETE) => applications::delete(desk, id).await,
        (Managed::Application(id), _) => applications::show(desk, id).await,
        (Managed::Scopes(id), &Method::POST) => scopes::create(desk, id, request).await,
        (Managed::Scopes(id), _) => scopes::list(desk, id, request).await,
        (Managed::Scope(id, scope), &Method::PATCH) => scopes::change(desk, id, scope, request).await,
        (Managed::Scope(id, scope), &Method::DELETE) => scopes::delete(desk, id, scope).await,
        (Managed::Approvals(id, scope), _) => approvals::list(desk, id, scope, request).await,
        (Managed::Approval(id, scope, client), &Method::PUT) => approvals::give(desk, id, scope, client, request).await,
        (Managed::Approval(id, scope, client), &Method::DELETE) => approvals::withdraw(desk, id, scope, client).await,
        (Managed::AvailableScopes, _) => scopes::list_available(desk, request).await,
        (Managed::Clients, &Method::POST) => clients::create(desk, request).await,
        (Managed::Clients, _) => clients::list(desk, request).await,
        (Managed::Client(id), &Method::PATCH) => clients::change(desk, id, request).await,
        (Managed::Client(id), &Method::DELETE) => clients::delete(desk, id).await,
        (Managed::Client(id), _) => clients::show(desk, id).await,
        (Managed::ClientOwner(id), &Method::POST) => clients::give(desk, id, request).await,
        (Managed::Secrets(id), &Method::POST) => secrets::add(desk, id, request).await,
        (Managed::OlderSecret(id), &Method::DELETE) => secrets::remove_older(desk, id).await,
        (Managed::ApiKeys, &Method::POST) => api_keys::create(desk, request).await,
        (Managed::ApiKeys, _) => api_keys::list(desk, request).await,
        (Managed::ApiKey(id), &Method::DELETE) => api_keys::delete(desk, id).await,
        (Managed::ApiKeyRenewal(id), &Method::POST) => api_keys::renew(desk, id, request).await,
        (Managed::Grant(id), &Method::DELETE) => grants::withdraw(desk, id).await,
        (Managed::Grants, _) => grants::list(desk).await,
        _ => Err(not_allowed(managed.methods())),
    }
}

/// Refuses a client that may no longer ask for `service:manage`. Grants keep what their users approved, so the scope alone does not tell.
fn check_client(client: &Client) -> Result<(), Refusal> {
    if client.first_party && client.may_manage() {
        return Ok(());
    }
    let description = "The client that asks is not one of the service's own any more, or may not manage any more.";
    Err(Refusal::told(Rule::FirstPartyOnly, StatusCode::FORBIDDEN, description))
}
