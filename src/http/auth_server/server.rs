use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{Method, Request};

use super::authorize::session_limiter::SessionLimiter;
use super::error::ErrorFormat;
use super::key_ring::KeyRing;
use super::key_ring::signing_threads::SigningThreads;
use super::route::Route;
use super::token::client_limiter::ClientLimiter;
use crate::crypto::RefreshTokens;
use crate::domain::{Client, ScopeSet, Timestamp};
use crate::http::Management;
use crate::http::existing_scopes::existing_scopes;
use crate::http::issuer::Issuer;
use crate::http::login::UserSessions;
use crate::http::pages::Language;
use crate::http::service::{RequestContext, ServiceContext};
use crate::store::{ProtocolStorage, StorageError, TokenLifetimes};

/// State of one request: the shared state, and the request's context and route.
pub(super) struct Server {
    pub(super) shared: Arc<Shared>,
    pub(super) context: RequestContext,
    pub(super) route: Option<Route>,
    pub(super) error_format: ErrorFormat,
    pub(super) language: Language,
    /// The URI of the requested page from the root of the host, if the request is for a page.
    pub(super) page_uri: Option<String>,
    authenticated: OnceLock<()>,
}

impl Server {
    pub(super) fn new<B>(shared: &Arc<Shared>, request: &Request<B>) -> Self {
        let (uri, method) = (request.uri(), request.method());
        let route = Route::parse(uri.path());
        let error_format = Route::error_format(route.as_ref(), method, request.headers());
        let page_uri = match &route {
            Some(Route::Login | Route::Consent) => Some(uri.path()),
            Some(Route::Authorize) if matches!(*method, Method::GET | Method::HEAD) => uri
                .path_and_query()
                .filter(|_| error_format == ErrorFormat::Page)
                .map(|page| page.as_str()),
            _ => None,
        };
        Self {
            context: RequestContext::new(
                &shared.service,
                Route::endpoint(route.as_ref(), shared),
                request.extensions(),
            ),
            page_uri: page_uri.map(|page| format!("{}{page}", shared.management.issuer.path())),
            shared: Arc::clone(shared),
            route,
            error_format,
            language: Language::from_headers(request.headers()),
            authenticated: OnceLock::new(),
        }
    }

    /// The state that other services share.
    pub(super) fn management(&self) -> &Management {
        &self.shared.management
    }

    /// The storage of the [management](Self::management).
    pub(super) fn storage(&self) -> &Arc<dyn ProtocolStorage> {
        &self.management().storage
    }

    /// The issuer of the [management](Self::management).
    pub(super) fn issuer(&self) -> &Issuer {
        &self.management().issuer
    }

    /// The time by the clock of the [management](Self::management).
    pub(super) fn now(&self) -> Timestamp {
        self.management().clock.now()
    }

    /// The sessions that the console shares with the pages here. An external login page signs users in
    /// by itself, so it shares none.
    pub(super) fn user_sessions(&self) -> Option<&UserSessions> {
        if self.shared.external_login.is_some() {
            return None;
        }
        let sessions = self.management().shared_user_sessions.get();
        sessions.map(|sessions| &**sessions)
    }

    /// Records that the client has authenticated as its policy requires.
    pub(super) fn set_authenticated(&self) {
        let _ = self.authenticated.set(());
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.get().is_some()
    }

    /// The scopes of a grant or client that still exist. A
    /// [`ClientRegistry`](crate::store::ClientRegistry) removes a deleted scope from both. A host
    /// without one deletes it where its look-up reads, and the grants keep it. The service's own
    /// scopes always exist.
    pub(super) async fn existing_scopes(
        &self,
        granted: ScopeSet,
    ) -> Result<ScopeSet, StorageError> {
        if self.management().registry.is_some() {
            return Ok(granted);
        }
        existing_scopes(&**self.storage(), granted).await
    }
}

/// State shared by all requests.
pub(super) struct Shared {
    /// State that other services share, such as the console.
    pub(super) management: Management,
    pub(super) service: Arc<ServiceContext>,
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
