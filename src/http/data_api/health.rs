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

/// Whether the storage answers, which anyone may ask: it is read at most once a second, however many ask.
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
            // Nobody abandons a look.
            None => Err(Failure::NotReady(FailureCause::new("the look was abandoned"))),
        }
    }

    /// The look of this second.
    fn look(&self, store: &Arc<dyn SchoolStorage>, now_micros: i64) -> Arc<Flight<Result<(), FailureCause>>> {
        const SECOND: i64 = 1_000_000;
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(look) = last.as_ref().filter(|look| (0..SECOND).contains(&now_micros.saturating_sub(look.begun_micros))) {
            return Arc::clone(&look.flight);
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
