use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fluent_uri::Uri;
use jiff::tz::TimeZone;

use super::expiry::{KeyExpiryNotice, Notices};
use super::kept_answers::KeptAnswers;
use super::key_cache::KeyCache;
use super::last_use::LastUses;
use super::limits::{KeyLimit, LimiterFailure, Limits};
use super::lists::Lists;
use super::own_lists;
use super::owner_checks::OwnerChecks;
use super::query_cache::QueryCache;
use super::{DataApi, Shared};
use crate::crypto::{Entropy, SystemEntropy};
use crate::directory::{Directory, OwnList, RecordList};
use crate::domain::{Date, Invalid, Quota, Timestamp};
use crate::http::audit::{AuditLog, RequestId};
use crate::http::key_owners::KeyOwners;
use crate::http::requests::Requests;
use crate::http::{Clock, ProtectedResource, SystemClock};
use crate::metrics::Lookups;
use crate::store::{ApiKeyStore, RateLimiter};

/// Options of a [`DataApi`], each with a default.
#[must_use]
pub struct DataApiBuilder {
    directory: Directory,
    own_lists: Vec<Arc<dyn OwnList>>,
    keys: Arc<dyn ApiKeyStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    public_url: Option<String>,
    authorization_server: Option<String>,
    time_zone: String,
    ignores_unknown_parameters: bool,
    is_for_every_origin: bool,
    audit: Option<Arc<dyn AuditLog>>,
    key_expiry_notice: Option<Arc<dyn KeyExpiryNotice>>,
    key_owners: Option<Arc<dyn KeyOwners>>,
    key_owners_hold: Duration,
    outage_tolerance: Duration,
    limits_keys: bool,
    rate_limit: Quota,
    rate_limiter: Option<Arc<dyn RateLimiter>>,
    limiter_failure: LimiterFailure,
    bad_key_limit: Quota,
}

impl DataApiBuilder {
    pub(super) fn new(directory: Directory, keys: Arc<dyn ApiKeyStore>) -> Self {
        Self {
            directory,
            own_lists: Vec::new(),
            keys,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            public_url: None,
            authorization_server: None,
            time_zone: "Asia/Seoul".to_owned(),
            ignores_unknown_parameters: false,
            is_for_every_origin: false,
            audit: None,
            key_expiry_notice: None,
            key_owners: None,
            key_owners_hold: Duration::from_secs(60),
            outage_tolerance: Duration::from_secs(5 * 60),
            limits_keys: true,
            rate_limit: Quota::OF_A_KEY,
            rate_limiter: None,
            limiter_failure: LimiterFailure::Open,
            bad_key_limit: Quota::OF_A_KEY,
        }
    }

    /// What time it is; the system's clock by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Where request ids come from; the operating system's generator by default.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// The address under which clients reach this service, such as `https://api.school.example`. `Link` targets are then absolute; by
    /// default they are relative references, which are right wherever the service is mounted.
    pub fn public_url(mut self, url: &str) -> Self {
        self.public_url = Some(url.to_owned());
        self
    }

    /// The issuer of the authorization service beside this one, such as `https://school.example/auth`. It is published together with the public
    /// URL in `/.well-known/oauth-protected-resource` (RFC 9728); without it nothing is there.
    pub fn authorization_server(mut self, issuer: &str) -> Self {
        self.authorization_server = Some(issuer.to_owned());
        self
    }

    /// The school's time zone by its IANA name, which decides what day today is; `Asia/Seoul` by default.
    pub fn time_zone(mut self, name: &str) -> Self {
        self.time_zone = name.to_owned();
        self
    }

    /// A list of the host's own beside the school's, with all that those have: pages with exact totals, tags, changes, formats, OpenAPI and the data
    /// browser. Tell the authorization service of its scope: [`DataApi::scopes`].
    pub fn resource<T: PartialEq + Send + Sync + 'static>(mut self, list: Arc<RecordList<T>>) -> Self {
        self.own_lists.push(list);
        self
    }

    /// Passes over query parameters that an endpoint does not know. By default they are refused, so that a misspelled filter cannot
    /// answer with everybody.
    pub fn ignore_unknown_parameters(mut self) -> Self {
        self.ignores_unknown_parameters = true;
        self
    }

    /// Lets scripts of web pages on every origin read the data, without cookies (CORS). Off by default: a key in a page is known to everybody who
    /// opens the page, so such a key should have few scopes, and no personal fields.
    ///
    /// Scripts may send `X-API-KEY` and `If-None-Match`, and read the headers that tell of tags, pages, limits and the end of the key.
    pub fn allow_every_origin(mut self) -> Self {
        self.is_for_every_origin = true;
        self
    }

    /// Which log is told of refused requests, so that the ids in their answers can be looked up: the one of the authorization server. By
    /// default none; lines with the target `lyceum::data` tell of them anyway.
    pub fn audit(mut self, log: Arc<dyn AuditLog>) -> Self {
        self.audit = Some(log);
        self
    }

    /// Who tells the owners of keys that these end, for hosts that send mail. By default only the answers do, in their last seven days
    /// (`X-API-Key-Expires`).
    pub fn key_expiry_notice(mut self, notice: Arc<dyn KeyExpiryNotice>) -> Self {
        self.key_expiry_notice = Some(notice);
        self
    }

    /// Asks a host with users of its own whether the owner of a presented key is still a user; by default nobody is asked, for the built-in
    /// accounts revoke their keys when they are removed. The key of somebody who is not gets the answer of an unknown key (401
    /// `api_key_invalid`), and works again if its owner is a user again. Keys without an owner are not asked about.
    ///
    /// An answer holds for the time of [`key_owners_hold`](Self::key_owners_hold), so a user who has left keeps access no longer than that
    /// and five seconds. While the host does not answer, its last answer about an owner holds for up to an hour (less with more than 10,000
    /// owners), with a warning in the log; requests with the keys of owners it has not told of get 503.
    pub fn key_owners(mut self, owners: Arc<dyn KeyOwners>) -> Self {
        self.key_owners = Some(owners);
        self
    }

    /// How long an answer of [`key_owners`](Self::key_owners) holds: 60 seconds by default, at most an hour. Zero asks at each request.
    pub fn key_owners_hold(mut self, time: Duration) -> Self {
        self.key_owners_hold = time;
        self
    }

    /// How long keys go on working while the store does not answer, counted from when this node last read the key; five minutes by default, zero to
    /// answer 503 at once. A key never works past its own end, and keys that this node has not read lately get 503.
    ///
    /// What is revoked elsewhere in that time works here until the store is back, so this is how much later than otherwise a revocation may hold.
    pub fn outage_tolerance(mut self, time: Duration) -> Self {
        self.outage_tolerance = time;
        self
    }

    /// How many requests a key may make that has no limit of its own; by default 100 in 60 seconds, all at once if need be.
    pub fn rate_limit(mut self, per_key: Quota) -> Self {
        self.rate_limit = per_key;
        self
    }

    /// Who counts the requests of keys: a store or Redis, if nodes are to share their counts, inside a [`LeasedLimiter`](super::LeasedLimiter) so that not
    /// every request asks it. By default each node counts for itself, in memory, and a key may make as many requests on each.
    pub fn rate_limiter(mut self, limiter: Arc<dyn RateLimiter>) -> Self {
        self.rate_limiter = Some(limiter);
        self
    }

    /// What becomes of requests while the limiter does not answer; by default they pass.
    pub fn on_limiter_failure(mut self, choice: LimiterFailure) -> Self {
        self.limiter_failure = choice;
        self
    }

    /// Does not limit keys, for hosts that do so elsewhere. Answers then tell of no limit.
    pub fn without_rate_limit(mut self) -> Self {
        self.limits_keys = false;
        self
    }

    /// How many requests with keys that do not work may come from one network of clients (an IPv4 address, an IPv6 /64) before they are told
    /// no more than to wait; by default 100 in 60 seconds. Keys that work pass all the same.
    ///
    /// The network is that of the [`ClientAddress`](crate::http::ClientAddress) of the request. Without an address nothing is counted.
    pub fn bad_key_limit(mut self, per_network: Quota) -> Self {
        self.bad_key_limit = per_network;
        self
    }

    /// The service.
    ///
    /// # Errors
    /// When an option has a value that cannot work.
    pub fn build(self) -> Result<DataApi, ConfigError> {
        let zone = TimeZone::get(&self.time_zone).map_err(|_| ConfigError::UnknownTimeZone(self.time_zone))?;
        let resource = match (&self.public_url, &self.authorization_server) {
            (_, None) => None,
            (None, Some(_)) => return Err(ConfigError::ProtectedResource(Invalid::new("must have a public URL"))),
            (Some(url), Some(issuer)) => {
                Some(ProtectedResource::new(url, issuer).map_err(ConfigError::ProtectedResource)?.without_tokens())
            }
        };
        let settings = Settings {
            clock: self.clock,
            entropy: self.entropy,
            public_url: self.public_url.as_deref().map(base_url).transpose().map_err(ConfigError::PublicUrl)?,
            resource,
            zone,
            ignores_unknown_parameters: self.ignores_unknown_parameters,
            is_for_every_origin: self.is_for_every_origin,
        };
        own_lists::check(&self.directory, &self.own_lists)?;
        if self.key_owners_hold > Duration::from_secs(60 * 60) {
            return Err(ConfigError::KeyOwnersHold(Invalid::new("must be at most an hour")));
        }
        let owner_checks = self.key_owners.map(|owners| OwnerChecks::new(owners, self.key_owners_hold));
        let notices = self.key_expiry_notice.map(Notices::new);
        let key_limit = KeyLimit::new(self.rate_limiter, self.rate_limit, self.limiter_failure);
        let limits = Limits::new(self.limits_keys.then_some(key_limit), self.bad_key_limit);
        Ok(DataApi(Arc::new(Shared {
            settings,
            requests: Arc::new(Requests::of("data")),
            audit: self.audit,
            lookups: Lookups::of("client"),
            lists: Lists::new(self.directory, self.own_lists),
            last_uses: LastUses::new(Arc::clone(&self.keys)),
            key_store: self.keys,
            keys: KeyCache::new(self.outage_tolerance),
            limits,
            notices,
            owner_checks,
            queries: QueryCache::new(),
            answers: KeptAnswers::new(),
        })))
    }
}

impl fmt::Debug for DataApiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataApiBuilder").finish_non_exhaustive()
    }
}

/// Why a [`DataApi`] could not be built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The public URL is not one.
    PublicUrl(Invalid),
    /// The public URL or that of the authorization service cannot be published.
    ProtectedResource(Invalid),
    /// There is no time zone of this name.
    UnknownTimeZone(String),
    /// A list of the host's own has a path or a name that is taken, or cannot be one.
    Resource {
        /// The path of the list.
        path: &'static str,
        /// What is wrong with it.
        rule: Invalid,
    },
    /// Answers about owners of keys hold for too long.
    KeyOwnersHold(Invalid),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PublicUrl(rule) => write!(f, "the public URL {rule}"),
            Self::ProtectedResource(rule) => write!(f, "each address of the protected resource {rule}"),
            Self::UnknownTimeZone(name) => write!(f, "there is no time zone {name:?}"),
            Self::Resource { path, rule } => write!(f, "the list at {path} {rule}"),
            Self::KeyOwnersHold(rule) => write!(f, "the time for which answers about owners of keys hold {rule}"),
        }
    }
}

impl std::error::Error for ConfigError {}

/// What a built service goes by.
pub(super) struct Settings {
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    public_url: Option<String>,
    /// What is published of this service, if anything is.
    pub(super) resource: Option<ProtectedResource>,
    zone: TimeZone,
    pub(super) ignores_unknown_parameters: bool,
    pub(super) is_for_every_origin: bool,
}

impl Settings {
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Now, and the same in microseconds since the epoch.
    pub(super) fn moment(&self) -> (Timestamp, i64) {
        let micros = self.clock.now_micros();
        (Timestamp::from_seconds(micros.div_euclid(1_000_000)), micros)
    }

    pub(super) fn today(&self, now: Timestamp) -> Date {
        Date::at(now, &self.zone)
    }

    pub(super) fn request_id(&self) -> RequestId {
        RequestId::new(&*self.entropy)
    }

    /// The address under which clients reach the service, if the host said.
    #[cfg(feature = "openapi")]
    pub(super) fn public_url(&self) -> Option<&str> {
        self.public_url.as_deref()
    }

    /// What stands before the `?` of a `Link` target.
    pub(super) fn link_base(&self, path: &str) -> String {
        self.public_url.as_ref().map_or_else(String::new, |url| format!("{url}{path}"))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Settings");
        fields.field("public_url", &self.public_url).field("zone", &self.zone.iana_name());
        fields.finish_non_exhaustive()
    }
}

fn base_url(text: &str) -> Result<String, Invalid> {
    let url = Uri::parse(text).map_err(|_| Invalid::new("must be an absolute URL"))?;
    if !matches!(url.scheme().as_str(), "https" | "http") || url.authority().is_none_or(|authority| authority.host().is_empty()) {
        return Err(Invalid::new("must be an http or https address with a host"));
    }
    if url.has_query() || url.has_fragment() {
        return Err(Invalid::new("must not have a query or a fragment"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}
