use std::fmt;
use std::sync::{Arc, OnceLock};

use http::header::HeaderName;
use http::{HeaderMap, HeaderValue, Method};

use super::RequestId;
use super::request_metrics::{InFlightRequest, RequestMetrics};
use crate::crypto::Entropy;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Id of one request, and its span and metrics.
#[derive(Clone)]
pub(crate) struct RequestTrace {
    metrics: Arc<RequestMetrics>,
    entropy: Arc<dyn Entropy>,
    endpoint: &'static str,
    id: OnceLock<RequestId>,
}

impl RequestTrace {
    pub(crate) fn new(
        metrics: &Arc<RequestMetrics>,
        entropy: &Arc<dyn Entropy>,
        endpoint: &'static str,
    ) -> Self {
        Self {
            metrics: Arc::clone(metrics),
            entropy: Arc::clone(entropy),
            endpoint,
            id: OnceLock::new(),
        }
    }

    /// The request id, created by the first call. An `x-request-id` header of the client is
    /// ignored: a client could otherwise use the id of another client's request.
    pub(crate) fn id(&self) -> RequestId {
        *self.id.get_or_init(|| RequestId::new(&*self.entropy))
    }

    /// Starts the span and the metrics of the request.
    pub(crate) fn start(&self, method: &Method) -> InFlightRequest {
        let span = self.metrics.span(self.endpoint, method, || self.id());
        InFlightRequest::new(&self.metrics, self.endpoint, span)
    }

    /// Counts a refused request.
    pub(crate) fn count_refusal(&self, reason: &'static str) {
        self.metrics.count_refusal(reason);
    }

    /// Adds the request id to a response.
    pub(crate) fn insert_id(&self, headers: &mut HeaderMap) {
        if let Ok(id) = HeaderValue::from_str(self.id().as_str()) {
            headers.insert(REQUEST_ID, id);
        }
    }
}

impl fmt::Debug for RequestTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestTrace")
            .field("endpoint", &self.endpoint)
            .field("id", &self.id.get())
            .finish_non_exhaustive()
    }
}
