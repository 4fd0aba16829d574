use std::convert::Infallible;
use std::fmt;
use std::future::Future;
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
        response: impl Future<Output = Response<Body>> + Send + 'static,
    ) -> Self {
        let response = catch_panic(response.instrument(in_flight.span().clone()));
        Self(Box::pin(RecordStatus {
            response,
            in_flight: Some(in_flight),
        }))
    }
}

pin_project! {
    /// Records the status of the response. It is not an async block, because an async block would
    /// hold the inner future twice: as captured and as awaited.
    struct RecordStatus<F> {
        #[pin]
        response: CatchPanic<F>,
        in_flight: Option<InFlightRequest>,
    }
}

impl<F: Future<Output = Response<Body>>> Future for RecordStatus<F> {
    type Output = Response<Body>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response<Body>> {
        let this = self.project();
        let response = ready!(this.response.poll(context)).unwrap_or_else(empty_500);
        if let Some(in_flight) = this.in_flight.take() {
            in_flight.finish(response.status());
        }
        Poll::Ready(response)
    }
}

/// Empty 500, used if building the error response panics too.
fn empty_500() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
    let cause = FailureCause::new("a handler panicked");
    response.extensions_mut().insert(cause);
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
