use http::header::HeaderName;
use http::{HeaderValue, Method, Request, Response};

use super::flash::Flash;
use super::route;
use super::server::{Server, Shared};
use crate::http::audit::{EventKind, RefusalRule, RefusedRequest, RequestId, RequestOrigin};
use crate::http::pages::Language;
use crate::http::pages::texts::Texts;
use crate::http::request_metrics::InFlightRequest;
use crate::http::{Body, ClientAddress, FailureCause, sensitive_headers};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Context of one request, for logs and events.
pub(super) struct RequestContext {
    pub(super) origin: RequestOrigin,
    pub(super) language: Language,
    /// URI that shows the same page again, from the root of the service, if there is one.
    pub(super) page_uri: Option<String>,
    /// Notice about the preceding action, from the query.
    pub(super) flash: Option<Flash>,
    endpoint: &'static str,
}

impl RequestContext {
    /// Ignores a client's own `x-request-id`, which could imitate another request.
    pub(super) fn new<B>(server: &Shared, request: &Request<B>) -> Self {
        let address = ClientAddress::from_extensions(request.extensions());
        Self {
            origin: RequestOrigin {
                request_id: RequestId::new(&*server.entropy),
                address,
            },
            language: Language::from_headers(request.headers()),
            page_uri: route::page_uri(request),
            flash: Flash::from_query(request.uri()),
            endpoint: route::endpoint(request),
        }
    }

    /// The request's metrics and span.
    pub(super) fn in_flight(&self, server: &Shared, method: &Method) -> InFlightRequest {
        let span = server
            .requests
            .span(self.endpoint, method, || self.origin.request_id);
        InFlightRequest::new(&server.requests, self.endpoint, span)
    }
}

impl Server {
    /// Texts in the language of the request.
    pub(super) fn texts(&self) -> &'static Texts {
        self.context.language.texts()
    }

    /// Records an audit event.
    pub(super) fn record(&self, kind: EventKind) {
        self.management.record(self.context.origin, kind);
    }

    /// Finishes every response: adds the request id and logs a refusal.
    pub(super) fn finish(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        if let Ok(id) = HeaderValue::from_str(self.context.origin.request_id.as_str()) {
            headers.insert(REQUEST_ID, id);
        }
        sensitive_headers::mark_response(headers);
        if let Some(rule) = response.extensions_mut().remove::<RefusalRule>() {
            self.log_refusal(rule, &response);
        }
        response
    }

    fn log_refusal(&self, rule: RefusalRule, response: &Response<Body>) {
        let (request_id, endpoint, status) = (
            self.context.origin.request_id,
            self.context.endpoint,
            response.status().as_u16(),
        );
        match response.extensions().get::<FailureCause>() {
            Some(cause) => {
                tracing::error!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, %cause, "failed")
            }
            None if matches!(status, 429 | 503) => {
                tracing::warn!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, "refused");
            }
            None => {
                tracing::info!(target: "lyceum::console", %request_id, endpoint, rule = rule.as_str(), status, "refused")
            }
        }
        self.requests.count_refusal(rule.as_str());
        self.record(EventKind::Refused(RefusedRequest {
            rule,
            status,
            endpoint,
            client: None,
        }));
    }
}
