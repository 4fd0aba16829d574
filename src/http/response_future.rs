use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::Response;
use pin_project_lite::pin_project;
use tracing::Instrument;

use super::request_metrics::InFlightRequest;
use super::{Body, FailureCause};
use crate::catch_panic::{CatchPanic, catch_panic};

/// Response future of the services. It never fails: a handler that panics results in 500 in the
/// service's own format.
pub struct ResponseFuture(Pin<Box<dyn Future<Output = Response<Body>> + Send>>);

impl ResponseFuture {
    pub(crate) fn new(
        in_flight: InFlightRequest,
        answer: impl Future<Output = Response<Body>> + Send + 'static,
        on_panic: impl FnOnce() -> Response<Body> + Send + 'static,
    ) -> Self {
        let answer = catch_panic(answer.instrument(in_flight.span().clone()));
        Self(Box::pin(Completed {
            answer,
            completion: Some((in_flight, on_panic)),
        }))
    }
}

pin_project! {
    /// Records the status of the response, which is `on_panic` if the handler panics. Written by
    /// hand, because an async block is copied into each one around it.
    struct Completed<F, P> {
        #[pin]
        answer: CatchPanic<F>,
        completion: Option<(InFlightRequest, P)>,
    }
}

impl<F: Future<Output = Response<Body>>, P: FnOnce() -> Response<Body>> Future for Completed<F, P> {
    type Output = Response<Body>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response<Body>> {
        let this = self.project();
        let answered = ready!(this.answer.poll(context));
        let (in_flight, on_panic) = this
            .completion
            .take()
            .expect("a future is not polled again after it was ready");
        let response = answered.unwrap_or_else(|| panic_response(on_panic));
        in_flight.finish(response.status());
        Poll::Ready(response)
    }
}

fn panic_response(answer: impl FnOnce() -> Response<Body>) -> Response<Body> {
    // Building the error response may panic for the same reason.
    let mut response =
        std::panic::catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| empty_500());
    response
        .extensions_mut()
        .insert(FailureCause::new("a handler panicked"));
    response
}

/// Empty 500, for when building the error response panics too.
pub(super) fn empty_500() -> Response<Body> {
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
