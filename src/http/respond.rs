use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::Response;
use tracing::Instrument;

use super::Body;
use super::requests::Underway;
use crate::panics::unless_it_panics;

/// Why an answer is a 5xx, as an extension of the response, for the host. The body never says it, and the line that this library's own log has
/// of the answer does.
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

/// The error and what caused it, in one line.
impl fmt::Display for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The future of a service's answer. It never fails: a handler that panics answers 500 in the service's own shape.
pub struct ResponseFuture(Pin<Box<dyn Future<Output = Response<Body>> + Send>>);

impl ResponseFuture {
    pub(crate) fn new(
        underway: Underway,
        answer: impl Future<Output = Response<Body>> + Send + 'static,
        on_panic: impl FnOnce() -> Response<Body> + Send + 'static,
    ) -> Self {
        let span = underway.span().clone();
        let answered = async move {
            let response = unless_it_panics(answer).await.unwrap_or_else(|| after_panic(on_panic));
            underway.ended(response.status());
            response
        };
        Self(Box::pin(answered.instrument(span)))
    }
}

fn after_panic(answer: impl FnOnce() -> Response<Body>) -> Response<Body> {
    // Whatever made the handler panic may do so again.
    let mut response = std::panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| bare_failure());
    response.extensions_mut().insert(FailureCause::new("a handler panicked"));
    response
}

/// A failure in no shape at all.
fn bare_failure() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
    response
}

impl Future for ResponseFuture {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context).map(Ok)
    }
}

impl fmt::Debug for ResponseFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseFuture")
    }
}
