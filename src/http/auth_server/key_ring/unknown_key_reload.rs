use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::signing_key_cache::SigningKeyCache;
use crate::domain::Timestamp;
use crate::http::catch_panic;
use crate::single_flight::SingleFlight;

/// Minimum time between two reloads because of an unknown key.
const COOL_DOWN: Duration = Duration::from_secs(5);

/// Reloads the keys when a token names a key that this node has not cached, at most once per
/// [`COOL_DOWN`], so that tokens with made-up key ids cause little load on the store. Concurrent
/// requests share one reload, which continues if a request is cancelled.
#[derive(Default)]
pub(super) struct UnknownKeyReload(Mutex<Option<(Timestamp, Arc<SingleFlight<()>>)>>);

impl UnknownKeyReload {
    /// Waits for the current or a recent reload. If it fails, the loaded keys stay.
    pub(super) async fn reload_if_due(&self, cache: &Arc<SigningKeyCache>, now: Timestamp) {
        self.flight(cache, now).wait().await;
    }

    fn flight(&self, cache: &Arc<SigningKeyCache>, now: Timestamp) -> Arc<SingleFlight<()>> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, flight)) = &*latest
            && now.is_within(COOL_DOWN, *at)
        {
            return Arc::clone(flight);
        }
        let cache = Arc::clone(cache);
        let flight = SingleFlight::new(async move {
            if let Some(Err(error)) = catch_panic(cache.reload_early(now)).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    "the signing keys could not be reloaded for a token's key id; the loaded ones stay"
                );
            }
        });
        *latest = Some((now, Arc::clone(&flight)));
        flight
    }
}
