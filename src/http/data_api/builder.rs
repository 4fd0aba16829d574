use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fluent_uri::Uri;
use jiff::tz::TimeZone;

use super::DataApi;
use super::api_key_cache::ApiKeyCache;
use super::calendars::Calendars;
use super::expiry_notices::{ExpiryNotices, KeyExpiryNotifier};
use super::key_usage::KeyUsageRecorder;
use super::list_registry::ListRegistry;
use super::list_validation;
use super::owner_check_cache::OwnerCheckCache;
use super::query_cache::QueryCache;
use super::rate_limits::{KeyRateLimit, LimiterFailureMode, RateLimits};
use super::response_cache::ResponseCache;
use super::server::Shared;
use crate::crypto::{Entropy, SystemEntropy};
use crate::directory::{AnyRecordList, Directory, RecordList};
use crate::domain::{ClassPeriods, Date, InvalidValue, Quota, Timestamp};
use crate::http::audit::AuditLog;
use crate::http::key_owner_check::KeyOwnerCheck;
use crate::http::request_metrics::RequestMetrics;
use crate::http::service::ServiceContext;
use crate::http::{Clock, ConfigError, ProtectedResource, Readiness, SystemClock};
use crate::metrics::CacheMetrics;
use crate::store::{ApiKeyStore, CalendarFeedStore, RateLimiter};

/// Options of a [`DataApi`], each with a default.
#[must_use]
pub struct DataApiBuilder {
    directory: Directory,
    custom_lists: Vec<Arc<dyn AnyRecordList>>,
    keys: Arc<dyn ApiKeyStore>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    public_url: Option<String>,
    authorization_server: Option<String>,
    time_zone: String,
    ignores_unknown_parameters: bool,
    allows_any_origin: bool,
    audit: Option<Arc<dyn AuditLog>>,
    readiness: Readiness,
    key_expiry_notifier: Option<Arc<dyn KeyExpiryNotifier>>,
    key_owner_check: Option<Arc<dyn KeyOwnerCheck>>,
    key_owner_check_ttl: Duration,
    outage_tolerance: Duration,
    limits_keys: bool,
    rate_limit: Quota,
    rate_limiter: Option<Arc<dyn RateLimiter>>,
    limiter_failure: LimiterFailureMode,
    bad_key_limit: Quota,
    calendar_feeds: Option<Arc<dyn CalendarFeedStore>>,
    class_periods: ClassPeriods,
}

impl DataApiBuilder {
    pub(super) fn new(directory: Directory, keys: Arc<dyn ApiKeyStore>) -> Self {
        Self {
            directory,
            custom_lists: Vec::new(),
            keys,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            public_url: None,
            authorization_server: None,
            time_zone: "Asia/Seoul".to_owned(),
            ignores_unknown_parameters: false,
            allows_any_origin: false,
            audit: None,
            readiness: Readiness::new(),
            key_expiry_notifier: None,
            key_owner_check: None,
            key_owner_check_ttl: Duration::from_secs(60),
            outage_tolerance: Duration::from_secs(5 * 60),
            limits_keys: true,
            rate_limit: Quota::DEFAULT_FOR_API_KEY,
            rate_limiter: None,
            limiter_failure: LimiterFailureMode::FailOpen,
            bad_key_limit: Quota::DEFAULT_FOR_API_KEY,
            calendar_feeds: None,
            class_periods: ClassPeriods::default(),
        }
    }

    /// Sets the clock; the system clock by default.
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the source of request ids; the operating system's random generator by default.
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Sets the URL under which clients reach this service, such as `https://api.school.example`.
    /// `Link` targets are then absolute. By default they are relative references, which work
    /// wherever the service is mounted.
    pub fn public_url(mut self, url: &str) -> Self {
        self.public_url = Some(url.to_owned());
        self
    }

    /// Sets the issuer of the authorization service, such as `https://school.example/auth`. It is
    /// published with the public URL in `/.well-known/oauth-protected-resource` (RFC 9728); without
    /// it that path does not exist.
    pub fn authorization_server(mut self, issuer: &str) -> Self {
        self.authorization_server = Some(issuer.to_owned());
        self
    }

    /// Sets the school's time zone by its IANA name, which determines the current date;
    /// `Asia/Seoul` by default.
    pub fn time_zone(mut self, name: &str) -> Self {
        self.time_zone = name.to_owned();
        self
    }

    /// Adds a list of the host's own records, with the features of the built-in lists: pages with
    /// exact totals, entity tags, changes, formats, OpenAPI and the data browser. Pass its scope to
    /// the authorization service: [`DataApi::scopes`].
    pub fn resource<T: PartialEq + Send + Sync + 'static>(
        mut self,
        list: Arc<RecordList<T>>,
    ) -> Self {
        self.custom_lists.push(list);
        self
    }

    /// Ignores unknown query parameters. By default they are refused, so that a misspelled filter
    /// cannot return all records.
    pub fn ignore_unknown_parameters(mut self) -> Self {
        self.ignores_unknown_parameters = true;
        self
    }

    /// Lets scripts on every origin read the data, without cookies (CORS). Off by default: a key in
    /// a web page is public, so it should have few scopes and hide personal fields.
    ///
    /// Scripts may send `X-API-KEY` and `If-None-Match`, and read the headers for entity tags,
    /// pages, limits and the key's expiry.
    pub fn allow_any_origin(mut self) -> Self {
        self.allows_any_origin = true;
        self
    }

    /// Sets the audit log that records refused requests, so that their request ids can be looked
    /// up: use the authorization server's. None by default; refusals are logged with the target
    /// `lyceum::data` in any case.
    pub fn audit(mut self, log: Arc<dyn AuditLog>) -> Self {
        self.audit = Some(log);
        self
    }

    /// Sets the readiness of the process: `/v1/health/ready` responds with 503 once it begins to
    /// stop. By default only a storage that is unavailable turns it.
    pub fn readiness(mut self, readiness: Readiness) -> Self {
        self.readiness = readiness;
        self
    }

    /// Sets the notifier that tells key owners that a key expires soon, for hosts that send mail.
    /// By default only the responses of the last seven days do (`X-API-Key-Expires`).
    pub fn key_expiry_notifier(mut self, notifier: Arc<dyn KeyExpiryNotifier>) -> Self {
        self.key_expiry_notifier = Some(notifier);
        self
    }

    /// Checks whether the owner of a presented key is still a user, for hosts with their own users.
    /// There is no check by default, since removal of a built-in account revokes its keys. The key
    /// of a former user gets the response for an unknown key (401 `api_key_invalid`), and works
    /// again once its owner is a user again. Keys without an owner are not checked.
    ///
    /// A result is used for [`key_owner_check_ttl`](Self::key_owner_check_ttl), so a former user
    /// keeps access for at most that time and five seconds. While the check fails, the last result
    /// for an owner is used for up to an hour (less with more than 5,000 owners), with a warning in
    /// the log; requests with keys of other owners get 503.
    pub fn key_owner_check(mut self, owners: Arc<dyn KeyOwnerCheck>) -> Self {
        self.key_owner_check = Some(owners);
        self
    }

    /// Sets how long a result of [`key_owner_check`](Self::key_owner_check) is used: 60 seconds by
    /// default, at most an hour. Zero checks each request.
    pub fn key_owner_check_ttl(mut self, ttl: Duration) -> Self {
        self.key_owner_check_ttl = ttl;
        self
    }

    /// Sets how long cached keys work while the store is unavailable, counted from when this node
    /// last read the key; five minutes by default, zero to return 503 at once. A key never works
    /// past its expiry, and keys that are not cached on this node get 503.
    ///
    /// A key that is revoked on another node meanwhile works here until the store is available
    /// again, so a revocation may take effect later by this time.
    pub fn outage_tolerance(mut self, time: Duration) -> Self {
        self.outage_tolerance = time;
        self
    }

    /// Sets the quota of keys without a quota of their own; by default 100 requests in 60 seconds,
    /// with a burst of 100.
    pub fn rate_limit(mut self, per_key: Quota) -> Self {
        self.rate_limit = per_key;
        self
    }

    /// Sets the limiter that counts requests per key: a store or Redis if nodes share their counts,
    /// inside a [`LeasedLimiter`](super::LeasedLimiter) so that not every request queries it. By
    /// default each node counts in memory, and the quota applies per node.
    pub fn rate_limiter(mut self, limiter: Arc<dyn RateLimiter>) -> Self {
        self.rate_limiter = Some(limiter);
        self
    }

    /// Sets how requests are handled while the limiter is unavailable; by default they pass.
    pub fn on_limiter_failure(mut self, mode: LimiterFailureMode) -> Self {
        self.limiter_failure = mode;
        self
    }

    /// Disables rate limits per key, for hosts that limit elsewhere. Responses then carry no limit
    /// headers.
    pub fn without_rate_limit(mut self) -> Self {
        self.limits_keys = false;
        self
    }

    /// Sets how many requests with invalid keys are allowed from one client network (an IPv4
    /// address, an IPv6 /64) before the response is only 429; by default 100 in 60 seconds. Valid
    /// keys pass regardless.
    ///
    /// The network is that of the request's [`ClientAddress`](crate::http::ClientAddress). Without
    /// an address nothing is counted.
    pub fn bad_key_limit(mut self, per_network: Quota) -> Self {
        self.bad_key_limit = per_network;
        self
    }

    /// Serves schedules, meals and timetables as calendars to which programs subscribe (RFC 5545),
    /// below `/v1/calendars/`. Off by default.
    ///
    /// The path has the token of a [`CalendarFeed`](crate::domain::CalendarFeed), which users create
    /// in the console
    /// (`ConsoleBuilder::calendar_feeds`). A request counts towards the limit of the feed's key. The
    /// feed is read with its key at each request, in one transaction of two look-ups by an index, so
    /// that every revocation takes effect at once on all nodes.
    pub fn calendar_feeds(mut self, feeds: Arc<dyn CalendarFeedStore>) -> Self {
        self.calendar_feeds = Some(feeds);
        self
    }

    /// Sets the clock times of the periods in the calendars of timetables; by default seven periods
    /// of 50 minutes from 08:40, with an hour for lunch after the fourth.
    pub fn class_periods(mut self, periods: ClassPeriods) -> Self {
        self.class_periods = periods;
        self
    }

    /// Builds the service.
    ///
    /// # Errors
    /// When an option has an invalid value.
    pub fn build(self) -> Result<DataApi, ConfigError> {
        let zone = TimeZone::get(&self.time_zone)
            .map_err(|_| ConfigError::UnknownTimeZone(self.time_zone))?;
        let resource = match (&self.public_url, &self.authorization_server) {
            (_, None) => None,
            (None, Some(_)) => {
                return Err(ConfigError::ProtectedResource(InvalidValue::new(
                    "must have a public URL",
                )));
            }
            (Some(url), Some(issuer)) => Some(
                ProtectedResource::new(url, issuer)
                    .map_err(ConfigError::ProtectedResource)?
                    .without_tokens(),
            ),
        };
        let settings = Settings {
            clock: Arc::clone(&self.clock),
            public_url: self
                .public_url
                .as_deref()
                .map(base_url)
                .transpose()
                .map_err(ConfigError::PublicUrl)?,
            resource,
            zone,
            ignores_unknown_parameters: self.ignores_unknown_parameters,
            allows_any_origin: self.allows_any_origin,
            readiness: self.readiness,
        };
        let calendars = self.calendar_feeds.map(|feeds| {
            let public_url = settings.public_url.as_deref();
            Arc::new(Calendars::new(feeds, self.class_periods, public_url))
        });
        list_validation::validate(&self.directory, &self.custom_lists)?;
        if self.key_owner_check_ttl > Duration::from_secs(60 * 60) {
            return Err(ConfigError::KeyOwnerCheckTtl(InvalidValue::new(
                "must be at most an hour",
            )));
        }
        let owner_check_cache = self
            .key_owner_check
            .map(|owners| OwnerCheckCache::new(owners, self.key_owner_check_ttl));
        let expiry_notices = self.key_expiry_notifier.map(ExpiryNotices::new);
        let key_limit = KeyRateLimit::new(self.rate_limiter, self.rate_limit, self.limiter_failure);
        let rate_limits =
            RateLimits::new(self.limits_keys.then_some(key_limit), self.bad_key_limit);
        Ok(DataApi(Arc::new(Shared {
            settings,
            service: Arc::new(ServiceContext {
                metrics: Arc::new(RequestMetrics::new("data")),
                clock: self.clock,
                entropy: self.entropy,
                audit: self.audit,
                always_sends_request_id: false,
            }),
            client_cache_lookups: CacheMetrics::new("client"),
            lists: ListRegistry::new(self.directory, self.custom_lists),
            calendars,
            key_usage: KeyUsageRecorder::new(Arc::clone(&self.keys)),
            key_store: self.keys,
            key_cache: ApiKeyCache::new(self.outage_tolerance),
            rate_limits,
            expiry_notices,
            owner_check_cache,
            query_cache: QueryCache::new(),
            response_cache: ResponseCache::new(),
        })))
    }
}

impl fmt::Debug for DataApiBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataApiBuilder").finish_non_exhaustive()
    }
}

/// Settings of a built service.
pub(super) struct Settings {
    clock: Arc<dyn Clock>,
    public_url: Option<String>,
    /// Metadata of this service, if it is published.
    pub(super) resource: Option<ProtectedResource>,
    zone: TimeZone,
    pub(super) ignores_unknown_parameters: bool,
    pub(super) allows_any_origin: bool,
    pub(super) readiness: Readiness,
}

impl Settings {
    pub(super) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn precise_now(&self) -> Timestamp {
        self.clock.precise_now()
    }

    pub(super) fn today(&self, now: Timestamp) -> Date {
        Date::from_timestamp(now, &self.zone)
    }

    /// The school's time zone.
    pub(super) const fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The configured public URL.
    #[cfg(feature = "openapi")]
    pub(super) fn public_url(&self) -> Option<&str> {
        self.public_url.as_deref()
    }

    /// The part of a `Link` target before the `?`.
    pub(super) fn link_base(&self, path: &str) -> String {
        self.public_url
            .as_ref()
            .map_or_else(String::new, |url| format!("{url}{path}"))
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Settings");
        fields
            .field("public_url", &self.public_url)
            .field("zone", &self.zone.iana_name());
        fields.finish_non_exhaustive()
    }
}

fn base_url(text: &str) -> Result<String, InvalidValue> {
    let url = Uri::parse(text).map_err(|_| InvalidValue::new("must be an absolute URL"))?;
    if !matches!(url.scheme().as_str(), "https" | "http")
        || url
            .authority()
            .is_none_or(|authority| authority.host().is_empty())
    {
        return Err(InvalidValue::new(
            "must be an http or https address with a host",
        ));
    }
    if url.has_query() || url.has_fragment() {
        return Err(InvalidValue::new("must not have a query or a fragment"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}
