//! Read-only data API: students, clubs, projects and school information as JSON (spec 2). Students,
//! clubs and projects are also available as CSV and as newline-delimited JSON.
//!
//! Each request passes the same checks in a fixed order: route, key, rate limit, scope, parameters,
//! format, conditions. `/v1/health` and `/v1/health/ready` need no key.
//!
//! Paths are compared after percent-decoding, segment by segment: `/v1/%73tudents` is
//! `/v1/students`. A trailing slash, an encoded slash or a malformed escape leads to 404.

mod api_key_cache;
mod authorize;
mod background;
mod builder;
mod conditional;
mod content_encoding;
mod cors;
mod csv;
mod error;
mod expiry;
mod format;
mod health;
mod key_usage;
mod leased_limiter;
mod list_registry;
mod list_validation;
#[cfg(feature = "openapi")]
mod openapi;
mod owner_check_cache;
mod parameters;
mod query_cache;
mod rate_limit_headers;
mod rate_limits;
mod render;
mod representation;
mod response;
mod response_cache;
mod route;
mod wire;

use std::convert::Infallible;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::IF_NONE_MATCH;
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use tower::Service;

pub use builder::DataApiBuilder;
pub use expiry::KeyExpiryNotifier;
pub use leased_limiter::LeasedLimiter;
pub use rate_limits::LimiterFailureMode;

pub use super::key_owner_check::KeyOwnerCheck;

use api_key_cache::ApiKeyCache;
use authorize::Authorizer;
use builder::Settings;
use conditional::EntityTag;
use content_encoding::AcceptEncoding;
use cors::CORS;
use error::Error;
use expiry::ExpiryNotices;
use format::Format;
use key_usage::KeyUsageRecorder;
use list_registry::{ListId, ListRegistry};
use owner_check_cache::OwnerCheckCache;
use query_cache::QueryCache;
use rate_limit_headers::ResponseHeaders;
use rate_limits::RateLimits;
use response_cache::ResponseCache;
use route::Route;

use super::audit::{AuditLog, Event, EventKind, RefusedRequest, RequestId, RequestOrigin};
#[cfg(feature = "ui")]
use super::data_client::{DataClient, DataService};
use super::request_metrics::{InFlightRequest, RequestMetrics};
use super::{Body, ClientAddress, ProtectedResource, ResponseFuture, sensitive_headers};
use crate::directory::Directory;
#[cfg(feature = "ui")]
use crate::directory::ResourceDefinition;
use crate::domain::{ApiKey, ApiScopes, Date, Timestamp};
use crate::metrics::CacheMetrics;
use crate::store::ApiKeyStore;

/// The data API as a tower service, at the root of a server or nested below a path.
///
/// Reads the school from a [`Directory`] and the API keys from an [`ApiKeyStore`]. Clones share all
/// state.
///
/// ```
/// use std::sync::Arc;
///
/// use http::Request;
/// use lyceum::DataApi;
/// use lyceum::directory::Directory;
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(MemoryStore::new());
/// let directory = Directory::open(store.clone()).await?;
/// let api = DataApi::builder(directory, store).public_url("https://api.school.example").build()?;
///
/// let response = api.clone().oneshot(Request::get("/v1/health").body(())?).await?;
/// assert_eq!(response.status(), 200);
/// let response = api.oneshot(Request::get("/v1/students").body(())?).await?;
/// assert_eq!(response.status(), 401);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct DataApi(Arc<Shared>);

struct Shared {
    settings: Settings,
    requests: Arc<RequestMetrics>,
    audit: Option<Arc<dyn AuditLog>>,
    client_cache_lookups: CacheMetrics,
    lists: ListRegistry,
    key_store: Arc<dyn ApiKeyStore>,
    key_cache: ApiKeyCache,
    rate_limits: RateLimits,
    key_usage: Arc<KeyUsageRecorder>,
    expiry_notices: Option<ExpiryNotices>,
    owner_check_cache: Option<OwnerCheckCache>,
    query_cache: QueryCache,
    response_cache: ResponseCache,
}

impl DataApi {
    /// Starts with the defaults of the specification (spec 2). The service reads the school from
    /// `directory` and authenticates clients by `keys`.
    pub fn builder(directory: Directory, keys: Arc<dyn ApiKeyStore>) -> DataApiBuilder {
        DataApiBuilder::new(directory, keys)
    }

    /// Scopes that the lists of this service require: the four of the school's lists, and those of
    /// the host's own lists.
    pub fn scopes(&self) -> ApiScopes {
        self.0
            .lists
            .definitions()
            .map(|definition| definition.scope.clone())
            .collect()
    }

    /// Returns an in-process client for the console's data browser, which reads with the users' own
    /// keys ([`ConsoleBuilder::data_browser`](crate::http::console::ConsoleBuilder::data_browser)).
    #[cfg(feature = "ui")]
    pub fn data_client(&self) -> DataClient {
        DataClient::new(self.clone())
    }

    /// Handles a request, authenticated by the key that it presents or by a key that the caller has
    /// already authenticated.
    fn respond(&self, mut head: Parts, preauthenticated: Option<Arc<ApiKey>>) -> ResponseFuture {
        let (name, route) = route::find(
            &head.method,
            head.uri.path(),
            &self.0.lists,
            self.0.settings.resource.as_ref(),
        );
        // Created on demand: only refusals and recorded spans need it.
        let mut id = None;
        let span = self.0.requests.span(name, &head.method, || {
            *id.insert(self.0.settings.request_id())
        });
        let in_flight = InFlightRequest::new(&self.0.requests, name, span);
        let requires_key = matches!(route, Ok(Route::List(_)));
        let (is_head, is_options) = (head.method == Method::HEAD, head.method == Method::OPTIONS);
        let (shared, shared_after_panic) = (Arc::clone(&self.0), Arc::clone(&self.0));
        let prefers_problem = format::prefers_problem_json(&head.headers);
        let endpoint_and_address = (name, ClientAddress::from_extensions(&head.extensions));
        let response = async move {
            // Headers about the key and its limit are on every response after authorization,
            // including refusals.
            let mut response_headers = ResponseHeaders::default();
            let outcome = match route {
                Ok(route) => {
                    shared
                        .handle(route, &mut head, preauthenticated, &mut response_headers)
                        .await
                }
                Err(error) => Err(error),
            };
            let mut response = outcome.unwrap_or_else(|error| {
                shared.error_response(error, id, prefers_problem, endpoint_and_address)
            });
            response_headers.write(response.headers_mut());
            shared.with_cors_headers(
                response::finish(response, requires_key, is_head),
                is_options,
            )
        };
        let after_panic = move || {
            let response = shared_after_panic.error_response(
                Error::Panicked,
                id,
                prefers_problem,
                endpoint_and_address,
            );
            shared_after_panic.with_cors_headers(
                response::finish(response, requires_key, is_head),
                is_options,
            )
        };
        ResponseFuture::new(in_flight, response, after_panic)
    }
}

impl<B: Send + 'static> Service<Request<B>> for DataApi {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let (mut head, _) = request.into_parts();
        sensitive_headers::mark_request(&mut head.headers);
        self.respond(head, None)
    }
}

#[cfg(feature = "ui")]
impl DataService for DataApi {
    fn call_with_key(&self, key: Arc<ApiKey>, head: Parts) -> ResponseFuture {
        self.respond(head, Some(key))
    }

    fn definitions(&self) -> Vec<&ResourceDefinition> {
        self.0.lists.definitions().collect()
    }
}

impl Shared {
    async fn handle(
        &self,
        route: Route,
        head: &mut Parts,
        preauthenticated: Option<Arc<ApiKey>>,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Response<Body>, Error> {
        match route {
            Route::List(list) => {
                self.read_list(list, head, preauthenticated, response_headers)
                    .await
            }
            Route::Options => Ok(response::options()),
            Route::Health => Ok(health::live()),
            Route::Readiness => health::ready(self.lists.directory(), response_headers).await,
            Route::ResourceMetadata => self
                .settings
                .resource
                .as_ref()
                .map(ProtectedResource::metadata_response)
                .ok_or(Error::UnknownPath),
        }
    }

    /// Runs the checks in their fixed order, and returns the list.
    async fn read_list(
        &self,
        list: ListId,
        head: &mut Parts,
        preauthenticated: Option<Arc<ApiKey>>,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Response<Body>, Error> {
        let (settings, definition) = (&self.settings, self.lists.definition(list));
        let owners = self.owner_check_cache.as_ref();
        let authorizer = Authorizer {
            store: &*self.key_store,
            keys: &self.key_cache,
            limits: &self.rate_limits,
            owners,
        };
        let (now, now_micros) = settings.now_and_micros();
        let key = authorizer
            .authorize(
                (head, preauthenticated),
                &definition.scope,
                (now, now_micros),
                response_headers,
            )
            .await?;
        let today = settings.today(now);
        self.record_use(&key, today, now).await;
        let query_string = head.uri.query().unwrap_or_default();
        let parsed = self.query_cache.get_or_parse(
            (list, definition),
            query_string,
            today,
            settings.ignores_unknown_parameters,
        )?;
        if let Some((name, field)) = definition.hidden_parameter(&parsed.query, key.hidden) {
            return Err(Error::FieldHidden { name, field });
        }
        let format = Format::negotiate(&head.headers, render::supported_formats(&parsed.query))?;
        let state = self.lists.state(list, &parsed.query, &head.headers).await?;
        let tag = EntityTag::new(state.version(), &parsed.digest, format, key.hidden);
        let is_not_modified = tag.is_not_modified(&head.headers)?;
        if head.headers.contains_key(IF_NONE_MATCH) {
            self.client_cache_lookups.count(is_not_modified);
        }
        if is_not_modified {
            let mut response = response::reusing_header_map(head, StatusCode::NOT_MODIFIED);
            tag.insert_into(&mut response);
            return Ok(response);
        }
        let (is_cheap, hidden) = (render::is_cheap(&state, &parsed.query, format), key.hidden);
        let render = {
            let parsed = Arc::clone(&parsed);
            move || render::render(&state, &parsed.query, format, hidden)
        };
        let representation = self
            .response_cache
            .get_or_render(
                &tag,
                AcceptEncoding::from_headers(&head.headers),
                is_cheap,
                render,
            )
            .await?;
        let mut response = response::reusing_header_map(head, StatusCode::OK);
        representation.write(&mut response, settings, &parsed.link_query);
        tag.insert_into(&mut response);
        Ok(response)
    }

    /// Records the use of the key, and notifies its owner if it expires soon.
    async fn record_use(&self, key: &ApiKey, today: Date, now: Timestamp) {
        let store = &*self.key_store;
        self.key_usage.record(key.id, today, now);
        if let Some(notices) = &self.expiry_notices {
            notices.notify_once(store, key, now).await;
        }
    }

    /// Adds CORS headers if the host allows other origins.
    fn with_cors_headers(&self, mut response: Response<Body>, is_options: bool) -> Response<Body> {
        if self.settings.allows_any_origin {
            CORS.add_response_headers(response.headers_mut());
            if is_options {
                CORS.add_preflight_headers(route::ALLOWED_METHODS, response.headers_mut());
            }
        }
        response
    }

    /// Builds the response to a refused request, and records it in the audit log.
    fn error_response(
        &self,
        error: Error,
        id: Option<RequestId>,
        prefers_problem: bool,
        endpoint_and_address: (&'static str, Option<IpAddr>),
    ) -> Response<Body> {
        self.requests.count_refusal(error.reason());
        let (request_id, rule) = (
            id.unwrap_or_else(|| self.settings.request_id()),
            error.rule(),
        );
        let response = error.into_response(request_id, prefers_problem);
        if let Some(audit) = &self.audit {
            let (endpoint, address) = endpoint_and_address;
            let refused = RefusedRequest {
                rule,
                status: response.status().as_u16(),
                endpoint,
                client: None,
            };
            audit.record(&Event::new(
                RequestOrigin {
                    request_id,
                    address,
                },
                self.settings.now(),
                EventKind::Refused(refused),
            ));
        }
        response
    }
}

impl fmt::Debug for DataApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataApi").field(&self.0.settings).finish()
    }
}
