//! The flow of a request, which is the same in every service.
//!
//! A service parses the route of a request once, when it creates the [`RequestHandler`]; the
//! [`RequestContext`] carries the endpoint from then on. [`respond`] does the rest: span and
//! metrics, 404, 405 and `OPTIONS`, the handler, its error or panic as a response, `HEAD`, and the
//! headers and records of every response.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use http::header::{ALLOW, CACHE_CONTROL};
use http::{Extensions, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as HttpBody;
use tracing::Level;

use super::audit::{
    AuditLog, Event, EventKind, RefusalRule, RefusedRequest, RequestId, RequestOrigin,
};
use super::cors::Cors;
use super::request_metrics::RequestMetrics;
use super::request_trace::RequestTrace;
use super::{
    Body, ClientAddress, Clock, FailureCause, ResponseFuture, catch_panic, document,
    sensitive_headers,
};
use crate::crypto::Entropy;
use crate::domain::{ApiKeyId, ClientId, SubjectId};

/// State that all requests of a service share.
#[derive(Debug)]
pub(crate) struct ServiceContext {
    pub(crate) metrics: Arc<RequestMetrics>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) audit: Option<Arc<dyn AuditLog>>,
    /// Whether every response has the request id, or only a refusal.
    pub(crate) always_sends_request_id: bool,
}

/// The endpoint of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Endpoint {
    /// The name in logs and metrics; paths may contain secrets.
    pub(crate) name: &'static str,
    /// Whether the service has an endpoint at the path.
    pub(crate) exists: bool,
    /// The methods, as in `Allow`.
    pub(crate) methods: &'static str,
    /// The CORS policy, if other origins may use the endpoint.
    pub(crate) cors: Option<&'static Cors>,
}

/// Data of one request for logs, events and responses.
#[derive(Clone)]
pub(crate) struct RequestContext {
    service: Arc<ServiceContext>,
    endpoint: Endpoint,
    pub(crate) address: Option<IpAddr>,
    trace: RequestTrace,
    client: OnceLock<ClientId>,
    subject: OnceLock<SubjectId>,
    api_key: OnceLock<ApiKeyId>,
    recorded_refusal: OnceLock<RefusalRule>,
}

impl RequestContext {
    pub(crate) fn new(
        service: &Arc<ServiceContext>,
        endpoint: Endpoint,
        extensions: &Extensions,
    ) -> Self {
        let context = Self {
            service: Arc::clone(service),
            endpoint,
            address: ClientAddress::from_extensions(extensions),
            trace: RequestTrace::new(&service.metrics, &service.entropy, endpoint.name),
            client: OnceLock::new(),
            subject: OnceLock::new(),
            api_key: OnceLock::new(),
            recorded_refusal: OnceLock::new(),
        };
        if service.always_sends_request_id {
            context.id();
        }
        context
    }

    /// The request id, created by the first call.
    pub(crate) fn id(&self) -> RequestId {
        self.trace.id()
    }

    /// The id and the address of the request, for events.
    pub(crate) fn origin(&self) -> RequestOrigin {
        RequestOrigin {
            request_id: self.id(),
            address: self.address,
        }
    }

    /// Records the OAuth client that the request is about. Only the first one is stored: a request
    /// concerns one client.
    #[cfg(feature = "auth-server")]
    pub(crate) fn set_client(&self, client: ClientId) {
        let _ = self.client.set(client);
    }

    /// Records the signed-in user who makes the request, for the event of a refusal.
    pub(crate) fn set_subject(&self, subject: &SubjectId) {
        let _ = self.subject.set(subject.clone());
    }

    /// Records the working API key of the request, for the event of a refusal.
    #[cfg(feature = "data-api")]
    pub(crate) fn set_api_key(&self, key: ApiKeyId) {
        let _ = self.api_key.set(key);
    }

    /// Records a refusal by `rule` that has a kind of event of its own, such as
    /// [`SignInRefused`](EventKind::SignInRefused). A response with this rule gets no event
    /// `refused` beside it; one with another rule, for example because its page failed, does.
    #[cfg(feature = "auth-server")]
    pub(crate) fn record_refusal_as(&self, kind: EventKind, rule: RefusalRule) {
        self.record(kind);
        let _ = self.recorded_refusal.set(rule);
    }

    /// Records an audit event.
    pub(crate) fn record(&self, kind: EventKind) {
        if let Some(audit) = &self.service.audit {
            audit.record(&Event::new(self.origin(), self.service.clock.now(), kind));
        }
    }
}

/// A request body that a service can read.
pub(crate) trait ReadableBody:
    HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static
{
}

impl<B> ReadableBody for B where
    B: HttpBody<Data: Send, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static
{
}

/// Without the client's address, which no log line needs.
impl fmt::Debug for RequestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestContext")
            .field("trace", &self.trace)
            .finish_non_exhaustive()
    }
}

/// One request to a service.
pub(crate) trait RequestHandler: Sized + Send + Sync + 'static {
    type Error: From<CommonError>;

    fn context(&self) -> &RequestContext;

    /// Handles a request to an existing endpoint by one of its methods, other than `OPTIONS`.
    fn handle<B: ReadableBody>(
        &self,
        request: Request<B>,
    ) -> impl Future<Output = Result<Response<Body>, Self::Error>> + Send;

    /// Renders an error. The response has the [`RefusalRule`] and the [`FailureCause`] as
    /// extensions.
    fn error_response(&self, error: Self::Error) -> Response<Body>;

    /// Adds the service's own headers to a response.
    fn add_headers(&self, _response: &mut Response<Body>) {}

    /// The word for a rule in logs and metrics.
    fn reason(rule: RefusalRule) -> &'static str {
        rule.as_str()
    }

    /// Writes the log line of a refusal; see [`log_refusal!`].
    fn log_refusal(refusal: Refusal<'_>);
}

/// Errors that all services have.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CommonError {
    UnknownPath,
    /// With the methods of the endpoint, as in `Allow`.
    MethodNotAllowed(&'static str),
    Panicked,
}

impl CommonError {
    /// The cause of the 500 after a panic.
    pub(crate) const PANIC: &str = "a handler panicked";
}

/// The parameter or field at fault, among the extensions of the response to a refusal: a name that
/// the endpoint has, and never what a client sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefusedParameter(&'static str);

impl RefusedParameter {
    /// The parameter that an error names, if it is a known one: errors own the names that clients
    /// sent, and borrow the others.
    pub(crate) const fn from_error(name: Option<&Cow<'static, str>>) -> Option<Self> {
        match name {
            Some(Cow::Borrowed(name)) => Some(Self(name)),
            _ => None,
        }
    }
}

/// A refused or failed request, for its log line.
pub(crate) struct Refusal<'a> {
    pub(crate) level: Level,
    pub(crate) request_id: RequestId,
    pub(crate) endpoint: Option<&'static str>,
    pub(crate) reason: &'static str,
    pub(crate) status: u16,
    pub(crate) client: Option<ClientId>,
    pub(crate) cause: Option<&'a FailureCause>,
}

/// Logs a [`Refusal`] with a target, which `tracing` requires to be a literal.
macro_rules! log_refusal {
    ($target:literal, $refusal:expr) => {{
        let $crate::http::service::Refusal { level, request_id, endpoint, reason: rule, status, client, cause } = $refusal;
        let (client, cause) = (client.map(tracing::field::display), cause.map(tracing::field::display));
        match level {
            tracing::Level::ERROR => tracing::error!(target: $target, %request_id, endpoint, rule, status, client, cause, "failed"),
            tracing::Level::WARN => tracing::warn!(target: $target, %request_id, endpoint, rule, status, client, "refused"),
            _ => tracing::info!(target: $target, %request_id, endpoint, rule, status, client, "refused"),
        }
    }};
}
pub(crate) use log_refusal;

/// Responds to a request.
pub(crate) fn respond<H, B>(handler: H, mut request: Request<B>) -> ResponseFuture
where
    H: RequestHandler,
    B: ReadableBody,
{
    sensitive_headers::mark_request(request.headers_mut());
    let in_flight = handler.context().trace.start(request.method());
    let (is_head, is_options) = (
        request.method() == Method::HEAD,
        request.method() == Method::OPTIONS,
    );
    let response = async move {
        let answer = async {
            match common_response(handler.context().endpoint, request.method()) {
                None => handler.handle(request).await,
                Some(response) => response.map_err(Into::into),
            }
            .unwrap_or_else(|error| handler.error_response(error))
        };
        let response = catch_panic(answer)
            .await
            .unwrap_or_else(|| handler.error_response(CommonError::Panicked.into()));
        finish(&handler, response, is_head, is_options)
    };
    ResponseFuture::new(in_flight, response)
}

/// The response that does not depend on the service: to an unknown path, a method that is not
/// allowed, and `OPTIONS`.
fn common_response(
    endpoint: Endpoint,
    method: &Method,
) -> Option<Result<Response<Body>, CommonError>> {
    let Endpoint {
        exists, methods, ..
    } = endpoint;
    if !exists {
        return Some(Err(CommonError::UnknownPath));
    }
    if !methods
        .split(", ")
        .any(|allowed| allowed == method.as_str())
    {
        return Some(Err(CommonError::MethodNotAllowed(methods)));
    }
    (method == Method::OPTIONS).then(|| {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let headers = response.headers_mut();
        headers.insert(ALLOW, HeaderValue::from_static(methods));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    })
}

/// Adds what every response of the service has, and records a refusal.
fn finish<H: RequestHandler>(
    handler: &H,
    mut response: Response<Body>,
    is_head: bool,
    is_options: bool,
) -> Response<Body> {
    handler.add_headers(&mut response);
    if is_head {
        document::remove_body(&mut response);
    }
    let context = handler.context();
    let rule = response.extensions_mut().remove::<RefusalRule>();
    let parameter = response.extensions_mut().remove::<RefusedParameter>();
    let headers = response.headers_mut();
    if rule.is_some() || context.service.always_sends_request_id {
        context.trace.insert_id(headers);
    }
    sensitive_headers::mark_response(headers);
    if let Some(cors) = context.endpoint.cors {
        cors.add_response_headers(headers);
        if is_options {
            cors.add_preflight_headers(context.endpoint.methods, headers);
        }
    }
    if let Some(rule) = rule {
        record_refusal::<H>(context, (rule, parameter), &response);
    }
    response
}

/// Logs and counts a refused request, and records it in the audit log, unless it has an event of its
/// own there.
fn record_refusal<H: RequestHandler>(
    context: &RequestContext,
    (rule, parameter): (RefusalRule, Option<RefusedParameter>),
    response: &Response<Body>,
) {
    let (reason, client) = (H::reason(rule), context.client.get().copied());
    let (endpoint, status) = (context.endpoint.name, response.status().as_u16());
    let cause = response.extensions().get::<FailureCause>();
    H::log_refusal(Refusal {
        level: match status {
            _ if cause.is_some() => Level::ERROR,
            429 | 503 => Level::WARN,
            _ => Level::INFO,
        },
        request_id: context.id(),
        endpoint: Some(endpoint),
        reason,
        status,
        client,
        cause,
    });
    context.trace.count_refusal(reason);
    if context.recorded_refusal.get() == Some(&rule) {
        return;
    }
    context.record(EventKind::Refused(RefusedRequest {
        rule,
        status,
        endpoint,
        client,
        subject: context.subject.get().cloned(),
        api_key: context.api_key.get().copied(),
        parameter: parameter.map(|RefusedParameter(name)| name),
    }));
}

#[cfg(test)]
mod tests;
