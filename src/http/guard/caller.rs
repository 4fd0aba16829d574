use std::fmt;
use std::sync::Arc;

use http::Response;

use super::challenge::Challenge;
use super::error::Error;
use super::response;
use super::wire::Claims;
use crate::domain::{ClientId, GrantId, Role, Scope, ScopeSet, Timestamp};
use crate::http::Body;
use crate::http::request_trace::RequestTrace;

/// The authenticated caller: a request extension of every request that a [`Guard`](super::Guard)
/// lets through.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Caller {
    /// The user's e-mail address, or the client's id for a token without a user.
    pub subject: String,
    /// The user's role in the service; `None` for a token without a user.
    pub role: Option<Role>,
    /// The client that the token was issued to.
    pub client: ClientId,
    /// All scopes of the token, including those of other applications. With [a revocation
    /// check](super::GuardBuilder::revocation_check), without those that were withdrawn.
    pub scopes: ScopeSet,
    /// The grant that the token was issued from; `None` for a token without a user.
    pub grant: Option<GrantId>,
    /// The token's id (`jti`).
    pub token_id: String,
    /// When the token was issued.
    pub issued_at: Timestamp,
    /// When the token expires; it is invalid from this time on.
    pub expires_at: Timestamp,
    challenge: Arc<Challenge>,
    trace: RequestTrace,
}

impl Caller {
    /// Creates the caller from a token's claims. Returns `None` for claims that this authorization
    /// service never issues.
    pub(super) fn from_claims(
        claims: Claims<'_>,
        challenge: Arc<Challenge>,
        trace: RequestTrace,
    ) -> Option<Self> {
        let grant = claims
            .id
            .split_once('.')
            .and_then(|(grant, _)| grant.parse().ok());
        let role = claims.role.as_deref().map(str::parse).transpose().ok()?;
        // A user's token has a role and a grant; a client's own token has neither. A token with
        // only one of them could be mistaken for either.
        let is_user_token = role.is_some() && grant.is_some();
        let is_client_token = role.is_none() && grant.is_none() && claims.subject == claims.client;
        let scopes = ScopeSet::parse(&claims.scope).ok()?;
        if !is_user_token && !is_client_token || claims.subject.is_empty() || scopes.is_empty() {
            return None;
        }
        Some(Self {
            role,
            grant,
            client: claims.client.parse().ok()?,
            scopes,
            subject: claims.subject,
            token_id: claims.id,
            issued_at: claims.issued_at.timestamp(),
            expires_at: claims.expires_at.timestamp(),
            challenge,
            trace,
        })
    }

    /// Whether the token has this scope.
    pub fn allows(&self, scope: &Scope) -> bool {
        self.scopes.contains(scope)
    }

    /// Requires a scope in a handler, for services that do not require it for all requests.
    ///
    /// # Errors
    /// When the token does not have it. Return [`InsufficientScope::into_response`].
    pub fn require(&self, scope: &Scope) -> Result<(), InsufficientScope> {
        if self.allows(scope) {
            Ok(())
        } else {
            Err(InsufficientScope(
                Arc::new(self.challenge.requiring(scope.clone())),
                self.trace.clone(),
            ))
        }
    }
}

/// A valid token lacks a required scope.
#[derive(Debug, Clone)]
pub struct InsufficientScope(Arc<Challenge>, RequestTrace);

impl InsufficientScope {
    /// Response of RFC 6750 §3.1: 403, with the required scopes in `WWW-Authenticate`.
    pub fn into_response(self) -> Response<Body> {
        response::from_error(Error::InsufficientScope, &self.0, &self.1)
    }
}

impl fmt::Display for InsufficientScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the access token does not have all of {}",
            self.0.required_scopes()
        )
    }
}

impl std::error::Error for InsufficientScope {}
