mod build;
mod limits;
#[cfg(feature = "data-api")]
mod student_lookup;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::key_ring::{CLOCK_SKEW, REFRESH_INTERVAL};
use super::server::Lifetimes;
use crate::crypto::{Entropy, MasterKey, SystemEntropy};
use crate::domain::{ApiScopes, HiddenFields, KeyRotation, Quota, Role, SigningAlgorithm};
use crate::http::audit::{AuditLog, TracingLog};
use crate::http::login::{Authenticator, LoginLimits};
use crate::http::management::{Students, UserLimits};
use crate::http::pages::{Branding, CustomPages};
use crate::http::{Clock, SystemClock};
use crate::store::{
    AccountStore, ApiKeyStore, ClientRegistry, ConsentStore, ProtocolStorage, TokenLifetimes,
    UserSessionStore,
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MAX_ACCESS_TOKEN_LIFETIME: Duration = DAY;

/// Settings of an [`AuthServer`](super::AuthServer). Required settings are arguments of
/// [`AuthServer::builder`](super::AuthServer::builder); all others have defaults.
pub struct AuthServerBuilder {
    issuer: String,
    master_key: MasterKey,
    algorithm: SigningAlgorithm,
    schedule: KeyRotation,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    users: Users,
    external_login: Option<String>,
    redirect_scope_errors: bool,
    refresh_within_allowed_scopes: bool,
    lifetimes: Lifetimes,
    login_limits: Option<LoginLimits>,
    authorize_limit: Option<Quota>,
    reserved_names: Vec<String>,
    client_limit: Option<Quota>,
    failed_client_limit: Option<Quota>,
    students: Students,
    documentation: Option<String>,
    pages: Option<Arc<dyn CustomPages>>,
    branding: Branding,
    audit: Arc<dyn AuditLog>,
    api_keys: Option<Arc<dyn ApiKeyStore>>,
    no_api_keys: bool,
    api_scopes: Option<ApiScopes>,
    api_key_scopes: BTreeMap<Role, ApiScopes>,
    api_key_limit: Option<Quota>,
    protected_fields: BTreeMap<Role, HiddenFields>,
    api_keys_per_owner: Option<u32>,
    user_limits: UserLimits,
    management_limit: Option<Quota>,
    storage: Arc<dyn ProtocolStorage>,
    consents: Option<Arc<dyn ConsentStore>>,
    registry: Option<Arc<dyn ClientRegistry>>,
    user_sessions: Option<Arc<dyn UserSessionStore>>,
}

/// Source of the users.
pub(super) enum Users {
    Host(Arc<dyn Authenticator>),
    /// The built-in accounts with their default settings.
    Accounts(Arc<dyn AccountStore>),
}

impl AuthServerBuilder {
    /// The schedule of the signing keys, unless
    /// [`signing_key_rotation`](Self::signing_key_rotation) sets another one.
    pub const DEFAULT_SIGNING_KEY_ROTATION: KeyRotation = KeyRotation {
        rotate_every: Duration::from_secs(90 * 24 * 60 * 60),
        publish_ahead: DAY,
        // The maximum, not the configured lifetime: the last token of a key may have been issued
        // under a longer setting.
        token_lifetime: MAX_ACCESS_TOKEN_LIFETIME,
        margin: CLOCK_SKEW.saturating_add(REFRESH_INTERVAL),
    };

    pub(super) fn new(
        storage: Arc<dyn ProtocolStorage>,
        users: Users,
        issuer: &str,
        master_key: MasterKey,
    ) -> Self {
        let refresh = TokenLifetimes {
            idle: 30 * DAY,
            absolute: 180 * DAY,
            retry_window: Duration::from_secs(30),
        };
        Self {
            issuer: issuer.to_owned(),
            master_key,
            algorithm: SigningAlgorithm::Rs256,
            schedule: Self::DEFAULT_SIGNING_KEY_ROTATION,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            users,
            external_login: None,
            redirect_scope_errors: false,
            refresh_within_allowed_scopes: false,
            lifetimes: Lifetimes {
                session: 10 * MINUTE,
                code: MINUTE,
                access_token: 60 * MINUTE,
                refresh,
            },
            login_limits: None,
            authorize_limit: None,
            reserved_names: Vec::new(),
            client_limit: None,
            failed_client_limit: None,
            students: Students::default(),
            documentation: None,
            pages: None,
            branding: Branding::default(),
            audit: Arc::new(TracingLog),
            api_keys: None,
            no_api_keys: false,
            api_scopes: None,
            api_key_scopes: BTreeMap::new(),
            api_key_limit: None,
            protected_fields: BTreeMap::new(),
            api_keys_per_owner: None,
            user_limits: UserLimits::default(),
            management_limit: None,
            storage,
            consents: None,
            registry: None,
            user_sessions: None,
        }
    }

    /// Remembers users' consents in this store, and lets users list and withdraw grants
    /// (`/v1/grants`). It must be the store of the grants. Without it every authorization asks for
    /// consent.
    #[must_use]
    pub fn consents(mut self, store: Arc<dyn ConsentStore>) -> Self {
        self.consents = Some(store);
        self
    }

    /// Lets users manage applications and clients (`/v1/applications`, `/v1/clients`) in this
    /// store, which is in the same database as the grants.
    #[must_use]
    pub fn management(mut self, store: Arc<dyn ClientRegistry>) -> Self {
        self.registry = Some(store);
        self
    }

    /// Sets the store of sessions of the `Console` (feature `console`), which is in the same
    /// database as the grants.
    #[must_use]
    pub fn user_sessions(mut self, store: Arc<dyn UserSessionStore>) -> Self {
        self.user_sessions = Some(store);
        self
    }

    /// Sets the source of the current time; the system clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the source of randomness for secrets and ids; the operating system by default.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Sets the algorithm for access tokens; RS256 by default. All nodes of a service use the same
    /// one. After a change, keys of the old algorithm sign until a key of the new one has been
    /// published for long enough.
    #[must_use]
    pub fn signing_algorithm(mut self, algorithm: SigningAlgorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// Sets how long a key signs and how long it is published before that; by default 90 days and 1
    /// day. Fractions of a second are dropped. Both are at least 10 minutes. All nodes of a service
    /// use the same values. If both are equal, the next key is always published everywhere, also
    /// when one is revoked.
    ///
    /// Do not raise `publish_ahead` above the age of the newest key. The time at which a key starts
    /// to sign is computed from the current setting, so the newest key would return to being only
    /// published, and its retired predecessor would sign again, although verifiers may have dropped
    /// it. Wait until the newest key is that old, or revoke the older ones once they are gone from
    /// the key set. See `docs/operations.md`.
    #[must_use]
    pub fn signing_key_rotation(mut self, every: Duration, publish_ahead: Duration) -> Self {
        self.schedule.rotate_every = whole_seconds(every);
        self.schedule.publish_ahead = whole_seconds(publish_ahead);
        self
    }

    /// Sets the source of users and their credentials; the built-in
    /// [`Accounts`](super::Accounts) by default.
    #[must_use]
    pub fn authenticator(mut self, authenticator: Arc<dyn Authenticator>) -> Self {
        self.users = Users::Host(authenticator);
        self
    }

    /// Replaces the built-in login page by a page of the host, on any origin; the built-in page
    /// then responds with 404.
    ///
    /// Browsers are redirected to `url` with `?token=`. The page, or its server, fetches the
    /// session by that token, signs the user in with a JSON `POST /v1/oauth/authorize`, and sends
    /// the browser to the `Location` of the response. There the user is asked for consent if it is
    /// due, and the client receives its code. Only the browser that started the request can
    /// continue it. Without this option, that endpoint accepts no `POST` and `?token=` is ignored.
    /// `docs/embedding.md` shows such a page.
    #[must_use]
    pub fn external_login(mut self, url: &str) -> Self {
        self.external_login = Some(url.to_owned());
        self
    }

    /// Reports a requested scope that the client is not allowed to use by a redirect with
    /// `error=invalid_scope` (RFC 6749 §4.1.2.1) instead of status 400.
    #[must_use]
    pub fn redirect_scope_errors(mut self) -> Self {
        self.redirect_scope_errors = true;
        self
    }

    /// Limits each refresh to the scopes that the client is allowed to use at that time, so that
    /// removing a scope from the client's list also affects its existing grants. A refresh for
    /// which no scope is left is `invalid_scope`.
    ///
    /// By default a grant keeps its scopes across refreshes (RFC 6749 §6), and the list only limits
    /// new authorization requests. Scopes that are deleted, or withdrawn from the client, are
    /// removed from its grants in either case.
    #[must_use]
    pub fn refresh_within_allowed_scopes(mut self) -> Self {
        self.refresh_within_allowed_scopes = true;
        self
    }

    /// Sets the time a user has to sign in and decide; 10 minutes by default, 1 minute to 1 hour.
    /// This and the following lifetimes have whole seconds; fractions are dropped.
    #[must_use]
    pub fn session_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.session = whole_seconds(length);
        self
    }

    /// Sets the lifetime of authorization codes; 60 seconds by default, 1 second to 10 minutes.
    #[must_use]
    pub fn code_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.code = whole_seconds(length);
        self
    }

    /// Sets the lifetime of access tokens; 1 hour by default, 1 second to 1 day.
    #[must_use]
    pub fn access_token_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.access_token = whole_seconds(length);
        self
    }

    /// Sets the lifetimes of refresh tokens; by default 30 days idle, 180 days altogether, and a
    /// retry window of 30 seconds.
    #[must_use]
    pub fn refresh_lifetimes(mut self, lifetimes: TokenLifetimes) -> Self {
        self.lifetimes.refresh = TokenLifetimes {
            idle: whole_seconds(lifetimes.idle),
            absolute: whole_seconds(lifetimes.absolute),
            retry_window: whole_seconds(lifetimes.retry_window),
        };
        self
    }

    /// Sets names that only administrators may give to clients and applications, such as those of
    /// the school and its services. Other users may not choose these names or names that look like
    /// them, regardless of case, spaces and punctuation, and of confusable letters (UTS 39 §4). A
    /// name of at least two words or six letters is also refused within a longer one ("School
    /// Portal Login"). Names that are already registered stay.
    ///
    /// The name of the service's own application, `School account`, and the name of the
    /// [`branding`](Self::branding) are always reserved. No others are reserved by default.
    #[must_use]
    pub fn reserved_names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.reserved_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the store of the data API's keys, so that users manage theirs as JSON (`/v1/api-keys`).
    /// Without it that path responds with 404.
    #[must_use]
    pub fn api_keys(mut self, store: Arc<dyn ApiKeyStore>) -> Self {
        self.api_keys = Some(store);
        self
    }

    /// Leaves out the management of API keys, also in the log of missing stores.
    #[must_use]
    pub fn without_api_keys(mut self) -> Self {
        self.api_keys = None;
        self.no_api_keys = true;
        self
    }

    /// Adds scopes of the host's own lists to the built-in scopes of API keys. Existing keys keep
    /// scopes that are removed here later.
    #[must_use]
    pub fn api_scopes(mut self, scopes: ApiScopes) -> Self {
        let known = self.api_scopes.unwrap_or_else(ApiScopes::built_in);
        self.api_scopes = Some(known.union(&scopes));
        self
    }

    /// Sets the scopes that API keys of users with this role may have; by default all, including
    /// those of [`api_scopes`](Self::api_scopes). Existing keys keep other scopes, but can no
    /// longer be renewed.
    #[must_use]
    pub fn api_key_scopes(mut self, role: Role, scopes: ApiScopes) -> Self {
        self.api_key_scopes.insert(role, scopes);
        self
    }

    /// Sets the limit of keys without one of their own, as in
    /// `DataApiBuilder::rate_limit`: owners may set a
    /// lower one. Without it, owners only lower limits that an administrator has set.
    #[must_use]
    pub fn api_key_limit(mut self, limit: Quota) -> Self {
        self.api_key_limit = Some(limit);
        self
    }

    /// Sets the fields that keys hide which users with this role make for themselves, until an
    /// administrator approves the owner's request; by default none. Existing keys hide them once
    /// they are renewed, or once their owner gets this role in the console. A host that takes a role
    /// away itself does so at once with
    /// [`hide_fields_of`](crate::store::ApiKeyStore::hide_fields_of).
    #[must_use]
    pub fn protected_fields(mut self, role: Role, fields: HiddenFields) -> Self {
        self.protected_fields.insert(role, fields);
        self
    }

    /// Sets the URL of a page for client developers, published in the metadata
    /// (`service_documentation`, RFC 8414 §2).
    #[must_use]
    pub fn documentation(mut self, url: &str) -> Self {
        self.documentation = Some(url.to_owned());
        self
    }

    /// Replaces built-in pages by the host's, here and in the `Console` (feature `console`) that
    /// shares this server's [`Management`](crate::http::Management).
    #[must_use]
    pub fn pages(mut self, pages: Arc<dyn CustomPages>) -> Self {
        self.pages = Some(pages);
        self
    }

    /// Sets how the school shows itself, here and in the `Console` (feature `console`) that shares this
    /// server's [`Management`](crate::http::Management): its name, logo, accent colour and support
    /// address. By default pages show the name `School account`. The name is
    /// [reserved](Self::reserved_names) for administrators.
    #[must_use]
    pub fn branding(mut self, branding: Branding) -> Self {
        self.branding = branding;
        self
    }

    /// Sets the destination of events; by default `tracing`, by [`TracingLog`]. A
    /// [`StoredAuditLog`](crate::http::audit::StoredAuditLog) also writes them to the store, where
    /// administrators view them in the console.
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn AuditLog>) -> Self {
        self.audit = audit;
        self
    }
}

/// Drops the part of a second, which records do not have.
const fn whole_seconds(length: Duration) -> Duration {
    Duration::from_secs(length.as_secs())
}

impl fmt::Debug for AuthServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthServerBuilder")
            .field("issuer", &self.issuer)
            .finish_non_exhaustive()
    }
}
