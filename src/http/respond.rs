use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Response;

use super::Body;

/// The address of the client at the other end of the connection, as a request extension.
///
/// [`serve`](super::serve) inserts it; a host with a listener of its own inserts it where it knows the address. Limits on attempts use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

/// Why an answer is a 5xx, as an extension of the response, for the host's log. The body never says it.
#[derive(Clone)]
pub struct FailureCause(Arc<dyn std::error::Error + Send + Sync>);

impl FailureCause {
    pub(crate) fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(Arc::from(cause.into()))
    }

    /// The error.
    pub fn error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl fmt::Debug for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The future of a service's answer. It never fails: a handler that panics answers 500 in the service's own shape.
pub struct ResponseFuture {
    answer: Pin<Box<dyn Future<Output = Response<Body>> + Send>>,
    on_panic: fn() -> Response<Body>,
}

impl ResponseFuture {
    pub(crate) fn new(answer: impl Future<Output = Response<Body>> + Send + 'static, on_panic: fn() -> Response<Body>) -> Self {
        Self { answer: Box::pin(answer), on_panic }
    }
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A future that panicked is not polled again: the answer below ends this one.
        match std::panic::catch_unwind(AssertUnwindSafe(|| self.answer.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(response)) => Poll::Ready(Ok(response)),
            Err(_) => {
                let mut response = (self.on_panic)();
                response.extensions_mut().insert(FailureCause::new("a handler panicked"));
                Poll::Ready(Ok(response))
            }
        }
    }
}

impl fmt::Debug for ResponseFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseFuture")
    }
}
