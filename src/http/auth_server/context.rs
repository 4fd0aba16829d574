use std::sync::OnceLock;

use http::header::HeaderName;
use http::{HeaderValue, Method, Request, Response};
use tracing::field;

use super::error::{Error, ErrorFormat};
use super::route;
use super::server::{Server, Shared};
use crate::domain::ClientId;
use crate::http::audit::{EventKind, RefusalRule, RefusedRequest, RequestId, RequestOrigin};
use crate::http::cors::Cors;
use crate::http::pages::Language;
use crate::http::request_metrics::InFlightRequest;
use crate::http::{Body, ClientAddress, FailureCause, sensitive_headers};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Data of one request for logs, events and responses.
pub(super) struct RequestContext {
    pub(super) origin: RequestOrigin,
    pub(super) language: Language,
    /// The URI of the requested page from the root of the host, if the request is for a page.
    pub(super) page_uri: Option<String>,
    /// The CORS policy of the endpoint, if other origins may use it.
    pub(super) cors: Option<&'static Cors>,
    endpoint: &'static str,
    client: OnceLock<ClientId>,
    authenticated: OnceLock<()>,
}

impl RequestContext {
    /// Creates the context with a new request id. An `x-request-id` header of the client is
    /// ignored: clients could pass off their requests as others'.
    pub(super) fn new<B>(server: &Shared, request: &Request<B>) -> Self {
        let address = ClientAddress::from_extensions(request.extensions());
        Self {
            origin: RequestOrigin {
                request_id: RequestId::new(&*server.entropy),
                address,
            },
            language: Language::from_headers(request.headers()),
            page_uri: route::page_uri(request)
                .map(|page| format!("{}{page}", server.issuer.path())),
            cors: route::cors(server, request),
            endpoint: route::endpoint(request),
            client: OnceLock::new(),
            authenticated: OnceLock::new(),
        }
    }

    /// Records that the client has authenticated as its policy requires.
    pub(super) fn set_authenticated(&self) {
        let _ = self.authenticated.set(());
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.get().is_some()
    }

    /// Starts the span and metrics of this request.
    pub(super) fn in_flight(&self, server: &Shared, method: &Method) -> InFlightRequest {
        let span = server
            .requests
            .span(self.endpoint, method, || self.origin.request_id);
        InFlightRequest::new(&server.requests, self.endpoint, span)
    }
}

impl Server {
    /// Records the client that the request is about.
    pub(super) fn set_client(&self, client: ClientId) {
        // Only the first one is stored: a request concerns one client.
        let _ = self.context.client.set(client);
    }

    /// Records an audit event.
    pub(super) fn record(&self, kind: EventKind) {
        self.management.record(self.context.origin, kind);
    }

    /// Renders an error as a response.
    pub(super) fn error_response(&self, error: Error, error_format: ErrorFormat) -> Response<Body> {
        error.into_response(error_format, self)
    }

    /// Adds the request id and CORS headers to every response, and logs a refusal.
    pub(super) fn finish(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        if let Ok(id) = HeaderValue::from_str(self.context.origin.request_id.as_str()) {
            headers.insert(REQUEST_ID, id);
        }
        sensitive_headers::mark_response(headers);
        if let Some(cors) = self.context.cors {
            cors.add_response_headers(headers);
        }
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
        let client = self.context.client.get().copied();
        let named = client.map(field::display);
        match response.extensions().get::<FailureCause>() {
            Some(cause) => {
                tracing::error!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, %cause, "failed");
            }
            None if matches!(status, 429 | 503) => {
                tracing::warn!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, "refused");
            }
            None => {
                tracing::info!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, "refused")
            }
        }
        self.requests.count_refusal(rule.as_str());
        self.record(EventKind::Refused(RefusedRequest {
            rule,
            status,
            endpoint,
            client,
        }));
    }
}
