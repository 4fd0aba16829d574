use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Method, Request, Response};
use tower::Service;
use tracing::Instrument;

use super::visit::Visit;
use super::{Guard, GuardBody, answer};
use crate::http::{Body, sensitive};

/// A service behind a [`Guard`].
#[derive(Debug, Clone)]
pub struct Guarded<S> {
    guard: Guard,
    inner: S,
}

impl<S> Guarded<S> {
    pub(super) fn new(guard: Guard, inner: S) -> Self {
        Self { guard, inner }
    }
}

impl<S, B, R> Service<Request<B>> for Guarded<S>
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
        // The one that is ready is the one to call; the clone becomes ready for the next request.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        let (mut head, body) = request.into_parts();
        sensitive::mark_request(&mut head.headers);
        let (visit, underway) = Visit::begin(&guard.settings.requests, &head.method);
        let span = underway.span().clone();
        let answer = async move {
            let response = match guard.admit(&head, &visit).await {
                Ok(caller) => {
                    head.extensions.insert(caller);
                    inner.call(Request::from_parts(head, body)).await?.map(GuardBody::inner)
                }
                Err(refusal) => {
                    let mut response = answer::of(refusal, &guard.challenge, &visit);
                    if head.method == Method::HEAD {
                        *response.body_mut() = Body::empty();
                    }
                    response.map(GuardBody::refusal)
                }
            };
            underway.ended(response.status());
            Ok(response)
        };
        GuardFuture(Box::pin(answer.instrument(span)))
    }
}

type Answer<R, E> = Result<Response<GuardBody<R>>, E>;

/// The future of an answer.
pub struct GuardFuture<R, E>(Pin<Box<dyn Future<Output = Answer<R, E>> + Send>>);

impl<R, E> Future for GuardFuture<R, E> {
    type Output = Answer<R, E>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context)
    }
}

impl<R, E> fmt::Debug for GuardFuture<R, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuardFuture")
    }
}
