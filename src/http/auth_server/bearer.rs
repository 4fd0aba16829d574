//! Access tokens as they are presented to this service itself (RFC 6750).

use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderValue, Request, StatusCode};

use super::error::Refusal;
use super::presented_token::{access_claims, client_in_use};
use super::server::Server;
use crate::domain::{ApplicationId, Client, GrantId, Scope, Subject};
use crate::http::audit::Rule;
use crate::http::pairs;

/// Who asks with an access token that is alive and allows what is asked.
pub(super) struct Caller {
    /// Who the user is now.
    pub(super) subject: Subject,
    /// The grant that the token is of.
    pub(super) grant: GrantId,
    /// The client that asks for the user.
    pub(super) client: Arc<Client>,
}

/// Finds out who asks, and that the user has allowed `scope` to the client. The token must be for this service, and its grant is asked for
/// in the store, so that a token is dead as soon as it is revoked.
pub(super) async fn require(server: &Server, request: &Request<Bytes>, scope: &Scope) -> Result<Caller, Refusal> {
    let token = presented(request, scope)?;
    let now = server.clock.now();
    let invalid = |rule| invalid(rule, scope);
    let claims = access_claims(server, token, now).await?.ok_or_else(|| invalid(Rule::BearerInvalid))?;
    if let Ok(client) = claims.client.parse() {
        server.is_about(client);
    }
    let is_for_us = claims.audience.iter().any(|audience| *audience == ApplicationId::Service.to_string());
    // A token of a client itself has no grant, and no user who could ask for anything here.
    let grant = claims.grant().ok_or_else(|| invalid(Rule::BearerWithoutUser))?;
    if !is_for_us {
        return Err(invalid(Rule::BearerAudience));
    }
    if !server.storage.grant_is_live(&grant, now).await? {
        return Err(invalid(Rule::BearerRevoked));
    }
    if !claims.allows(scope) {
        return Err(refused(Fault::InsufficientScope, scope));
    }
    let binding = server.storage.refresh_binding(&grant).await?.ok_or_else(|| invalid(Rule::BearerRevoked))?;
    let client = client_in_use(server, binding.client).await?.ok_or_else(|| invalid(Rule::ClientSuspended))?;
    let subject = server.doorkeeper.authenticator.subject(&binding.subject).await?.ok_or_else(|| invalid(Rule::UserGone))?;
    Ok(Caller { subject, grant, client })
}

/// Refuses a token that is not or no longer good.
fn invalid(rule: Rule, scope: &Scope) -> Refusal {
    refused(Fault::InvalidToken, scope).by(rule)
}

/// Refuses a token whose grant has been revoked.
pub(super) fn revoked(scope: &Scope) -> Refusal {
    invalid(Rule::BearerRevoked, scope)
}

/// The token of the one `Authorization` header. One in the query is in logs and histories by now, and is refused whatever it is.
fn presented<'a>(request: &'a Request<Bytes>, scope: &Scope) -> Result<&'a str, Refusal> {
    let query = pairs::parse(request.uri().query().unwrap_or_default());
    if query.is_ok_and(|pairs| pairs.iter().any(|(name, _)| name == "access_token")) {
        return Err(refused(Fault::InvalidRequest, scope));
    }
    let mut headers = request.headers().get_all(AUTHORIZATION).into_iter();
    let header = headers.next().ok_or_else(|| refused(Fault::NoToken, scope))?;
    if headers.next().is_some() {
        return Err(refused(Fault::InvalidRequest, scope));
    }
    let (scheme, token) = header.to_str().ok().and_then(|header| header.split_once(' ')).unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(refused(Fault::NoToken, scope));
    }
    Ok(token.trim_start_matches(' '))
}

/// What is wrong, in the words of RFC 6750 §3.1.
#[derive(Debug, Clone, Copy)]
enum Fault {
    NoToken,
    InvalidRequest,
    InvalidToken,
    InsufficientScope,
}

fn refused(fault: Fault, scope: &Scope) -> Refusal {
    let (status, error, description) = match fault {
        Fault::NoToken => (StatusCode::UNAUTHORIZED, "invalid_token", "An access token is required, as Authorization: Bearer."),
        Fault::InvalidRequest => {
            (StatusCode::BAD_REQUEST, "invalid_request", "The access token must be in one Authorization header and nowhere else.")
        }
        Fault::InvalidToken => {
            (StatusCode::UNAUTHORIZED, "invalid_token", "The access token is malformed, expired, revoked or for another service.")
        }
        Fault::InsufficientScope => (StatusCode::FORBIDDEN, "insufficient_scope", "The access token lacks the scope."),
    };
    let rule = match fault {
        Fault::NoToken => Rule::BearerMissing,
        Fault::InvalidRequest => Rule::BearerPlace,
        Fault::InvalidToken => Rule::BearerInvalid,
        Fault::InsufficientScope => Rule::BearerScope,
    };
    // Whoever sent no token at all is told what to get, and nothing of an error (RFC 6750 §3.1).
    let challenge = match fault {
        Fault::NoToken => format!("Bearer realm=\"service\", scope=\"{scope}\""),
        _ => format!("Bearer realm=\"service\", scope=\"{scope}\", error=\"{error}\", error_description=\"{description}\""),
    };
    match HeaderValue::try_from(challenge) {
        Ok(challenge) => Refusal::new(rule, status, error, description).header(WWW_AUTHENTICATE, challenge),
        Err(error) => error.into(),
    }
}
