use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::client_limits::ClientLimits;
use super::key_ring::KeyRing;
use super::openings::Openings;
use super::signing::SigningThreads;
use super::visit::Visit;
use crate::crypto::RefreshTokens;
use crate::domain::{Client, ScopeSet};
use crate::http::Office;
use crate::http::requests::Requests;
use crate::store::TokenLifetimes;

/// The server as one request finds it: everything that a handler needs.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) visit: Visit,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

/// What all requests share.
pub(super) struct Shared {
    /// What other services share too.
    pub(super) office: Office,
    pub(super) requests: Arc<Requests>,
    pub(super) openings: Openings,
    pub(super) client_limits: ClientLimits,
    pub(super) lifetimes: Lifetimes,
    pub(super) refresh_tokens: RefreshTokens,
    pub(super) keys: KeyRing,
    pub(super) signing: SigningThreads,
    /// The login page on another origin, if the host has one.
    pub(super) external_login: Option<String>,
    /// Whether a scope that is not allowed is told to the client instead of the user.
    pub(super) redirect_scope_errors: bool,
    /// Whether a refresh is limited to what is allowed to the client at that time.
    pub(super) refresh_within_allowed_scopes: bool,
    /// A page for developers of clients, if the host has one.
    pub(super) documentation: Option<String>,
}

impl Shared {
    /// The scopes of a grant that a refresh by this client can issue.
    pub(super) fn refreshable<'s>(&self, granted: &'s ScopeSet, client: &Client) -> Cow<'s, ScopeSet> {
        match self.refresh_within_allowed_scopes {
            true => Cow::Owned(granted.intersection(&client.allowed_scopes)),
            false => Cow::Borrowed(granted),
        }
    }
}

impl Deref for Shared {
    type Target = Office;

    fn deref(&self) -> &Office {
        &self.office
    }
}

/// How long things last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetimes {
    pub(super) session: Duration,
    pub(super) code: Duration,
    pub(super) access_token: Duration,
    pub(super) refresh: TokenLifetimes,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthServer").field("issuer", &self.office.issuer.as_str()).finish_non_exhaustive()
    }
}
