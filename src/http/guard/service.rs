use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Method, Request, Response};
use tower::Service;
use tracing::Instrument;

use super::{Guard, GuardBody, response};
use crate::http::document::remove_body;
use crate::http::request_trace::RequestTrace;
use crate::http::sensitive_headers;

/// The endpoint in spans and metrics: the paths are those of the host.
const ENDPOINT: &str = "guarded";

/// Service wrapped by a [`Guard`].
#[derive(Debug, Clone)]
pub struct GuardService<S> {
    guard: Guard,
    inner: S,
}

impl<S> GuardService<S> {
    pub(super) fn new(guard: Guard, inner: S) -> Self {
        Self { guard, inner }
    }
}

impl<S, B, R> Service<Request<B>> for GuardService<S>
where
    S: Service<Request<B>, Response = Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<GuardBody<R>>;
    type Error = S::Error;
    type Future = GuardFuture<R, S::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let guard = self.guard.clone();
        // Call the instance that is ready, and keep the clone for the next request.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let (mut head, body) = request.into_parts();
        sensitive_headers::mark_request(&mut head.headers);
        let trace = RequestTrace::new(&guard.settings.metrics, &guard.settings.entropy, ENDPOINT);
        let in_flight = trace.start(&head.method);
        let span = in_flight.span().clone();
        let answer = async move {
            let response = match guard.authorize(&head, &trace).await {
                Ok(caller) => {
                    head.extensions.insert(caller);
                    inner
                        .call(Request::from_parts(head, body))
                        .await?
                        .map(GuardBody::inner)
                }
                Err(error) => {
                    let mut response = response::from_error(error, &guard.challenge, &trace);
                    if head.method == Method::HEAD {
                        remove_body(&mut response);
                    }
                    response.map(GuardBody::error)
                }
            };
            in_flight.finish(response.status());
            Ok(response)
        };
        GuardFuture(Box::pin(answer.instrument(span)))
    }
}

type GuardResult<R, E> = Result<Response<GuardBody<R>>, E>;

/// Response future of [`GuardService`].
pub struct GuardFuture<R, E>(Pin<Box<dyn Future<Output = GuardResult<R, E>> + Send>>);

impl<R, E> Future for GuardFuture<R, E> {
    type Output = GuardResult<R, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context)
    }
}

impl<R, E> fmt::Debug for GuardFuture<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuardFuture")
    }
}
