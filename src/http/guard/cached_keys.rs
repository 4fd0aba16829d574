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
use crate::flight::Flight;
use crate::http::unless_it_panics;
use crate::metrics::Lookups;

/// How soon it is tried again when there was never a set.
const FIRST_RETRY: Duration = Duration::from_secs(5);
/// How long the last good set is used while no other can be fetched: by then every token that it could check has expired.
const LAST_RESORT: Duration = Duration::from_secs(24 * 60 * 60);

type Fetching = Pin<Box<dyn Future<Output = Result<Bytes, BoxError>> + Send>>;
type Fetched = Result<Arc<TokenVerifier>, Arc<dyn std::error::Error + Send + Sync>>;

/// Keys that are fetched when they are needed, and kept.
///
/// * A set is used for its [`max_age`](Self::max_age), and fetched anew with the first request after it.
/// * A key that is not in it may be newer, so it is fetched anew for that too, at most once in each [`cool_down`](Self::cool_down): tokens with
///   invented keys cost the authorization service nothing.
/// * All requests that wait, wait for the same fetch. One that hangs up ends nothing.
/// * While fetches fail, the last good set is used, for a day. Until there was one, requests are answered with 503.
pub struct CachedKeys {
    fetch: Box<dyn Fn() -> Fetching + Send + Sync>,
    max_age: Duration,
    cool_down: Duration,
    state: Mutex<State>,
    lookups: Lookups,
}

#[derive(Default)]
struct State {
    /// The last good set, and when it was asked for.
    set: Option<(Arc<TokenVerifier>, Timestamp)>,
    attempted_at: Option<Timestamp>,
    failure: Option<Arc<dyn std::error::Error + Send + Sync>>,
    flight: Option<(Arc<Flight<Fetched>>, Timestamp)>,
}

enum Plan {
    Use(Arc<TokenVerifier>),
    Wait(Arc<Flight<Fetched>>, Timestamp),
    Refuse(KeysUnavailable),
}

impl CachedKeys {
    /// Keys from a function that fetches the JSON of a key set, such as `https://school.example/auth/v1/oauth/jwk-set`.
    ///
    /// Give it a deadline: requests wait for it. Let it take nothing but status 200, and no more than 64 KiB.
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
            lookups: Lookups::of("published_keys"),
        }
    }

    /// How long a set is used before it is fetched anew, which is also how long a key that was revoked in an emergency goes on to be believed.
    /// 5 minutes by default, which is what the authorization service asks for; at least a second.
    #[must_use]
    pub fn max_age(mut self, age: Duration) -> Self {
        self.max_age = age.max(Duration::from_secs(1));
        self
    }

    /// How long after a fetch there is no other one because of an unknown key, or because it failed. 1 minute by default; never longer than
    /// the set's age.
    #[must_use]
    pub fn cool_down(mut self, length: Duration) -> Self {
        self.cool_down = length;
        self
    }

    fn plan(&self, wanted: &KeyId, at: Timestamp) -> Plan {
        let cool_down = self.cool_down.min(self.max_age);
        let mut state = self.state();
        let usable = state.set.as_ref().filter(|(_, since)| within(*since, LAST_RESORT.max(self.max_age), at));
        if let Some((set, since)) = usable
            && within(*since, self.max_age, at)
            && set.knows(wanted)
        {
            return Plan::Use(Arc::clone(set));
        }
        let usable = usable.map(|(set, _)| Arc::clone(set));
        if let Some((flight, since)) = &state.flight {
            if within(*since, cool_down.max(FIRST_RETRY), at) {
                return Plan::Wait(Arc::clone(flight), *since);
            }
            // Whatever it waits for has had its time.
            flight.abandon();
        }
        let pause = if usable.is_some() { cool_down } else { cool_down.min(FIRST_RETRY) };
        if let Some(attempted_at) = state.attempted_at.filter(|attempted_at| within(*attempted_at, pause, at)) {
            return usable.map_or_else(|| Plan::Refuse(state.refusal(attempted_at.plus(pause), at)), Plan::Use);
        }
        let fetching = (self.fetch)();
        let flight = Flight::new(async move {
            let fetched = unless_it_panics(fetching).await.unwrap_or_else(|| Err("the fetch panicked".into()));
            Ok(Arc::new(TokenVerifier::from_json(&fetched?).map_err(BoxError::from)?))
        });
        state.attempted_at = Some(at);
        state.flight = Some((Arc::clone(&flight), at));
        Plan::Wait(flight, at)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes what a flight brought, once.
    fn land(&mut self, flight: &Arc<Flight<Fetched>>, since: Timestamp, fetched: Option<Fetched>) {
        if self.flight.take_if(|(current, _)| Arc::ptr_eq(current, flight)).is_none() {
            return;
        }
        match fetched {
            // It is as old as the question, whenever the answer was read.
            Some(Ok(set)) => (self.set, self.failure) = (Some((set, since)), None),
            Some(Err(error)) => {
                tracing::warn!(%error, "the keys of the authorization service could not be fetched");
                self.failure = Some(error);
            }
            None => {}
        }
    }

    fn refusal(&self, again: Timestamp, at: Timestamp) -> KeysUnavailable {
        let wait = again.seconds().saturating_sub(at.seconds()).max(1).unsigned_abs();
        let cause: BoxError = match &self.failure {
            Some(failure) => Box::new(Arc::clone(failure)),
            None => "no fetch has come to an end yet".into(),
        };
        KeysUnavailable::new(Duration::from_secs(wait), cause)
    }
}

#[async_trait]
impl KeySource for CachedKeys {
    async fn verifier(&self, wanted: &KeyId, at: Timestamp) -> Result<Arc<TokenVerifier>, KeysUnavailable> {
        let mut plan = self.plan(wanted, at);
        self.lookups.count(matches!(plan, Plan::Use(_)));
        loop {
            let (flight, since) = match plan {
                Plan::Use(set) => return Ok(set),
                Plan::Refuse(reason) => return Err(reason),
                Plan::Wait(flight, since) => (flight, since),
            };
            let fetched = flight.outcome().await;
            self.state().land(&flight, since, fetched);
            plan = self.plan(wanted, at);
        }
    }
}

impl fmt::Debug for CachedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedKeys").field("max_age", &self.max_age).field("cool_down", &self.cool_down).finish_non_exhaustive()
    }
}

/// Whether two moments lie so close together, in either order: requests overtake each other, and clocks are set back.
fn within(then: Timestamp, length: Duration, at: Timestamp) -> bool {
    then.minus(length) < at && at < then.plus(length)
}
