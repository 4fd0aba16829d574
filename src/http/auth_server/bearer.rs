//! Bearer authentication at this service's own endpoints (RFC 6750).

use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderValue, Request};

use super::error::Error;
use super::presented_token::{access_claims, active_client};
use super::server::Server;
use crate::domain::{ApplicationId, Client, GrantId, Scope, Subject};
use crate::http::audit::RefusalRule;
use crate::http::form_urlencoded;
use crate::http::management::Rejection;

/// The user, grant and client of an active access token with the required scope.
pub(super) struct Caller {
    /// The user as currently stored.
    pub(super) subject: Subject,
    /// The token's grant.
    pub(super) grant: GrantId,
    /// The client that acts for the user.
    pub(super) client: Arc<Client>,
}

/// Authenticates the access token and checks that the user granted `scope` to the client. The token
/// must be for this service, and its grant is looked up in the store, so that revocation takes
/// effect at once.
pub(super) async fn authenticate(
    server: &Server,
    request: &Request<Bytes>,
    scope: &Scope,
) -> Result<Caller, Error> {
    let token = bearer_token(request, scope)?;
    let now = server.now();
    let invalid = |rule| invalid(rule, scope);
    let claims = access_claims(server, token, now)
        .await?
        .ok_or_else(|| invalid(RefusalRule::BearerInvalid))?;
    if let Ok(client) = claims.client.parse() {
        server.context.set_client(client);
    }
    let is_for_us = claims
        .audience
        .iter()
        .any(|audience| *audience == ApplicationId::Service.to_string());
    // A token of the client itself has no grant and no user.
    let grant = claims
        .grant()
        .ok_or_else(|| invalid(RefusalRule::BearerWithoutUser))?;
    if !is_for_us {
        return Err(invalid(RefusalRule::BearerAudience));
    }
    if !server.storage().grant_is_live(&grant, now).await? {
        return Err(invalid(RefusalRule::BearerRevoked));
    }
    if !claims.allows(scope) {
        return Err(challenge(Rejection::bearer_scope(), scope));
    }
    let binding = server
        .storage()
        .refresh_binding(&grant)
        .await?
        .ok_or_else(|| invalid(RefusalRule::BearerRevoked))?;
    let client = active_client(server, binding.client)
        .await?
        .ok_or_else(|| invalid(RefusalRule::ClientSuspended))?;
    let subject = server
        .management()
        .login_service
        .authenticator
        .subject(&binding.subject)
        .await?
        .ok_or_else(|| invalid(RefusalRule::UserGone))?;
    server.context.set_subject(&subject.id);
    Ok(Caller {
        subject,
        grant,
        client,
    })
}

/// An invalid, expired or revoked token.
fn invalid(rule: RefusalRule, scope: &Scope) -> Error {
    challenge(Rejection::bearer_invalid(rule), scope)
}

/// A token whose grant has been revoked.
pub(super) fn revoked_token(scope: &Scope) -> Error {
    invalid(RefusalRule::BearerRevoked, scope)
}

/// The token of the single `Authorization` header. A token in the query is refused, because queries
/// end up in logs and browser histories.
fn bearer_token<'a>(request: &'a Request<Bytes>, scope: &Scope) -> Result<&'a str, Error> {
    let query = form_urlencoded::parse(request.uri().query().unwrap_or_default());
    if query.is_ok_and(|pairs| pairs.iter().any(|(name, _)| name == "access_token")) {
        return Err(challenge(Rejection::bearer_misplaced(), scope));
    }
    let mut headers = request.headers().get_all(AUTHORIZATION).into_iter();
    let header = headers
        .next()
        .ok_or_else(|| challenge(Rejection::bearer_missing(), scope))?;
    if headers.next().is_some() {
        return Err(challenge(Rejection::bearer_misplaced(), scope));
    }
    let (scheme, token) = header
        .to_str()
        .ok()
        .and_then(|header| header.split_once(' '))
        .unwrap_or_default();
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(challenge(Rejection::bearer_missing(), scope));
    }
    Ok(token.trim_start_matches(' '))
}

/// Adds the challenge (RFC 6750 §3). Without a token it has no error code.
fn challenge(rejection: Rejection, scope: &Scope) -> Error {
    let (reason, description) = (rejection.reason, &rejection.description);
    let mut challenge = format!("Bearer realm=\"service\", scope=\"{scope}\"");
    if rejection.rule != RefusalRule::BearerMissing {
        challenge += &format!(", error=\"{reason}\", error_description=\"{description}\"");
    }
    match HeaderValue::try_from(challenge) {
        Ok(challenge) => Error::from(rejection).with_header(WWW_AUTHENTICATE, challenge),
        Err(error) => error.into(),
    }
}
