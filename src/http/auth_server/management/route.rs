use bytes::Bytes;
use http::{Method, Request, Response};

use super::{
    api_keys, applications, approvals, clients, fields, grants, page_request, scopes, secrets,
};
use crate::domain::{Client, Scope};
use crate::http::auth_server::bearer;
use crate::http::auth_server::error::Error;
use crate::http::auth_server::server::Server;
use crate::http::management::{AuthenticatedBy, Rejection};
use crate::http::service::CommonError;
use crate::http::{Body, Management};

/// Routes of the management API, by path. Ids are unparsed.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::http::auth_server) enum ManagementRoute {
    Applications,
    Application(String),
    Scopes(String),
    Scope(String, String),
    Approvals(String, String),
    Approval(String, String, String),
    Clients,
    AvailableScopes,
    Client(String),
    ClientOwner(String),
    Secrets(String),
    OlderSecret(String),
    ApiKeys,
    ApiKey(String),
    ApiKeyRenewal(String),
    Grants,
    Grant(String),
}

impl ManagementRoute {
    pub(in crate::http::auth_server) fn parse(path: &str) -> Option<Self> {
        let segments: Vec<&str> = path.strip_prefix("/v1/")?.split('/').collect();
        Some(match segments[..] {
            ["applications"] => Self::Applications,
            ["applications", id] => Self::Application(id.into()),
            ["applications", id, "scopes"] => Self::Scopes(id.into()),
            ["applications", id, "scopes", scope] => Self::Scope(id.into(), scope.into()),
            ["applications", id, "scopes", scope, "clients"] => {
                Self::Approvals(id.into(), scope.into())
            }
            ["applications", id, "scopes", scope, "clients", client] => {
                Self::Approval(id.into(), scope.into(), client.into())
            }
            ["clients"] => Self::Clients,
            ["clients", "available-scopes"] => Self::AvailableScopes,
            ["clients", id] => Self::Client(id.into()),
            ["clients", id, "owner"] => Self::ClientOwner(id.into()),
            ["clients", id, "secrets"] => Self::Secrets(id.into()),
            ["clients", id, "secrets", "older"] => Self::OlderSecret(id.into()),
            ["api-keys"] => Self::ApiKeys,
            ["api-keys", id] => Self::ApiKey(id.into()),
            ["api-keys", id, "renew"] => Self::ApiKeyRenewal(id.into()),
            ["grants"] => Self::Grants,
            ["grants", id] => Self::Grant(id.into()),
            _ => return None,
        })
    }

    /// The name of the endpoint in logs.
    pub(in crate::http::auth_server) fn name(&self) -> &'static str {
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

    /// The methods of the endpoint, as in `Allow`.
    pub(in crate::http::auth_server) fn methods(&self) -> &'static str {
        match self {
            Self::Applications | Self::Scopes(_) | Self::Clients | Self::ApiKeys => {
                "GET, HEAD, POST"
            }
            Self::Application(_) | Self::Client(_) => "GET, HEAD, PATCH, DELETE",
            Self::Scope(..) | Self::ApiKey(_) => "PATCH, DELETE",
            Self::Approvals(..) | Self::AvailableScopes | Self::Grants => "GET, HEAD",
            Self::Approval(..) => "PUT, DELETE",
            Self::ClientOwner(_) | Self::Secrets(_) | Self::ApiKeyRenewal(_) => "POST",
            Self::OlderSecret(_) | Self::Grant(_) => "DELETE",
        }
    }

    /// Whether the host has set a store for what the route manages.
    pub(in crate::http::auth_server) fn is_enabled(&self, management: &Management) -> bool {
        match self {
            Self::ApiKeys | Self::ApiKey(_) | Self::ApiKeyRenewal(_) => {
                management.api_keys.is_some()
            }
            Self::Grants | Self::Grant(_) => management.consents.is_some(),
            _ => management.registry.is_some(),
        }
    }

    /// Whether changes by this route count towards `management_limit`. Revocations do not.
    fn is_rate_limited(&self, method: &Method) -> bool {
        match self {
            Self::Grant(_) | Self::OlderSecret(_) => false,
            Self::ApiKey(_) => *method != Method::DELETE,
            _ => true,
        }
    }

    fn is_paged(&self) -> bool {
        matches!(
            self,
            Self::Applications
                | Self::Scopes(_)
                | Self::Approvals(..)
                | Self::Clients
                | Self::AvailableScopes
                | Self::ApiKeys
        )
    }
}

/// Handles a management request.
pub(in crate::http::auth_server) async fn handle(
    server: &Server,
    route: &ManagementRoute,
    request: &Request<Bytes>,
) -> Result<Response<Body>, Error> {
    let caller = bearer::authenticate(server, request, &Scope::manage()).await?;
    check_client(&caller.client)?;
    let management = &server.management().session_for(
        caller.subject,
        AuthenticatedBy::Grant(caller.grant),
        server.context.origin(),
    );
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !(route.is_paged() && is_read) {
        page_request::require_none(request)?;
    }
    if *request.method() == Method::DELETE {
        fields::require_none(request)?;
    }
    if !is_read && route.is_rate_limited(request.method()) {
        management.acquire_change()?;
    }
    match (route, request.method()) {
        (ManagementRoute::Applications, &Method::POST) => {
            applications::create(management, request).await
        }
        (ManagementRoute::Applications, _) => applications::list(management, request).await,
        (ManagementRoute::Application(id), &Method::PATCH) => {
            applications::change(management, id, request).await
        }
        (ManagementRoute::Application(id), &Method::DELETE) => {
            applications::delete(management, id).await
        }
        (ManagementRoute::Application(id), _) => applications::show(management, id).await,
        (ManagementRoute::Scopes(id), &Method::POST) => {
            scopes::create(management, id, request).await
        }
        (ManagementRoute::Scopes(id), _) => scopes::list(management, id, request).await,
        (ManagementRoute::Scope(id, scope), &Method::PATCH) => {
            scopes::change(management, id, scope, request).await
        }
        (ManagementRoute::Scope(id, scope), &Method::DELETE) => {
            scopes::delete(management, id, scope).await
        }
        (ManagementRoute::Approvals(id, scope), _) => {
            approvals::list(management, id, scope, request).await
        }
        (ManagementRoute::Approval(id, scope, client), &Method::PUT) => {
            approvals::approve(management, id, scope, client, request).await
        }
        (ManagementRoute::Approval(id, scope, client), &Method::DELETE) => {
            approvals::withdraw(management, id, scope, client).await
        }
        (ManagementRoute::AvailableScopes, _) => scopes::list_available(management, request).await,
        (ManagementRoute::Clients, &Method::POST) => clients::create(management, request).await,
        (ManagementRoute::Clients, _) => clients::list(management, request).await,
        (ManagementRoute::Client(id), &Method::PATCH) => {
            clients::change(management, id, request).await
        }
        (ManagementRoute::Client(id), &Method::DELETE) => clients::delete(management, id).await,
        (ManagementRoute::Client(id), _) => clients::show(management, id).await,
        (ManagementRoute::ClientOwner(id), &Method::POST) => {
            clients::transfer(management, id, request).await
        }
        (ManagementRoute::Secrets(id), &Method::POST) => {
            secrets::add(management, id, request).await
        }
        (ManagementRoute::OlderSecret(id), &Method::DELETE) => {
            secrets::remove_older(management, id).await
        }
        (ManagementRoute::ApiKeys, &Method::POST) => api_keys::create(management, request).await,
        (ManagementRoute::ApiKeys, _) => api_keys::list(management, request).await,
        (ManagementRoute::ApiKey(id), &Method::PATCH) => {
            api_keys::change(management, id, request).await
        }
        (ManagementRoute::ApiKey(id), &Method::DELETE) => api_keys::delete(management, id).await,
        (ManagementRoute::ApiKeyRenewal(id), &Method::POST) => {
            api_keys::renew(management, id, request).await
        }
        (ManagementRoute::Grant(id), &Method::DELETE) => grants::withdraw(management, id).await,
        (ManagementRoute::Grants, _) => grants::list(management).await,
        _ => Err(CommonError::MethodNotAllowed(route.methods()).into()),
    }
}

/// Refuses a client that may no longer request `service:manage`. Grants keep their scopes, so the
/// token's scope alone is not sufficient.
fn check_client(client: &Client) -> Result<(), Error> {
    if client.first_party && client.may_manage() {
        return Ok(());
    }
    Err(Rejection::first_party_only().into())
}
