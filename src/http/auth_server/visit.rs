use std::sync::OnceLock;

use http::header::HeaderName;
use http::{HeaderValue, Method, Request, Response};
use tracing::field;

use super::error::{Dress, Refusal};
use super::route;
use super::server::{Server, Shared};
use crate::domain::ClientId;
use crate::http::audit::{EventKind, Origin, Refused, RequestId, Rule};
use crate::http::cors::Cors;
use crate::http::pages::Language;
use crate::http::requests::Underway;
use crate::http::{Body, ClientAddress, FailureCause, sensitive};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// One request, as the log and events tell of it.
pub(super) struct Visit {
    pub(super) origin: Origin,
    pub(super) language: Language,
    /// Where its page can be had again, from the root of the host, if it is one.
    pub(super) page: Option<String>,
    /// What scripts of other origins may do at its endpoint, if they may use it.
    pub(super) cors: Option<&'static Cors>,
    endpoint: &'static str,
    client: OnceLock<ClientId>,
    authenticated: OnceLock<()>,
}

impl Visit {
    /// What `x-request-id` a client sends plays no part: strangers could make their requests look like others'.
    pub(super) fn new<B>(server: &Shared, request: &Request<B>) -> Self {
        let address = ClientAddress::among(request.extensions());
        Self {
            origin: Origin { request_id: RequestId::new(&*server.entropy), address },
            language: Language::of(request.headers()),
            page: route::page(request).map(|page| format!("{}{page}", server.issuer.path())),
            cors: route::cors(server, request),
            endpoint: route::name(request),
            client: OnceLock::new(),
            authenticated: OnceLock::new(),
        }
    }

    /// Notes that the client has proven what its policy asks of it.
    pub(super) fn has_authenticated(&self) {
        let _ = self.authenticated.set(());
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.get().is_some()
    }

    /// The visit as metrics and a span tell of it.
    pub(super) fn underway(&self, server: &Shared, method: &Method) -> Underway {
        let span = server.requests.span(self.endpoint, method, || self.origin.request_id);
        Underway::new(&server.requests, self.endpoint, span)
    }
}

impl Server {
    /// Notes which client the request is about.
    pub(super) fn is_about(&self, client: ClientId) {
        // The first one stays: no request is about two.
        let _ = self.visit.client.set(client);
    }

    /// Records that something has happened.
    pub(super) fn record(&self, kind: EventKind) {
        self.office.record(self.visit.origin, kind);
    }

    /// A refusal as an answer.
    pub(super) fn refused(&self, refusal: Refusal, dress: Dress) -> Response<Body> {
        refusal.into_response(dress, self)
    }

    /// The last touch to every answer: its id, and what the log is told of it.
    pub(super) fn finish(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        if let Ok(id) = HeaderValue::from_str(self.visit.origin.request_id.as_str()) {
            headers.insert(REQUEST_ID, id);
        }
        sensitive::mark_answer(headers);
        if let Some(cors) = self.visit.cors {
            cors.share(headers);
        }
        if let Some(rule) = response.extensions_mut().remove::<Rule>() {
            self.explain(rule, &response);
        }
        response
    }

    fn explain(&self, rule: Rule, response: &Response<Body>) {
        let (request_id, endpoint, status) = (self.visit.origin.request_id, self.visit.endpoint, response.status().as_u16());
        let client = self.visit.client.get().copied();
        let named = client.map(field::display);
        match response.extensions().get::<FailureCause>() {
            Some(cause) => {
                tracing::error!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, %cause, "failed");
            }
            None if matches!(status, 429 | 503) => {
                tracing::warn!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, "refused");
            }
            None => tracing::info!(target: "lyceum::auth", %request_id, endpoint, rule = rule.as_str(), status, client = named, "refused"),
        }
        self.requests.refused(rule.as_str());
        self.record(EventKind::Refused(Refused { rule, status, endpoint, client }));
    }
}
