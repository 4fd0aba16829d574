mod answer;
mod connection;
mod refusal;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use pin_project_lite::pin_project;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::time::Sleep;
use tower::Service;

use super::{Body, ClientAddress, sensitive};
use answer::AnswerBody;
use connection::{Connection, InFlight, InFlightGuard};

/// How long a client may take to send the head of a request.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// How long requests in flight may still take after `stop`.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a client may take to send the body of a request.
const BODY_READ_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a client may take nothing of an answer that waits for it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Settings of [`serve_with`].
#[derive(Debug, Clone, Copy)]
pub struct ServeOptions {
    idle: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self { idle: Duration::from_secs(75) }
    }
}

impl ServeOptions {
    /// How long a connection stays open between an answer and the first byte of the next request; 75 seconds by default.
    ///
    /// Behind a proxy that keeps connections, this should be longer than the proxy's own time, which is 60 seconds in many of them: a proxy that
    /// sends a request on a connection that is being closed answers its client with 502.
    #[must_use]
    pub fn idle_timeout(mut self, length: Duration) -> Self {
        self.idle = length;
        self
    }
}

/// Serves a service on a listener over HTTP/1.1 until `stop` is ready. Requests in flight are then answered, for at most ten seconds.
///
/// Each request carries its [`ClientAddress`], and its headers with secrets are marked sensitive. A connection is closed when a request head is not complete
/// after ten seconds, when the client takes nothing of an answer for thirty, and when nothing comes for 75 seconds after an answer. Reading a body fails after
/// thirty seconds. Clients thus cannot hold connections by doing nothing. How many there are at once is for whatever stands in front to limit.
///
/// The service does not get requests that break a rule of HTTP: 400 without one valid `Host` (RFC 9112 §3.2), 414 for an address above 16 KiB, and 431 for more
/// than 80 headers or 64 KiB of them. Beyond limits of its own (an address of 65,535 bytes, 100 headers, a head of about 400 KiB) hyper answers 414 and 431
/// itself, without a body.
///
/// # Errors
/// None at present: a connection that fails is logged, and a listener that cannot accept is tried again.
pub async fn serve<S, B>(listener: TcpListener, service: S, stop: impl Future<Output = ()>) -> io::Result<()>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    serve_with(listener, service, ServeOptions::default(), stop).await
}

/// [`serve`] with other settings.
///
/// # Errors
/// As [`serve`].
pub async fn serve_with<S, B>(listener: TcpListener, service: S, options: ServeOptions, stop: impl Future<Output = ()>) -> io::Result<()>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_connection_error(&error) => continue,
            // Out of file descriptors, most likely: accept again once some are free.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Small answers should leave at once; a socket that cannot do that still works.
        let _ = stream.set_nodelay(true);
        let connection = connections.watch(connected(stream, service.clone(), ClientAddress(peer.ip()), options));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight when the time to stop was over");
    }
    Ok(())
}

/// A connection with its deadlines, which answers requests once it is polled.
fn connected<T, S, B>(
    stream: T,
    service: S,
    address: ClientAddress,
    options: ServeOptions,
) -> http1::Connection<TokioIo<Connection<T>>, TowerToHyperService<ConnectionService<S>>>
where
    T: AsyncRead + AsyncWrite + Send + 'static,
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Error: Into<BoxError>,
{
    let in_flight = InFlight::default();
    let stream = Connection::new(stream, in_flight.clone(), options.idle);
    // The deadline of hyper for heads begins with the wait for them, so that an idle connection would have no longer than a head.
    let mut server = http1::Builder::new();
    server.header_read_timeout(None);
    server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(ConnectionService { inner: service, address, in_flight }))
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The body of a request that [`serve`] received. Reading it fails when the client takes longer than thirty seconds.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    /// Set by the first read: most requests have no body and need no timer.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(BODY_READ_TIMEOUT)));
        deadline.as_mut().poll(context).map(|()| Some(Err("the body did not arrive in time".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// Rejects requests that violate HTTP, adds the client's address to the others, and counts them as in flight.
#[derive(Debug, Clone)]
struct ConnectionService<S> {
    inner: S,
    address: ClientAddress,
    in_flight: InFlight,
}

impl<S, B> Service<Request<Incoming>> for ConnectionService<S>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>,
    S::Future: Send + 'static,
    B: HttpBody,
{
    type Response = Response<AnswerBody<B>>;
    type Error = Infallible;
    type Future = AnswerFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        let under_way = self.in_flight.begin();
        if let Some(refused) = refusal::of(&request) {
            return AnswerFuture::Refused { answer: Some((refused, under_way)) };
        }
        let mut request = request.map(|incoming| RequestBody { incoming, deadline: None });
        request.extensions_mut().insert(self.address);
        sensitive::mark_request(request.headers_mut());
        AnswerFuture::ByService { answer: self.inner.call(request), under_way: Some(under_way) }
    }
}

pin_project! {
    /// The answer to a request, rejected or passed on.
    #[project = ProjectedFuture]
    enum AnswerFuture<F> {
        Refused { answer: Option<(Response<Body>, InFlightGuard)> },
        ByService { #[pin] answer: F, under_way: Option<InFlightGuard> },
    }
}

impl<F: Future<Output = Result<Response<B>, Infallible>>, B> Future for AnswerFuture<F> {
    type Output = Result<Response<AnswerBody<B>>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = match self.project() {
            ProjectedFuture::Refused { answer } => {
                answer.take().map(|(response, under_way)| response.map(|body| AnswerBody::own(body, under_way)))
            }
            ProjectedFuture::ByService { answer, under_way } => {
                let Ok(response) = ready!(answer.poll(context));
                under_way.take().map(|under_way| response.map(|body| AnswerBody::of_service(body, under_way)))
            }
        };
        Poll::Ready(Ok(answer.expect("a future is not polled again after it was ready")))
    }
}
