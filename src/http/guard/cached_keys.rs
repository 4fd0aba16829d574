use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;

use super::BoxError;
use super::keys::{KeySource, KeysUnavailable};
use crate::crypto::TokenVerifier;
use crate::domain::{KeyId, Timestamp};
use crate::http::catch_panic;
use crate::metrics::CacheMetrics;
use crate::single_flight::SingleFlight;

/// Time between attempts until a first key set is fetched.
const INITIAL_RETRY: Duration = Duration::from_secs(5);
/// Maximum age of a key set that is used while fetches fail: by then every token that it could
/// verify has expired.
const MAX_STALE: Duration = Duration::from_secs(24 * 60 * 60);

type FetchFuture = Pin<Box<dyn Future<Output = Result<Bytes, BoxError>> + Send>>;
type FetchResult = Result<Arc<TokenVerifier>, Arc<dyn std::error::Error + Send + Sync>>;

/// Keys that are fetched on demand and cached.
///
/// * A key set is used for its [`max_age`](Self::max_age), and refetched by the first request after
///   it.
/// * A token with an unknown key causes a refetch too, at most once per
///   [`cool_down`](Self::cool_down): tokens with invented keys do not load the authorization
///   service.
/// * Concurrent requests share one fetch. A request that is cancelled does not cancel the fetch.
/// * While fetches fail, the last key set is used for a day. Without a first key set, requests get
///   503.
pub struct CachedKeys {
    fetch: Box<dyn Fn() -> FetchFuture + Send + Sync>,
    max_age: Duration,
    cool_down: Duration,
    state: Mutex<State>,
    lookups: CacheMetrics,
}

#[derive(Default)]
struct State {
    /// The last key set, and when its fetch started.
    set: Option<(Arc<TokenVerifier>, Timestamp)>,
    attempted_at: Option<Timestamp>,
    failure: Option<Arc<dyn std::error::Error + Send + Sync>>,
    flight: Option<(Arc<SingleFlight<FetchResult>>, Timestamp)>,
}

enum CacheDecision {
    Use(Arc<TokenVerifier>),
    Wait(Arc<SingleFlight<FetchResult>>, Timestamp),
    Refuse(KeysUnavailable),
}

impl CachedKeys {
    /// Creates a source from a function that fetches the JSON of a key set, such as
    /// `https://school.example/auth/v1/oauth/jwk-set`.
    ///
    /// The function needs a timeout, since requests wait for it. It should accept only status 200
    /// and at most 64 KiB.
    pub fn new<F, R>(fetch: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<Bytes, BoxError>> + Send + 'static,
    {
        Self {
            fetch: Box::new(move || Box::pin(fetch())),
            max_age: Duration::from_secs(300),
            cool_down: Duration::from_secs(60),
            state: Mutex::default(),
            lookups: CacheMetrics::new("published_keys"),
        }
    }

    /// Sets how long a key set is used before it is refetched. A key that is revoked in an
    /// emergency stays trusted for this time. 5 minutes by default, as the authorization service's
    /// `max-age`; at least a second.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age.max(Duration::from_secs(1));
        self
    }

    /// Sets how long after a fetch there is no refetch for an unknown key or after a failure. 1
    /// minute by default; never longer than `max_age`.
    #[must_use]
    pub fn cool_down(mut self, length: Duration) -> Self {
        self.cool_down = length;
        self
    }

    fn decide(&self, key_id: &KeyId, at: Timestamp) -> CacheDecision {
        let cool_down = self.cool_down.min(self.max_age);
        let mut state = self.state();
        let usable = state
            .set
            .as_ref()
            .filter(|(_, since)| is_close(*since, MAX_STALE.max(self.max_age), at));
        if let Some((set, since)) = usable
            && is_close(*since, self.max_age, at)
            && set.contains_key(key_id)
        {
            return CacheDecision::Use(Arc::clone(set));
        }
        let usable = usable.map(|(set, _)| Arc::clone(set));
        if let Some((flight, since)) = &state.flight {
            if is_close(*since, cool_down.max(INITIAL_RETRY), at) {
                return CacheDecision::Wait(Arc::clone(flight), *since);
            }
            // The fetch timed out.
            flight.cancel();
        }
        let pause = if usable.is_some() {
            cool_down
        } else {
            cool_down.min(INITIAL_RETRY)
        };
        if let Some(attempted_at) = state
            .attempted_at
            .filter(|attempted_at| is_close(*attempted_at, pause, at))
        {
            return usable.map_or_else(
                || CacheDecision::Refuse(state.refusal(attempted_at.plus(pause), at)),
                CacheDecision::Use,
            );
        }
        let fetch = (self.fetch)();
        let flight = SingleFlight::new(async move {
            let fetched = catch_panic(fetch)
                .await
                .unwrap_or_else(|| Err("the fetch panicked".into()));
            Ok(Arc::new(
                TokenVerifier::from_json(&fetched?).map_err(BoxError::from)?,
            ))
        });
        state.attempted_at = Some(at);
        state.flight = Some((Arc::clone(&flight), at));
        CacheDecision::Wait(flight, at)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Stores the result of a fetch, once.
    fn finish_fetch(
        &mut self,
        flight: &Arc<SingleFlight<FetchResult>>,
        since: Timestamp,
        fetched: Option<FetchResult>,
    ) {
        if self
            .flight
            .take_if(|(current, _)| Arc::ptr_eq(current, flight))
            .is_none()
        {
            return;
        }
        match fetched {
            // Its age counts from the start of the fetch.
            Some(Ok(set)) => (self.set, self.failure) = (Some((set, since)), None),
            Some(Err(error)) => {
                tracing::warn!(%error, "the keys of the authorization service could not be fetched");
                self.failure = Some(error);
            }
            None => {}
        }
    }

    fn refusal(&self, again: Timestamp, at: Timestamp) -> KeysUnavailable {
        let wait = again.since(at).max(Duration::from_secs(1));
        let cause: BoxError = match &self.failure {
            Some(failure) => Box::new(Arc::clone(failure)),
            None => "no fetch has come to an end yet".into(),
        };
        KeysUnavailable::new(wait, cause)
    }
}

#[async_trait]
impl KeySource for CachedKeys {
    async fn verifier(
        &self,
        key_id: &KeyId,
        at: Timestamp,
    ) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        let mut decision = self.decide(key_id, at);
        self.lookups
            .count(matches!(decision, CacheDecision::Use(_)));
        loop {
            let (flight, since) = match decision {
                CacheDecision::Use(set) => return Ok(set),
                CacheDecision::Refuse(reason) => return Err(reason),
                CacheDecision::Wait(flight, since) => (flight, since),
            };
            let fetched = flight.wait().await;
            self.state().finish_fetch(&flight, since, fetched);
            decision = self.decide(key_id, at);
        }
    }
}

impl fmt::Debug for CachedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedKeys")
            .field("max_age", &self.max_age)
            .field("cool_down", &self.cool_down)
            .finish_non_exhaustive()
    }
}

/// Whether two times are closer than `length`, in either order: requests overtake each other, and
/// clocks are set back.
fn is_close(then: Timestamp, length: Duration, at: Timestamp) -> bool {
    then.minus(length) < at && at < then.plus(length)
}
