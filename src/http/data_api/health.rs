use std::sync::{Arc, Mutex, PoisonError};

use http::{Response, StatusCode};

use super::failure::Failure;
use super::reply;
use crate::http::flight::Flight;
use crate::http::{Body, FailureCause, unless_it_panics};
use crate::store::SchoolStorage;

/// The service runs.
pub(super) fn alive() -> Response<Body> {
    reply::json(StatusCode::OK, r#"{"status":"OK","code":200,"message":"OK"}"#)
}

/// The timeout of a storage read. The services have no timer, because they run on any runtime, so the first request after the timeout abandons the
/// read, and requests that wait for it get 503.
const TIMEOUT_MICROS: i64 = 5_000_000;

/// Whether the storage answers, which anyone may ask: it is read at most once a second, however many requests come, with one read at a time.
#[derive(Default)]
pub(super) struct Readiness(Mutex<Option<Look>>);

/// A look at the storage, under way or done.
struct Look {
    begun_micros: i64,
    flight: Arc<Flight<Result<(), FailureCause>>>,
}

impl Readiness {
    /// The service runs and its storage answers. Whatever is wrong with the storage, the service is not ready.
    pub(super) async fn answer(&self, store: &Arc<dyn SchoolStorage>, now_micros: i64) -> Result<Response<Body>, Failure> {
        match self.look(store, now_micros).outcome().await {
            Some(Ok(())) => Ok(alive()),
            Some(Err(cause)) => Err(Failure::NotReady(cause)),
            None => Err(Failure::NotReady(FailureCause::new("the storage did not answer in time"))),
        }
    }

    /// The look of this second, or the one that is under way.
    fn look(&self, store: &Arc<dyn SchoolStorage>, now_micros: i64) -> Arc<Flight<Result<(), FailureCause>>> {
        const SECOND: i64 = 1_000_000;
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = &*last {
            let holds = if look.flight.is_under_way() { TIMEOUT_MICROS } else { SECOND };
            if (0..holds).contains(&now_micros.saturating_sub(look.begun_micros)) {
                return Arc::clone(&look.flight);
            }
            look.flight.abandon();
        }
        let store = Arc::clone(store);
        let flight = Flight::new(async move {
            match unless_it_panics(store.version()).await {
                Some(version) => version.map(drop).map_err(FailureCause::new),
                None => Err(FailureCause::new("the storage panicked")),
            }
        });
        *last = Some(Look { begun_micros: now_micros, flight: Arc::clone(&flight) });
        flight
    }
}
