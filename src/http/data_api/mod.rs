//! Read-only data API: students, clubs, projects and school information as JSON (spec 2). Students,
//! clubs and projects are also available as CSV and as newline-delimited JSON.
//!
//! Each request passes the same checks in a fixed order: route, key, rate limit, scope, parameters,
//! format, conditions. `/v1/health` and `/v1/health/ready` need no key.
//!
//! Paths are compared after percent-decoding, segment by segment: `/v1/%73tudents` is
//! `/v1/students`. A trailing slash, an encoded slash or a malformed escape leads to 404.

mod api_key_cache;
mod builder;
mod calendars;
mod conditional;
mod cors;
mod csv;
mod error;
mod error_reasons;
mod expiry_notices;
mod format;
mod health;
mod key_check;
mod key_usage;
mod key_usage_task;
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
mod server;
mod wire;

use std::convert::Infallible;
use std::fmt;
#[cfg(feature = "console")]
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

#[cfg(feature = "console")]
use http::request::Parts;
use http::{Request, Response};
use tower::Service;

pub use builder::DataApiBuilder;
pub use error_reasons::ErrorReason;
pub use expiry_notices::KeyExpiryNotifier;
pub use leased_limiter::LeasedLimiter;
pub use rate_limits::LimiterFailureMode;

pub use super::key_owner_check::KeyOwnerCheck;

use server::{Authority, Server, Shared};

use super::{Body, ResponseFuture, service};
#[cfg(feature = "console")]
use super::{
    KeyLimit,
    data_client::{DataClient, DataService},
};
use crate::directory::Directory;
#[cfg(feature = "console")]
use crate::directory::ResourceDefinition;
#[cfg(feature = "console")]
use crate::domain::ApiKey;
use crate::domain::ApiScopes;
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
    /// keys, and for administrators without a key ([`ConsoleBuilder::data_browser`](crate::http::console::ConsoleBuilder::data_browser)).
    #[cfg(feature = "console")]
    pub fn data_client(&self) -> DataClient {
        DataClient::new(self.clone())
    }

    /// Handles a request of an in-process caller.
    #[cfg(feature = "console")]
    fn call_as(&self, authority: Authority, head: Parts) -> ResponseFuture {
        let request = Request::from_parts(head, Body::empty());
        service::respond(Server::new(&self.0, &request, authority), request)
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
        let request = request.map(|_| Body::empty());
        service::respond(
            Server::new(&self.0, &request, Authority::Presented),
            request,
        )
    }
}

#[cfg(feature = "console")]
impl DataService for DataApi {
    fn call_with_key(&self, key: Arc<ApiKey>, limit: KeyLimit, head: Parts) -> ResponseFuture {
        self.call_as(Authority::Key(key, limit), head)
    }

    fn call_as_server(&self, head: Parts) -> ResponseFuture {
        self.call_as(Authority::Server, head)
    }

    fn definitions(&self) -> Vec<&ResourceDefinition> {
        self.0.lists.definitions().collect()
    }

    fn write_key_usage(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            let now = self.0.settings.now();
            self.0.key_usage.flush_for_page(now).await;
        })
    }
}

impl fmt::Debug for DataApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DataApi").field(&self.0.settings).finish()
    }
}
