use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::seen_keys::SeenKeys;
use crate::domain::Timestamp;
use crate::flight::Flight;
use crate::http::unless_it_panics;

/// How long after a look at the store there is no other one because of an unknown key.
const COOL_DOWN: Duration = Duration::from_secs(5);

/// Looks at the store because tokens name keys that this node has not seen, at most once in each [`COOL_DOWN`]: tokens with invented keys
/// cost the store next to nothing. All requests that wait, wait for the same look. One that hangs up ends nothing.
#[derive(Default)]
pub(super) struct UnknownKeys(Mutex<Option<(Timestamp, Arc<Flight<()>>)>>);

impl UnknownKeys {
    /// Waits until the store was looked at, lately or now. When that fails, what was seen before stays.
    pub(super) async fn look(&self, seen: &Arc<SeenKeys>, now: Timestamp) {
        self.flight(seen, now).outcome().await;
    }

    fn flight(&self, seen: &Arc<SeenKeys>, now: Timestamp) -> Arc<Flight<()>> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, flight)) = &*latest
            && *at <= now
            && now < at.plus(COOL_DOWN)
        {
            return Arc::clone(flight);
        }
        let seen = Arc::clone(seen);
        let flight = Flight::new(async move {
            if let Some(Err(error)) = unless_it_panics(seen.load_between(now)).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the signing keys could not be looked at for a token's; the old ones stay");
            }
        });
        *latest = Some((now, Arc::clone(&flight)));
        flight
    }
}
