use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use super::AuthServer;
use super::client_limits::ClientLimits;
use super::key_maker::KeyMaker;
use super::key_ring::{CLOCKS_APART, KeyRing, LEAST_PUBLISH_AHEAD, REFRESH_EVERY};
use super::openings::Openings;
use super::server::{Lifetimes, Shared};
use super::signing::SigningThreads;
use crate::crypto::{Entropy, FormTokens, MasterKey, RefreshTokens, SystemEntropy};
use crate::directory::Directory;
use crate::domain::{ApiScopes, Application, Invalid, KeySchedule, Quota, ReservedNames, Role, SigningAlgorithm};
use crate::http::address::public_address;
use crate::http::audit::{AuditLog, Counted, TracingLog};
use crate::http::issuer::Issuer;
use crate::http::manage::{Caps, Pace};
use crate::http::pages::Pages;
use crate::http::requests::Requests;
use crate::http::sign_in::{Accounts, Authenticator, ConfigError, Doorkeeper, SignInLimits};
use crate::http::{Clock, Office, SystemClock};
use crate::store::{ApiKeyStore, AuthStorage, TokenLifetimes};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const LONGEST_ACCESS_TOKEN: Duration = DAY;

/// Settings of an [`AuthServer`]. What is required is an argument of [`AuthServer::builder`]; the rest has defaults.
pub struct AuthServerBuilder {
    issuer: String,
    master_key: MasterKey,
    algorithm: SigningAlgorithm,
    schedule: KeySchedule,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    authenticator: Option<Arc<dyn Authenticator>>,
    external_login: Option<String>,
    redirect_scope_errors: bool,
    refresh_within_allowed_scopes: bool,
    lifetimes: Lifetimes,
    sign_in_limits: Option<SignInLimits>,
    authorize_limit: Option<Quota>,
    reserved_names: Vec<String>,
    client_limit: Option<Quota>,
    failed_client_limit: Option<Quota>,
    directory: Option<Directory>,
    documentation: Option<String>,
    pages: Option<Arc<dyn Pages>>,
    audit: Arc<dyn AuditLog>,
    api_keys: Option<Arc<dyn ApiKeyStore>>,
    api_scopes: ApiScopes,
    api_key_scopes: BTreeMap<Role, ApiScopes>,
    api_keys_per_owner: u32,
    caps: Caps,
    management_limit: Option<Quota>,
    storage: Arc<dyn AuthStorage>,
}

impl AuthServerBuilder {
    pub(super) fn new(storage: Arc<dyn AuthStorage>, issuer: &str, master_key: MasterKey) -> Self {
        let refresh = TokenLifetimes { idle: 30 * DAY, absolute: 180 * DAY, retry_window: Duration::from_secs(30) };
        Self {
            issuer: issuer.to_owned(),
            master_key,
            algorithm: SigningAlgorithm::Rs256,
            schedule: KeySchedule {
                rotate_every: 90 * DAY,
                publish_ahead: DAY,
                // Not what this server is told, for it may have been told more when it issued the last token of a key.
                token_lifetime: LONGEST_ACCESS_TOKEN,
                margin: CLOCKS_APART.saturating_add(REFRESH_EVERY),
            },
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            authenticator: None,
            external_login: None,
            redirect_scope_errors: false,
            refresh_within_allowed_scopes: false,
            lifetimes: Lifetimes { session: 10 * MINUTE, code: MINUTE, access_token: 60 * MINUTE, refresh },
            sign_in_limits: None,
            authorize_limit: None,
            reserved_names: Vec::new(),
            client_limit: None,
            failed_client_limit: None,
            directory: None,
            documentation: None,
            pages: None,
            audit: Arc::new(TracingLog),
            api_keys: None,
            api_scopes: ApiScopes::built_in(),
            api_key_scopes: BTreeMap::new(),
            api_keys_per_owner: 20,
            caps: Caps::default(),
            management_limit: None,
            storage,
        }
    }

    /// What time it is; the system's clock by default.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where secrets and ids come from; the operating system by default.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// How access tokens are signed; RS256 by default. All nodes of a service have the same. After a change the keys of the old algorithm
    /// go on signing until one of the new has been published for long enough.
    #[must_use]
    pub fn signing_algorithm(mut self, algorithm: SigningAlgorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// How long a key signs, and how long it is published before; by default 90 days and 1 day, and at least 10 minutes. All nodes of a
    /// service have the same. With two equal lengths the next key is always known everywhere, also when one is revoked.
    ///
    /// Do not raise `publish_ahead` above the age of the newest key. When a key began to sign is reckoned by today's setting, so the newest
    /// would be only published again, and the one before it, which has retired, would sign once more, unknown to services that saw it go.
    /// Wait until the newest is that old, or revoke the older ones first, once they are gone. `docs/operations.md` says more.
    #[must_use]
    pub fn signing_key_rotation(mut self, every: Duration, publish_ahead: Duration) -> Self {
        (self.schedule.rotate_every, self.schedule.publish_ahead) = (every, publish_ahead);
        self
    }

    /// Who the users are; the built-in [`Accounts`] by default.
    #[must_use]
    pub fn authenticator(mut self, authenticator: Arc<dyn Authenticator>) -> Self {
        self.authenticator = Some(authenticator);
        self
    }

    /// A login page of the host's own, on whatever origin, in the place of the built-in one, which answers 404 then. Browsers are sent there
    /// with `?token=`. The page, or its server, asks for the session by that token, signs the user in with a JSON
    /// `POST /v1/oauth/authorize`, and sends the browser on to the `Location` of the answer. There the user is asked for consent where that
    /// is due, and the client gets its code; only the browser that began comes through. Without this option nothing is posted there,
    /// and `?token=` does not name a session. `docs/embedding.md` shows such a page.
    #[must_use]
    pub fn external_login(mut self, url: &str) -> Self {
        self.external_login = Some(url.to_owned());
        self
    }

    /// Tells the client instead of the user when it asks for a scope that is not allowed to it: a redirect with `error=invalid_scope`
    /// (RFC 6749 §4.1.2.1) instead of status 400.
    #[must_use]
    pub fn redirect_scope_errors(mut self) -> Self {
        self.redirect_scope_errors = true;
        self
    }

    /// Limits each refresh to the scopes that are allowed to the client at that time, so that a list that was made shorter reaches the
    /// client's grants; a refresh for which none is left is `invalid_scope`. By default a grant keeps its scopes across refreshes (RFC 6749
    /// §6), and the list only limits what the client can ask for anew. Scopes that are deleted, or withdrawn from the client, leave its
    /// grants in either case.
    #[must_use]
    pub fn refresh_within_allowed_scopes(mut self) -> Self {
        self.refresh_within_allowed_scopes = true;
        self
    }

    /// How long a user may take to sign in and decide; 10 minutes by default, 1 minute to 1 hour.
    #[must_use]
    pub fn session_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.session = length;
        self
    }

    /// How long an authorization code may be redeemed; 60 seconds by default, 1 second to 10 minutes.
    #[must_use]
    pub fn code_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.code = length;
        self
    }

    /// How long an access token holds; 1 hour by default, 1 second to 1 day.
    #[must_use]
    pub fn access_token_lifetime(mut self, length: Duration) -> Self {
        self.lifetimes.access_token = length;
        self
    }

    /// How long refresh tokens hold; by default 30 days idle, 180 days altogether, and 30 seconds for trying again.
    #[must_use]
    pub fn refresh_lifetimes(mut self, lifetimes: TokenLifetimes) -> Self {
        self.lifetimes.refresh = lifetimes;
        self
    }

    /// How many attempts to sign in may fail at once, and how soon there is another one. By default 10 for an account from one address, 100
    /// for an account from everywhere, and 50 from an address, each of which comes back in 15 minutes. The limit for an account from
    /// everywhere does not hold for networks from which its owner has signed in, on this node and since it started.
    ///
    /// The address is the [`ClientAddress`](crate::http::ClientAddress) of the request, which `http::serve` sets to the connection's. Behind
    /// a proxy every connection is the proxy's: put [`TrustedProxies`](crate::http::TrustedProxies) around the service, or one pupil who guesses locks out
    /// the school. A school whose pupils share one address wants a larger limit per address. Without an address there is none.
    #[must_use]
    pub fn sign_in_limits(mut self, limits: SignInLimits) -> Self {
        self.sign_in_limits = Some(limits);
        self
    }

    /// How many sign-ins may be begun from one address at once (`GET /v1/oauth/authorize`), and how soon there is another one; by default
    /// 1,000, and then one in 0.6 seconds. Each one is kept for the [`session_lifetime`](Self::session_lifetime), so this bounds what one
    /// address can make the store keep.
    ///
    /// Whoever begins that many keeps everybody else at the address from signing in. Where a whole school shares one, behind NAT, raise it
    /// so far that one pupil with a script does not reach it; where each has their own, lower it. The address is the one of
    /// [`sign_in_limits`](Self::sign_in_limits). Without an address there is no limit.
    #[must_use]
    pub fn authorize_limit(mut self, per_address: Quota) -> Self {
        self.authorize_limit = Some(per_address);
        self
    }

    /// Names that only administrators give to clients and applications: those of the school and of its services. Others are refused these names
    /// and all that look like them, whatever their case, spaces and punctuation, and with letters that are confused with one another
    /// (UTS 39 §4). A name of at least two words or six letters is also refused within a longer one ("School Portal Login"). A name that is
    /// registered already stays.
    ///
    /// The name of the service's own application, `School account`, and the name on the pages of a web interface are always reserved. None
    /// is added by default.
    #[must_use]
    pub fn reserved_names<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.reserved_names = names.into_iter().map(Into::into).collect();
        self
    }

    /// How many requests a client may make to the token, revocation and introspection endpoints; by default 6,000 in a minute, all at once if need
    /// be. Beyond that it is answered 429 with `Retry-After`, and nothing is spent: neither a code nor a refresh token.
    ///
    /// Only requests that authenticate by the client's secret count for the client. One without a secret has this limit for each network of
    /// callers (an IPv4 address or an IPv6 /64, with four times as much for the /56 around it and eight times for the /48), since strangers know
    /// its id; where pupils of a school share an address, the limit is for all of them. Each node counts for itself.
    #[must_use]
    pub fn client_limit(mut self, per_client: Quota) -> Self {
        self.client_limit = Some(per_client);
        self
    }

    /// How many requests to the token, revocation and introspection endpoints may fail before a client has authenticated, for each network of
    /// callers as in [`client_limit`](Self::client_limit); by default 300 in a minute. Beyond that those that fail are answered 429 with `Retry-After`; a
    /// client that authenticates is answered as ever. The address is the one of [`sign_in_limits`](Self::sign_in_limits). Without an address
    /// there is no limit.
    #[must_use]
    pub fn failed_client_limit(mut self, per_network: Quota) -> Self {
        self.failed_client_limit = Some(per_network);
        self
    }

    /// Where users are looked up as students, by their e-mail address, for `/userinfo`. Without it nobody is a student there.
    #[must_use]
    pub fn directory(mut self, directory: Directory) -> Self {
        self.directory = Some(directory);
        self
    }

    /// Where the keys of the data API are kept, so that users manage theirs here as JSON (`/v1/api-keys`). Without it there is nothing at that
    /// address.
    #[must_use]
    pub fn api_keys(mut self, store: Arc<dyn ApiKeyStore>) -> Self {
        self.api_keys = Some(store);
        self
    }

    /// Scopes of the host's own lists, which API keys can have beside the built-in ones. A key keeps a scope that is no longer among these.
    #[must_use]
    pub fn api_scopes(mut self, scopes: ApiScopes) -> Self {
        self.api_scopes = self.api_scopes.union(&scopes);
        self
    }

    /// Which scopes the API keys of users with this role may have; all of them by default, with those of [`api_scopes`](Self::api_scopes).
    /// What a key has already stays, until it is to be renewed.
    #[must_use]
    pub fn api_key_scopes(mut self, role: Role, scopes: ApiScopes) -> Self {
        self.api_key_scopes.insert(role, scopes);
        self
    }

    /// How many API keys a user may have; 20 by default. Each key has a rate limit of its own, so this bounds what one user may ask for.
    /// Administrators are bound like everybody else. Keys that have expired count until they are deleted or swept, for they can be renewed, and
    /// deleted ones for a day, for a new one has a limit that is not used up. Who has more already keeps them.
    #[must_use]
    pub fn api_keys_per_owner(mut self, at_most: u32) -> Self {
        self.api_keys_per_owner = at_most;
        self
    }

    /// How many applications, scopes, clients, redirect URIs, sign-ins and consents one user may have: see [`Caps`].
    #[must_use]
    pub fn caps(mut self, caps: Caps) -> Self {
        self.caps = caps;
        self
    }

    /// How many changes a user may make to what is managed, as JSON and in the web interface together, and how soon there is another one; by
    /// default 120, and then one in half a second. Further ones are answered 429 with `Retry-After`. Administrators are bound like everybody
    /// else. What takes access away is not counted: withdrawing a grant, revoking an API key, removing an older secret, and what users do to
    /// their own account. Each node counts by itself.
    #[must_use]
    pub fn management_limit(mut self, per_user: Quota) -> Self {
        self.management_limit = Some(per_user);
        self
    }

    /// The address of a page for developers of clients, for the metadata (`service_documentation`, RFC 8414 §2).
    #[must_use]
    pub fn documentation(mut self, url: &str) -> Self {
        self.documentation = Some(url.to_owned());
        self
    }

    /// Pages of the host's own in the place of this crate's, here and in the `Console` (feature `ui`) of the same
    /// [`Office`].
    #[must_use]
    pub fn pages(mut self, pages: Arc<dyn Pages>) -> Self {
        self.pages = Some(pages);
        self
    }

    /// Where events go; by default to `tracing`, as [`TracingLog`] says. A [`TrailLog`](crate::http::audit::TrailLog) also keeps them in the
    /// store, where administrators look them up in the web interface.
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn AuditLog>) -> Self {
        self.audit = audit;
        self
    }

    /// Checks the settings and loads the signing keys; the first server on a storage makes the first key.
    ///
    /// # Errors
    /// When a setting cannot work, or the storage could not answer.
    pub async fn build(self) -> Result<AuthServer, ConfigError> {
        let issuer = Issuer::parse(&self.issuer).map_err(ConfigError::Issuer)?;
        self.master_key.check().map_err(ConfigError::MasterKey)?;
        if self.master_key.has_weak_other() {
            tracing::warn!(
                target: "lyceum::auth",
                "a former or next master key is not random: until it is dropped, whoever guesses it can make refresh tokens and forms that are accepted"
            );
        }
        if let Some(url) = &self.external_login {
            public_address(url).map_err(ConfigError::ExternalLogin)?;
        }
        if let Some(url) = &self.documentation {
            public_address(url).map_err(ConfigError::Documentation)?;
        }
        check(&self.lifetimes)?;
        self.caps.check().map_err(ConfigError::Caps)?;
        check_rotation(&self.schedule)?;
        let authenticator = match self.authenticator {
            Some(authenticator) => authenticator,
            None => {
                let accounts = Accounts::builder(self.storage.clone()).clock(Arc::clone(&self.clock));
                Arc::new(accounts.entropy(Arc::clone(&self.entropy)).audit(Arc::clone(&self.audit)).build()?)
            }
        };
        let limits = self.sign_in_limits.map_or_else(SignInLimits::usual, Ok)?;
        let authorize_limit = match self.authorize_limit {
            Some(limit) => limit,
            None => Quota::new(1000, 10 * MINUTE, 1000).map_err(ConfigError::SignInLimits)?,
        };
        let a_minute = |limit| Quota::new(limit, MINUTE, limit).map_err(ConfigError::SignInLimits);
        let client_limit = self.client_limit.map_or_else(|| a_minute(6_000), Ok)?;
        let failed_client_limit = self.failed_client_limit.map_or_else(|| a_minute(300), Ok)?;
        let management_limit = self.management_limit.map_or_else(|| a_minute(120), Ok)?;
        let audit: Arc<dyn AuditLog> = Counted::over(self.audit);
        let doorkeeper = Doorkeeper::new(authenticator, limits, Arc::clone(&self.clock), Arc::clone(&audit));
        let maker = KeyMaker::new(self.algorithm, self.schedule, self.master_key.clone(), Arc::clone(&self.entropy), Arc::clone(&audit));
        let keys = KeyRing::open(self.schedule, maker, self.master_key.clone(), Arc::clone(&self.clock), self.storage.clone()).await?;
        let own_application = Application::of_the_service();
        let school_names = doorkeeper.authenticator.accounts().map(Accounts::school_names).unwrap_or_default();
        let names = self.reserved_names.iter().map(String::as_str).chain([&*own_application.name]);
        let reserved_names = ReservedNames::from_iter(names.chain(school_names.iter().map(|name| &**name)));
        let office = Office {
            issuer,
            clock: self.clock,
            entropy: self.entropy,
            audit,
            doorkeeper: Arc::new(doorkeeper),
            form_tokens: Arc::new(FormTokens::new(&self.master_key)),
            pages: self.pages,
            reserved_names: Arc::new(RwLock::new(reserved_names)),
            directory: self.directory,
            api_keys: self.api_keys,
            api_scopes: self.api_scopes,
            api_key_scopes: self.api_key_scopes,
            api_keys_per_owner: self.api_keys_per_owner,
            caps: self.caps,
            pace: Arc::new(Pace::new(management_limit)),
            storage: self.storage,
        };
        Ok(AuthServer::new(Shared {
            office,
            requests: Arc::new(Requests::of("auth")),
            openings: Openings::new(authorize_limit),
            client_limits: ClientLimits::new(client_limit, failed_client_limit),
            lifetimes: self.lifetimes,
            refresh_tokens: RefreshTokens::new(&self.master_key),
            keys,
            signing: SigningThreads::default(),
            external_login: self.external_login,
            redirect_scope_errors: self.redirect_scope_errors,
            refresh_within_allowed_scopes: self.refresh_within_allowed_scopes,
            documentation: self.documentation,
        }))
    }
}

fn check(lifetimes: &Lifetimes) -> Result<(), ConfigError> {
    const SECOND: Duration = Duration::from_secs(1);
    let refused = |reason| Err(ConfigError::Lifetime(Invalid::new(reason)));
    if !(MINUTE..=60 * MINUTE).contains(&lifetimes.session) {
        return refused("must be 1 minute to 1 hour for a session");
    }
    if !(SECOND..=10 * MINUTE).contains(&lifetimes.code) {
        return refused("must be 1 second to 10 minutes for a code");
    }
    if !(SECOND..=LONGEST_ACCESS_TOKEN).contains(&lifetimes.access_token) {
        return refused("must be 1 second to 1 day for an access token");
    }
    let refresh = &lifetimes.refresh;
    if refresh.idle < SECOND || refresh.absolute < refresh.idle || refresh.retry_window > 5 * MINUTE {
        return refused("must be idle for 1 second or more, altogether no less, with a retry window of at most 5 minutes");
    }
    Ok(())
}

fn check_rotation(schedule: &KeySchedule) -> Result<(), ConfigError> {
    if schedule.publish_ahead < LEAST_PUBLISH_AHEAD || schedule.rotate_every < schedule.publish_ahead {
        return Err(ConfigError::Lifetime(Invalid::new(
            "must be 10 minutes or more for which a signing key is published ahead, and no less for which it signs",
        )));
    }
    Ok(())
}

impl fmt::Debug for AuthServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthServerBuilder").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
