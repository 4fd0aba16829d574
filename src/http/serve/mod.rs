mod connection;
mod inherited;
mod listener;
mod rejection;
mod response_body;
#[cfg(test)]
mod tests;
#[cfg(feature = "tls")]
mod tls;
#[cfg(unix)]
mod unix_socket;

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
use tokio::sync::watch;
use tokio::time::Sleep;
use tower::Service;

use super::{Body, ClientAddress, sensitive_headers};
use connection::{Connection, InFlight, InFlightGuard};
use response_body::ResponseBody;

pub use inherited::inherited_socket_names;
pub use listener::Listener;
#[cfg(feature = "doctor")]
pub(crate) use tls::certificate_validity;
#[cfg(feature = "tls")]
pub use tls::{CertificateError, Certificates};

/// Time in which a client must send the head of a request.
const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Time in which a client must send the body of a request.
const BODY_READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Time in which a client must read some of a pending response.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Options of [`serve_with`].
#[derive(Debug, Clone, Copy)]
pub struct ServeOptions {
    idle_timeout: Duration,
    shutdown_timeout: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            idle_timeout: Duration::from_secs(75),
            shutdown_timeout: Duration::from_secs(10),
        }
    }
}

impl ServeOptions {
    /// Sets how long a connection stays open between a response and the first byte of the next
    /// request; 75 seconds by default.
    ///
    /// Behind a proxy with persistent connections, this should be longer than the proxy's own idle
    /// timeout, often 60 seconds: a proxy that sends a request on a connection that is being closed
    /// responds with 502.
    #[must_use]
    pub fn idle_timeout(mut self, length: Duration) -> Self {
        self.idle_timeout = length;
        self
    }

    /// Sets the time in which requests in flight must complete after the stop; ten seconds by
    /// default. A service manager that kills the process should wait for longer.
    #[must_use]
    pub fn shutdown_timeout(mut self, length: Duration) -> Self {
        self.shutdown_timeout = length;
        self
    }
}

/// Serves a service on a listener over HTTP/1.1 until `stop` completes. Requests in flight then
/// have ten seconds to complete.
///
/// The listener is a bound `TcpListener`, or a [`Listener`] for a Unix socket, a socket of systemd,
/// or TLS. [`Readiness::drain`](super::Readiness::drain) delays the stop until load balancers send
/// requests elsewhere.
///
/// Each request carries its [`ClientAddress`], and its headers with secrets are marked sensitive. A
/// connection is closed when a request head is incomplete after ten seconds, when the client reads
/// nothing of a response for thirty, and when it sends nothing for 75 seconds after a response.
/// Reading a body fails after thirty seconds. The number of connections is not limited.
///
/// Requests that violate HTTP do not reach the service: 400 without exactly one valid `Host` (RFC
/// 9112 §3.2), 414 for a URI above 16 KiB, and 431 for more than 80 headers or 64 KiB of them.
/// Beyond its own limits (a URI of 65,535 bytes, 100 headers, a head of about 400 KiB) hyper
/// responds with 414 and 431 without a body.
///
/// # Errors
/// None at present: a connection that fails is logged, and `accept` is retried.
pub async fn serve<S, B>(
    listener: impl Into<Listener>,
    service: S,
    stop: impl Future<Output = ()>,
) -> io::Result<()>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    serve_with(listener, service, ServeOptions::default(), stop).await
}

/// Serves as [`serve`] does, with options.
///
/// # Errors
/// As [`serve`].
pub async fn serve_with<S, B>(
    listener: impl Into<Listener>,
    service: S,
    options: ServeOptions,
    stop: impl Future<Output = ()>,
) -> io::Result<()>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    let listener = listener.into();
    let connections = GracefulShutdown::new();
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let accepted = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_connection_error(&error) => continue,
            // Usually out of file descriptors: retry once some are free.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let (service, watcher, mut stopped) =
            (service.clone(), connections.watcher(), stopped.clone());
        tokio::spawn(async move {
            let address = accepted.address;
            let stream = tokio::select! {
                biased;
                stream = accepted.into_stream() => stream,
                // No request is in flight during a handshake.
                _ = stopped.changed() => return,
            };
            let outcome: Result<(), BoxError> = match stream {
                Ok(stream) => watcher
                    .watch(serve_connection(stream, service, address, options))
                    .await
                    .map_err(Into::into),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = outcome {
                tracing::debug!(%error, "a connection failed");
            }
        });
    }
    drop((listener, stopping));
    if tokio::time::timeout(options.shutdown_timeout, connections.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests were still in flight after the shutdown timeout");
    }
    Ok(())
}

/// Creates a connection with its timeouts; it handles requests when it is polled.
fn serve_connection<T, S, B>(
    stream: T,
    service: S,
    address: ClientAddress,
    options: ServeOptions,
) -> http1::Connection<TokioIo<Connection<T>>, TowerToHyperService<ConnectionService<S>>>
where
    T: AsyncRead + AsyncWrite + Send + 'static,
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
    B: HttpBody + Send + 'static,
    B::Error: Into<BoxError>,
{
    let in_flight = InFlight::default();
    let stream = Connection::new(stream, in_flight.clone(), options.idle_timeout);
    // hyper's timeout for heads starts when it waits for one, so it would also limit idle
    // connections.
    let mut server = http1::Builder::new();
    server.header_read_timeout(None);
    server.serve_connection(
        TokioIo::new(stream),
        TowerToHyperService::new(ConnectionService {
            inner: service,
            address,
            in_flight,
        }),
    )
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Request body received by [`serve`]. Reading it fails when the client takes longer than thirty
/// seconds.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    /// Set by the first read: most requests have no body and need no timer.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let deadline = self
            .deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(BODY_READ_TIMEOUT)));
        deadline
            .as_mut()
            .poll(context)
            .map(|()| Some(Err("the body did not arrive in time".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// Rejects requests that violate HTTP, adds the client's address to the others, and counts them as
/// in flight.
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
    type Response = Response<ResponseBody<B>>;
    type Error = Infallible;
    type Future = ConnectionResponseFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        let guard = self.in_flight.begin();
        if let Some(rejection) = rejection::reject_invalid(&request) {
            return ConnectionResponseFuture::Rejected {
                response: Some((rejection, guard)),
            };
        }
        let mut request = request.map(|incoming| RequestBody {
            incoming,
            deadline: None,
        });
        request.extensions_mut().insert(self.address);
        sensitive_headers::mark_request(request.headers_mut());
        ConnectionResponseFuture::FromService {
            response: self.inner.call(request),
            guard: Some(guard),
        }
    }
}

pin_project! {
    /// Response to a request that was rejected or passed to the service.
    #[project = ResponseFutureProjection]
    enum ConnectionResponseFuture<F> {
        Rejected { response: Option<(Response<Body>, InFlightGuard)> },
        FromService { #[pin] response: F, guard: Option<InFlightGuard> },
    }
}

impl<F: Future<Output = Result<Response<B>, Infallible>>, B> Future
    for ConnectionResponseFuture<F>
{
    type Output = Result<Response<ResponseBody<B>>, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let response = match self.project() {
            ResponseFutureProjection::Rejected { response } => {
                response.take().map(|(response, guard)| {
                    response.map(|body| ResponseBody::from_rejection(body, guard))
                })
            }
            ResponseFutureProjection::FromService { response, guard } => {
                let Ok(response) = ready!(response.poll(context));
                guard
                    .take()
                    .map(|guard| response.map(|body| ResponseBody::from_service(body, guard)))
            }
        };
        Poll::Ready(Ok(
            response.expect("a future is not polled again after it was ready")
        ))
    }
}
