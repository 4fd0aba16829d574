use std::fmt;
use std::sync::Arc;

use http::Response;

use super::answer;
use super::challenge::Challenge;
use super::visit::Visit;
use super::wire::Claims;
use crate::domain::{ClientId, GrantId, Role, Scope, ScopeSet, Timestamp};
use crate::http::Body;

/// Who calls, by a token that has been checked: among the extensions of each request that a [`Guard`](super::Guard) lets through.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Caller {
    /// The user's e-mail address, or the client's id when it calls for itself.
    pub subject: String,
    /// What the user may do in the service; none when the client calls for itself.
    pub role: Option<Role>,
    /// The client that holds the token.
    pub client: ClientId,
    /// Everything that the token allows, also in other applications; where [liveness](super::GuardBuilder::liveness) is asked, without
    /// what was withdrawn since.
    pub scopes: ScopeSet,
    /// The grant that the token was issued from; none when the client calls for itself.
    pub grant: Option<GrantId>,
    /// The id of this one token (`jti`).
    pub token_id: String,
    /// When the token was issued.
    pub issued_at: Timestamp,
    /// The first moment at which the token does not hold any more.
    pub expires_at: Timestamp,
    challenge: Arc<Challenge>,
    visit: Visit,
}

impl Caller {
    /// The caller, unless the token says what this service's tokens never say.
    pub(super) fn of(claims: Claims<'_>, challenge: Arc<Challenge>, visit: Visit) -> Option<Self> {
        let grant = claims.id.split_once('.').and_then(|(grant, _)| grant.parse().ok());
        let role = claims.role.as_deref().map(str::parse).transpose().ok()?;
        // A token has a user with a role and a grant, or is the client's own. What is halfway could pass for either.
        let is_of_a_user = role.is_some() && grant.is_some();
        let is_of_the_client = role.is_none() && grant.is_none() && claims.subject == claims.client;
        let scopes = ScopeSet::parse(&claims.scope).ok()?;
        if !is_of_a_user && !is_of_the_client || claims.subject.is_empty() || scopes.is_empty() {
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
            visit,
        })
    }

    /// Whether the token allows this.
    pub fn allows(&self, scope: &Scope) -> bool {
        self.scopes.contains(scope)
    }

    /// Demands a scope in a handler, where the whole service does not need it.
    ///
    /// # Errors
    /// When the token does not have it. [`InsufficientScope::into_response`] is what to answer.
    pub fn require(&self, scope: &Scope) -> Result<(), InsufficientScope> {
        if self.allows(scope) {
            Ok(())
        } else {
            Err(InsufficientScope(Arc::new(self.challenge.demanding(scope.clone())), self.visit.clone()))
        }
    }
}

/// A token is good and not enough for what it is used for.
#[derive(Debug, Clone)]
pub struct InsufficientScope(Arc<Challenge>, Visit);

impl InsufficientScope {
    /// The answer of RFC 6750 §3.1: 403, with the scope that is missing in `WWW-Authenticate`.
    pub fn into_response(self) -> Response<Body> {
        answer::insufficient_scope(&self.0, &self.1)
    }
}

impl fmt::Display for InsufficientScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the access token does not have all of {}", self.0.demanded())
    }
}

impl std::error::Error for InsufficientScope {}
