//! The web interface, in which the people of a school manage what is theirs.

mod account;
mod api_keys;
mod applications;
mod apps;
mod audit;
mod browser;
mod builder;
mod clients;
mod config_error;
mod cookie;
mod data;
mod done;
mod form;
mod gate;
mod home;
mod keys;
mod names;
mod next;
mod people;
mod query;
mod refusal;
mod route;
mod samples;
mod seen;
mod server;
mod sign_in;
mod sign_out;
mod views;
mod visit;

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::{Request, Response};
use http_body::Body as HttpBody;
use tower::Service;

pub use builder::ConsoleBuilder;
pub use config_error::ConfigError;

use super::{Body, Office, ResponseFuture, sensitive};
use refusal::Refusal;
use server::{Server, Shared};
use visit::Visit;

/// The web interface as a [`tower::Service`], for any request body. Its pages are in Korean and English, and work without a script.
///
/// It manages what the [`AuthServer`](crate::AuthServer) of its [`Office`] serves, by the same rules, for the same people.
///
/// ```
/// use std::sync::Arc;
///
/// use lyceum::AuthServer;
/// use lyceum::domain::SigningAlgorithm;
/// use lyceum::http::console::Console;
/// use lyceum::crypto::{MasterKey, SystemEntropy};
/// use lyceum::store::memory::MemoryStore;
/// use tower::ServiceExt;
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let builder = AuthServer::builder(Arc::new(MemoryStore::new()), "https://school.example/auth", MasterKey::generate(&SystemEntropy));
/// let auth = builder.signing_algorithm(SigningAlgorithm::Es256).build().await?;
/// let console = Console::builder(auth.office(), "https://school.example/console").site("Star High School")?.build()?;
///
/// let answer = console.oneshot(http::Request::get("/").body(String::new())?).await?;
/// assert_eq!(answer.headers()["location"], "/console/sign-in?done=first"); // nobody has signed in
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Console {
    shared: Arc<Shared>,
}

impl Console {
    /// The web interface of what an office knows.
    ///
    /// `address` is the public address of its pages, such as `https://school.example/console`: `https`, or `http` on a loopback address,
    /// without query, fragment or trailing slash. A host that nests the service under its path takes that off the requests.
    pub fn builder(office: Office, address: &str) -> ConsoleBuilder {
        ConsoleBuilder::new(office, address)
    }
}

impl<B> Service<Request<B>> for Console
where
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> ResponseFuture {
        sensitive::mark_request(request.headers_mut());
        let visit = Visit::new(&self.shared, &request);
        let underway = visit.underway(&self.shared, request.method());
        let server = Arc::new(Server { shared: Arc::clone(&self.shared), visit });
        let after_panic = Arc::clone(&server);
        let on_panic = move || after_panic.finish(after_panic.refused(Refusal::failure("a handler panicked")));
        ResponseFuture::new(underway, async move { route::answer(&server, request).await }, on_panic)
    }
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("address", &self.shared.address.as_str()).finish_non_exhaustive()
    }
}
