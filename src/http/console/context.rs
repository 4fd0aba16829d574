use http::header::HeaderName;
use http::{HeaderValue, Method, Request, Response};

use super::flash::Flash;
use super::route::MatchedRoute;
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
    /// The route, unless the path is unknown.
    pub(super) route: Option<MatchedRoute>,
    endpoint: &'static str,
}

impl RequestContext {
    /// Ignores a client's own `x-request-id`, which could imitate another request.
    pub(super) fn new<B>(server: &Shared, request: &Request<B>) -> Self {
        let address = ClientAddress::from_extensions(request.extensions());
        let route = MatchedRoute::find(request.uri().path());
        Self {
            origin: RequestOrigin {
                request_id: RequestId::new(&*server.management.entropy),
                address,
            },
            language: Language::from_headers(request.headers()),
            page_uri: route
                .as_ref()
                .filter(|found| found.route.is_page())
                .map(|_| page_uri(request)),
            flash: Flash::from_query(request.uri()),
            endpoint: route.as_ref().map_or("none", |found| found.route.endpoint),
            route,
        }
    }

    /// Values of the parameters in the path, in the order of the route's pattern; empty if it has
    /// fewer.
    pub(super) fn params<const N: usize>(&self) -> [&str; N] {
        let params = self.route.as_ref().map_or(&[][..], |found| &found.params);
        std::array::from_fn(|at| params.get(at).map_or("", String::as_str))
    }

    /// The request's metrics and span.
    pub(super) fn in_flight(&self, server: &Shared, method: &Method) -> InFlightRequest {
        let span = server
            .requests
            .span(self.endpoint, method, || self.origin.request_id);
        InFlightRequest::new(&server.requests, self.endpoint, span)
    }
}

/// URI that shows the page of the request again. For a form, it is the path of the page.
fn page_uri<B>(request: &Request<B>) -> String {
    let uri = request.uri();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    uri.path_and_query()
        .filter(|_| is_read)
        .map_or_else(|| uri.path().to_owned(), ToString::to_string)
}

impl Server {
    /// Texts in the language of the request.
    pub(super) fn texts(&self) -> &'static Texts {
        self.context.language.texts()
    }

    /// Records an audit event.
    pub(super) fn record(&self, kind: EventKind) {
        self.shared.management.record(self.context.origin, kind);
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
        self.shared.requests.count_refusal(rule.as_str());
        self.record(EventKind::Refused(RefusedRequest {
            rule,
            status,
            endpoint,
            client: None,
        }));
    }
}
