//! What is told of each request, whichever service it is for: metrics, and a span around all that happens for it.

use std::sync::Arc;

use http::{Method, StatusCode};
use tracing::{Level, Span, field};

use super::audit::RequestId;
use crate::metrics::{Counters, Histograms, REFUSALS, REQUEST_TIME, REQUESTS, Stopwatch};

/// What spans are filtered by.
const TARGET: &str = "lyceum::request";

/// The requests of a service.
#[derive(Debug)]
pub(crate) struct Requests {
    service: &'static str,
    ended: Counters<3>,
    times: Histograms<2>,
    refusals: Counters<2>,
}

/// The statuses that the services answer with. A service behind a guard may answer with others.
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

impl Requests {
    pub(crate) fn of(service: &'static str) -> Self {
        let (ended, times) = (Counters::new(REQUESTS), Histograms::new(REQUEST_TIME));
        Self { service, ended, times, refusals: Counters::new(REFUSALS) }
    }

    /// The span of a request. It holds neither its path nor its query, which may be secret. `id` is asked for one only if somebody listens.
    pub(crate) fn span(&self, route: &'static str, method: &Method, id: impl FnOnce() -> RequestId) -> Span {
        let (service, method) = (self.service, known(method));
        let request_id = tracing::span_enabled!(target: TARGET, Level::INFO).then(id).map(field::display);
        tracing::info_span!(target: TARGET, "lyceum.request", service, route, method, request_id, status = field::Empty)
    }

    /// An answer refuses something, by a rule of ours.
    pub(crate) fn refused(&self, reason: &'static str) {
        self.refusals.count([self.service, reason]);
    }
}

/// A request that is being answered. One that is dropped before [`ended`](Self::ended) was given up.
pub(crate) struct Underway {
    requests: Arc<Requests>,
    route: &'static str,
    span: Span,
    since: Stopwatch,
    status: Option<StatusCode>,
}

impl Underway {
    pub(crate) fn new(requests: &Arc<Requests>, route: &'static str, span: Span) -> Self {
        Self { requests: Arc::clone(requests), route, span, since: Stopwatch::start(), status: None }
    }

    /// The span around all that happens for it.
    pub(crate) const fn span(&self) -> &Span {
        &self.span
    }

    /// The request has its answer.
    pub(crate) fn ended(mut self, status: StatusCode) {
        self.status = Some(status);
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let Requests { service, ended, times, .. } = &*self.requests;
        let Some(status) = self.status else { return ended.count([*service, self.route, "none"]) };
        self.span.record("status", status.as_u16());
        let word = STATUSES.iter().find(|known| **known == status).map_or("other", StatusCode::as_str);
        ended.count([*service, self.route, word]);
        times.with([*service, self.route]).record(self.since.seconds());
    }
}

/// A method that is not one of HTTP's own is whatever somebody sent.
fn known(method: &Method) -> &'static str {
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
