//! Metrics and tracing spans of requests, for all services.

use std::sync::Arc;

use http::{Method, StatusCode};
use tracing::{Level, Span, field};

use super::RequestId;
use crate::metrics::definitions::{REFUSALS, REQUEST_DURATION, REQUESTS};
use crate::metrics::measurement::{Counters, Histograms, Stopwatch};

/// Target by which spans are filtered.
const TARGET: &str = "lyceum::request";

/// Metrics of a service's requests.
#[derive(Debug)]
pub(crate) struct RequestMetrics {
    service: &'static str,
    total: Counters<3>,
    durations: Histograms<2>,
    refusals: Counters<2>,
}

/// Statuses that the services respond with. A service behind a guard may use others.
const STATUSES: &[StatusCode] = &[
    StatusCode::OK,
    StatusCode::NOT_MODIFIED,
    StatusCode::CREATED,
    StatusCode::NO_CONTENT,
    StatusCode::FOUND,
    StatusCode::SEE_OTHER,
    StatusCode::BAD_REQUEST,
    StatusCode::UNAUTHORIZED,
    StatusCode::FORBIDDEN,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::NOT_ACCEPTABLE,
    StatusCode::CONFLICT,
    StatusCode::PRECONDITION_FAILED,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    StatusCode::TOO_MANY_REQUESTS,
    StatusCode::INTERNAL_SERVER_ERROR,
    StatusCode::SERVICE_UNAVAILABLE,
];

impl RequestMetrics {
    pub(crate) fn new(service: &'static str) -> Self {
        let (total, durations) = (Counters::new(REQUESTS), Histograms::new(REQUEST_DURATION));
        Self {
            service,
            total,
            durations,
            refusals: Counters::new(REFUSALS),
        }
    }

    /// Creates the span of a request. It contains neither path nor query, which may be secret. `id`
    /// is called only if the span is recorded.
    pub(crate) fn span(
        &self,
        route: &'static str,
        method: &Method,
        id: impl FnOnce() -> RequestId,
    ) -> Span {
        let (service, method) = (self.service, method_label(method));
        let request_id = tracing::span_enabled!(target: TARGET, Level::INFO)
            .then(id)
            .map(field::display);
        tracing::info_span!(target: TARGET, "lyceum.request", service, route, method, request_id, status = field::Empty)
    }

    /// Counts a refused request.
    pub(crate) fn count_refusal(&self, reason: &'static str) {
        self.refusals.increment([self.service, reason]);
    }
}

/// A request that is being handled. If it is dropped before [`finish`](Self::finish), it is counted
/// without a status.
pub(crate) struct InFlightRequest {
    requests: Arc<RequestMetrics>,
    route: &'static str,
    span: Span,
    stopwatch: Stopwatch,
    status: Option<StatusCode>,
}

impl InFlightRequest {
    pub(crate) fn new(requests: &Arc<RequestMetrics>, route: &'static str, span: Span) -> Self {
        Self {
            requests: Arc::clone(requests),
            route,
            span,
            stopwatch: Stopwatch::start(),
            status: None,
        }
    }

    /// The request's span.
    pub(crate) const fn span(&self) -> &Span {
        &self.span
    }

    /// Records the status of the response.
    pub(crate) fn finish(mut self, status: StatusCode) {
        self.status = Some(status);
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        let RequestMetrics {
            service,
            total,
            durations,
            ..
        } = &*self.requests;
        let Some(status) = self.status else {
            return total.increment([*service, self.route, "none"]);
        };
        self.span.record("status", status.as_u16());
        let status_label = STATUSES
            .iter()
            .find(|known| **known == status)
            .map_or("other", StatusCode::as_str);
        total.increment([*service, self.route, status_label]);
        durations
            .with_labels([*service, self.route])
            .record(self.stopwatch.seconds());
    }
}

/// Label of a method. Methods outside of the list are chosen by clients, so they share one label.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
