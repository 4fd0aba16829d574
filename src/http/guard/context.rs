use std::sync::Arc;

use http::{HeaderValue, Method, Response};

use super::error::Error;
use crate::crypto::SystemEntropy;
use crate::http::audit::RequestId;
use crate::http::request_metrics::{InFlightRequest, RequestMetrics};
use crate::http::{Body, FailureCause};

/// Route label in logs and metrics; the guard does not know the service's routes.
const ROUTE_LABEL: &str = "guarded";

/// Request id and metrics of one request.
#[derive(Debug, Clone)]
pub(super) struct RequestContext {
    requests: Arc<RequestMetrics>,
    /// `None` when no span is recorded: refusals then create their own.
    id: Option<RequestId>,
}

impl RequestContext {
    pub(super) fn begin(
        requests: &Arc<RequestMetrics>,
        method: &Method,
    ) -> (Self, InFlightRequest) {
        let mut id = None;
        let span = requests.span(ROUTE_LABEL, method, || *id.insert(new_id()));
        (
            Self {
                requests: Arc::clone(requests),
                id,
            },
            InFlightRequest::new(requests, ROUTE_LABEL, span),
        )
    }

    /// Adds the request id to the response, and logs and counts the refusal.
    pub(super) fn with_request_id(
        &self,
        mut response: Response<Body>,
        report: &ErrorReport,
    ) -> Response<Body> {
        let (request_id, status) = (self.id.unwrap_or_else(new_id), response.status().as_u16());
        self.requests.count_refusal(report.reason);
        let reason = &*report.message;
        match response.extensions().get::<FailureCause>() {
            Some(cause) => {
                tracing::warn!(target: "lyceum::guard", %request_id, status, reason, %cause, "failed")
            }
            None => tracing::info!(target: "lyceum::guard", %request_id, status, reason, "refused"),
        }
        if let Ok(id) = HeaderValue::from_str(request_id.as_str()) {
            response.headers_mut().insert("x-request-id", id);
        }
        response
    }
}

/// Reason of a refusal, for logs and metrics.
pub(super) struct ErrorReport {
    reason: &'static str,
    message: String,
}

impl From<&Error> for ErrorReport {
    fn from(error: &Error) -> Self {
        Self {
            reason: error.reason(),
            message: error.to_string(),
        }
    }
}

fn new_id() -> RequestId {
    RequestId::new(&SystemEntropy)
}
