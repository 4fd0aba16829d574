//! Rate limiter on Redis or Valkey (feature `redis`).

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use ::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use ::redis::{Client, RedisError};
use async_trait::async_trait;
use base64ct::{Base64UrlUnpadded, Encoding};

use super::retention::CLOCK_SKEW;
use super::{RateLimiter, StorageError};
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::metrics::StoreMetrics;
use crate::metrics::measurement::Stopwatch;

/// Timeout for connecting to the server, and for each of its responses.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The latest supported time (in the year 2255). Scripts count its microseconds exactly.
const LATEST: Timestamp = Timestamp::from_micros(1 << 53);

/// The earliest supported time.
const EARLIEST: Timestamp = Timestamp::from_micros(-LATEST.micros());

/// [`Quota::check_many`] as a script, which runs atomically. A missing key equals a rested limit;
/// keys expire once they have rested.
const TAKE_SCRIPT: &str = "\
    local now, cost, latest, last, kept = unpack(ARGV)
    now = tonumber(now)
    local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
    if due > tonumber(latest) then
        return {0, due}
    end
    local arrival = math.min(due + tonumber(cost), tonumber(last))
    redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', string.format('%.0f', math.ceil((arrival - now) / 1000) + kept))
    return {1, arrival}";

/// Counts calls on a Redis or Valkey server, in one script call for each take. It stores one short
/// string for each key until the limit has rested.
///
/// A server that evicts keys (`maxmemory-policy`) forgets the calls that were counted. Give it
/// enough memory, or use the policy `noeviction`. TLS is not supported.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use lyceum::DataApi;
/// use lyceum::directory::Directory;
/// use lyceum::store::memory::MemoryStore;
/// use lyceum::store::redis::RedisLimiter;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let limiter = RedisLimiter::open("redis://127.0.0.1/0").await?;
/// let store = Arc::new(MemoryStore::new());
/// let api = DataApi::builder(Directory::open(store.clone()).await?, store)
///     .rate_limiter(Arc::new(limiter))
///     .build()?;
/// # Ok(()) }
/// ```
pub struct RedisLimiter {
    connections: ConnectionManager,
    calls: StoreMetrics,
}

impl RedisLimiter {
    /// Creates a limiter for a URL such as `redis://:password@redis.example:6379/0` or
    /// `redis+unix:///run/redis.sock`. The server need not be reachable yet: the limiter connects
    /// when it needs a connection, and again when one is lost. Requires tokio.
    ///
    /// # Errors
    /// When the URL is not a valid Redis URL.
    pub async fn open(url: &str) -> Result<Self, StorageError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(TIMEOUT))
            .set_response_timeout(Some(TIMEOUT))
            // The next call tries again.
            .set_number_of_retries(0);
        let client = Client::open(url).map_err(invalid_url)?;
        let connections =
            ConnectionManager::new_lazy_with_config(client, config).map_err(invalid_url)?;
        Ok(Self {
            connections,
            calls: StoreMetrics::new("redis"),
        })
    }
}

#[async_trait]
impl RateLimiter for RedisLimiter {
    async fn take_many(
        &self,
        key: &RateLimitKey,
        quota: Quota,
        calls: NonZeroU32,
        at: Timestamp,
    ) -> Result<RateLimitDecision, StorageError> {
        let now = at.clamp(EARLIEST, LATEST);
        let mut script = ::redis::cmd("EVAL");
        script.arg(TAKE_SCRIPT).arg(1).arg(redis_key(key));
        script
            .arg(now.micros())
            .arg(Timestamp::micros_of(quota.cost(calls)).min(LATEST.micros()))
            .arg(
                quota
                    .max_arrival_for(calls, now)
                    .clamp(EARLIEST, LATEST)
                    .micros(),
            )
            .arg(LATEST.micros())
            .arg(CLOCK_SKEW.as_millis() as u64);
        let since = Stopwatch::start();
        let result: Result<(bool, i64), _> = script
            .query_async(&mut self.connections.clone())
            .await
            .map_err(storage_error);
        self.calls.record(
            "take_many",
            since,
            result.as_ref().err().map(StorageError::kind),
        );
        let (allowed, arrival) = result?;
        let arrival = Timestamp::from_micros(arrival);
        Ok(if allowed {
            quota.allowed(arrival, now)
        } else {
            quota.check_many(Some(arrival), calls, now)
        })
    }
}

/// Omits the server, because its URL may contain a password.
impl fmt::Debug for RedisLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisLimiter").finish_non_exhaustive()
    }
}

fn redis_key(key: &RateLimitKey) -> String {
    format!(
        "lyceum:rate:{}",
        Base64UrlUnpadded::encode_string(key.as_bytes())
    )
}

fn invalid_url(error: RedisError) -> StorageError {
    StorageError::failed("the URL of Redis cannot be used", error)
}

fn storage_error(error: RedisError) -> StorageError {
    if error.is_io_error() || error.is_timeout() || error.is_connection_dropped() {
        return StorageError::unavailable("Redis does not respond", error);
    }
    StorageError::failed("Redis refused to count a call", error)
}
