//! Counts that nodes share on Redis or Valkey (feature `redis`).

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use ::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use ::redis::{Client, RedisError};
use async_trait::async_trait;
use base64ct::{Base64UrlUnpadded, Encoding};

use super::sweep::CLOCKS_APART;
use super::{RateLimiter, StorageError};
use crate::domain::{Quota, RateKey, RateVerdict};
use crate::metrics::{Calls, Stopwatch};

/// How long the server may take to accept a connection, and to answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// The last moment there is here, in microseconds since the epoch: scripts count exactly up to it. It is in the year 2255.
const LAST: i64 = 1 << 53;

/// [`Quota::check_many`] as a script, which nothing comes between. A key of which nothing is there has rested; it goes by itself when it has.
const TAKE: &str = "\
    local now, cost, latest, last, kept = unpack(ARGV)
    now = tonumber(now)
    local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
    if due > tonumber(latest) then
        return {0, due}
    end
    local arrival = math.min(due + tonumber(cost), tonumber(last))
    redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', string.format('%.0f', math.ceil((arrival - now) / 1000) + kept))
    return {1, arrival}";

/// Counts calls on a server of Redis or Valkey, in one script call for each take. It keeps one short text for a key, until the key has rested.
///
/// A server that evicts (`maxmemory-policy`) forgets who has used up what; give it room, or a policy of `noeviction`. TLS is not spoken.
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
/// let api = DataApi::builder(Directory::open(store.clone()).await?, store).rate_limiter(Arc::new(limiter)).build()?;
/// # Ok(()) }
/// ```
pub struct RedisLimiter {
    connections: ConnectionManager,
    calls: Calls,
}

impl RedisLimiter {
    /// The server at a URL such as `redis://:password@redis.example:6379/0` or `redis+unix:///run/redis.sock`. It need not be there yet:
    /// connections are made when they are needed, and again when they are lost. Runs on tokio.
    ///
    /// # Errors
    /// When the URL is not one of Redis.
    pub async fn open(url: &str) -> Result<Self, StorageError> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            // Whoever asks next tries again.
            .set_number_of_retries(0);
        let client = Client::open(url).map_err(unusable)?;
        let connections = ConnectionManager::new_lazy_with_config(client, config).map_err(unusable)?;
        Ok(Self { connections, calls: Calls::to("redis") })
    }
}

#[async_trait]
impl RateLimiter for RedisLimiter {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Result<RateVerdict, StorageError> {
        let now = now_micros.clamp(-LAST, LAST);
        let mut script = ::redis::cmd("EVAL");
        script.arg(TAKE).arg(1).arg(name_of(key));
        script
            .arg(now)
            .arg(quota.cost_micros(calls).min(LAST))
            .arg(quota.latest_for(calls, now).clamp(-LAST, LAST))
            .arg(LAST)
            .arg(CLOCKS_APART.as_millis() as u64);
        let since = Stopwatch::start();
        let answer: Result<(bool, i64), _> = script.query_async(&mut self.connections.clone()).await.map_err(unanswered);
        self.calls.ended("take_many", since, answer.as_ref().err().map(StorageError::kind));
        let (allowed, arrival) = answer?;
        Ok(if allowed { quota.allowed(arrival, now) } else { quota.check_many(Some(arrival), calls, now) })
    }
}

/// Nothing of the server, for its URL may have a password.
impl fmt::Debug for RedisLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisLimiter").finish_non_exhaustive()
    }
}

fn name_of(key: &RateKey) -> String {
    format!("lyceum:rate:{}", Base64UrlUnpadded::encode_string(key.as_bytes()))
}

fn unusable(error: RedisError) -> StorageError {
    StorageError::failed("the URL of Redis cannot be used", error)
}

fn unanswered(error: RedisError) -> StorageError {
    if error.is_io_error() || error.is_timeout() || error.is_connection_dropped() {
        return StorageError::unavailable("Redis does not answer", error);
    }
    StorageError::failed("Redis refused to count a call", error)
}
