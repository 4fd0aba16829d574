use http::header::HeaderName;
use http::{HeaderValue, Method, Request, Response};

use super::done::Done;
use super::route;
use super::server::{Server, Shared};
use crate::http::audit::{EventKind, Origin, Refused, RequestId, Rule};
use crate::http::pages::Language;
use crate::http::pages::texts::Texts;
use crate::http::requests::Underway;
use crate::http::{Body, ClientAddress, FailureCause, sensitive};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One request, as the log and events tell of it.
pub(super) struct Visit {
    pub(super) origin: Origin,
    pub(super) language: Language,
    /// Where its page can be had again, from the root of the service, if it is one.
    pub(super) page: Option<String>,
    /// What has just been done, as the address says.
    pub(super) done: Option<Done>,
    endpoint: &'static str,
}

impl Visit {
    /// What `x-request-id` a client sends plays no part: strangers could make their requests look like others'.
    pub(super) fn new<B>(server: &Shared, request: &Request<B>) -> Self {
        let address = ClientAddress::among(request.extensions());
        Self {
            origin: Origin { request_id: RequestId::new(&*server.entropy), address },
            language: Language::of(request.headers()),
            page: route::page(request),
            done: Done::of(request.uri()),
            endpoint: route::name(request),
        }
    }

    /// The visit as metrics and a span tell of it.
    pub(super) fn underway(&self, server: &Shared, method: &Method) -> Underway {
        let span = server.requests.span(self.endpoint, method, || self.origin.request_id);
        Underway::new(&server.requests, self.endpoint, span)
    }
}

impl Server {
    /// What the pages of the request say.
    pub(super) fn texts(&self) -> &'static Texts {
        self.visit.language.texts()
    }

    /// Records that something has happened.
    pub(super) fn record(&self, kind: EventKind) {
        self.office.record(self.visit.origin, kind);
    }

    /// The last touch to every answer: its id, and what the log is told of it.
    pub(super) fn finish(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        if let Ok(id) = HeaderValue::from_str(self.visit.origin.request_id.as_str()) {
            headers.insert(REQUEST_ID, id);
        }
        sensitive::mark_answer(headers);
        if let Some(rule) = response.extensions_mut().remove::<Rule>() {
            self.explain(rule, &response);
        }
        response
    }

    fn explain(&self, rule: Rule, response: &Response<Body>) {
        let (request_id, endpoint, status) = (self.visit.origin.request_id, self.visit.endpoint, response.status().as_u16());
        match response.extensions().get::<FailureCause>() {
            Some(cause) => {
                tracing::error!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, %cause, "failed")
            }
            None if matches!(status, 429 | 503) => {
                tracing::warn!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, "refused");
            }
            None => tracing::info!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, "refused"),
        }
        self.requests.refused(rule.as_str());
        self.record(EventKind::Refused(Refused { rule, status, endpoint, client: None }));
    }
}
