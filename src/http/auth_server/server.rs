use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::issuer::Issuer;
use super::key_ring::KeyRing;
use super::openings::Openings;
use super::visit::Visit;
use crate::crypto::{Entropy, FormTokens, RefreshTokens};
use crate::domain::{ApiScopes, Role};
use crate::http::Clock;
use crate::http::audit::AuditLog;
use crate::http::requests::Requests;
use crate::http::sign_in::Doorkeeper;
use crate::store::{ApiKeyStore, AuthStorage, SchoolDirectory, TokenLifetimes};

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
    pub(super) requests: Arc<Requests>,
    pub(super) audit: Arc<dyn AuditLog>,
    pub(super) issuer: Issuer,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) doorkeeper: Doorkeeper,
    pub(super) openings: Openings,
    pub(super) lifetimes: Lifetimes,
    pub(super) form_tokens: FormTokens,
    pub(super) refresh_tokens: RefreshTokens,
    pub(super) keys: KeyRing,
    /// The login page on another origin, if the host has one.
    pub(super) external_login: Option<String>,
    /// Whether a scope that is not allowed is told to the client instead of the user.
    pub(super) redirect_scope_errors: bool,
    /// A page for developers of clients, if the host has one.
    pub(super) documentation: Option<String>,
    /// Where users are looked up as students.
    pub(super) directory: Option<Arc<dyn SchoolDirectory>>,
    /// Where the keys of the data API are kept, if they are managed here.
    pub(super) api_keys: Option<Arc<dyn ApiKeyStore>>,
    /// Which scopes the keys of a role may have; all if the host has not said.
    pub(super) api_key_scopes: BTreeMap<Role, ApiScopes>,
    /// How many keys a user may have.
    pub(super) api_keys_per_owner: u32,
    pub(super) storage: Arc<dyn AuthStorage>,
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
        f.debug_struct("AuthServer").field("issuer", &self.issuer.as_str()).finish_non_exhaustive()
    }
}
