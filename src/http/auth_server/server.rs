use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::client_limiter::ClientLimiter;
use super::context::RequestContext;
use super::key_ring::KeyRing;
use super::session_limiter::SessionLimiter;
use super::signing::SigningThreads;
use crate::crypto::RefreshTokens;
use crate::domain::{Client, ScopeSet};
use crate::http::Management;
use crate::http::request_metrics::RequestMetrics;
use crate::store::TokenLifetimes;

/// State of one request: the shared state and the request's context.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) context: RequestContext,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// State shared by all requests.
pub(super) struct Shared {
    /// State that other services share, such as the console.
    pub(super) management: Management,
    pub(super) requests: Arc<RequestMetrics>,
    pub(super) session_limiter: SessionLimiter,
    pub(super) client_limiter: ClientLimiter,
    pub(super) lifetimes: Lifetimes,
    pub(super) refresh_tokens: RefreshTokens,
    pub(super) keys: KeyRing,
    pub(super) signing: SigningThreads,
    /// The host's external login page.
    pub(super) external_login: Option<String>,
    /// Whether a scope that the client is not allowed to use is reported by a redirect.
    pub(super) redirect_scope_errors: bool,
    /// Whether a refresh is limited to the scopes that the client is allowed to use now.
    pub(super) refresh_within_allowed_scopes: bool,
    /// The page for client developers.
    pub(super) documentation: Option<String>,
}

impl Shared {
    /// The scopes of a grant that a refresh by this client can issue.
    pub(super) fn refreshable<'s>(
        &self,
        granted: &'s ScopeSet,
        client: &Client,
    ) -> Cow<'s, ScopeSet> {
        match self.refresh_within_allowed_scopes {
            true => Cow::Owned(granted.intersection(&client.allowed_scopes)),
            false => Cow::Borrowed(granted),
        }
    }
}

impl Deref for Shared {
    type Target = Management;

    fn deref(&self) -> &Management {
        &self.management
    }
}

/// Lifetimes of sessions, codes and tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    pub(super) session: Duration,
    pub(super) code: Duration,
    pub(super) access_token: Duration,
    pub(super) refresh: TokenLifetimes,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthServer")
            .field("issuer", &self.management.issuer.as_str())
            .finish_non_exhaustive()
    }
}
