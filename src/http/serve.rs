use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tower::Service;

use super::ClientAddress;

/// How long requests in flight may still take after `stop`.
const GRACE: Duration = Duration::from_secs(10);

/// Serves a service on a listener, HTTP/1.1 and HTTP/2, until `stop` is ready. Requests in flight are then answered, for at most ten
/// seconds.
///
/// Each request carries its [`ClientAddress`]. A connection that does not finish its request head within ten seconds is closed.
///
/// # Errors
/// When the listener is broken. A single connection that fails is not an error.
pub async fn serve<S, B>(listener: TcpListener, service: S, stop: impl Future<Output = ()>) -> io::Result<()>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut server = auto::Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(GRACE);
    server.http2().timer(TokioTimer::new());
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_one_connection(&error) => continue,
            // Out of file descriptors, most likely: accept again once some are free.
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Small answers should leave at once; a socket that cannot do that still works.
        let _ = stream.set_nodelay(true);
        let service = WithAddress { inner: service.clone(), address: ClientAddress(peer.ip()) };
        let connection = server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)).into_owned();
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight when the time to stop was over");
    }
    Ok(())
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
}

/// Adds the peer's address to each request.
#[derive(Debug, Clone)]
struct WithAddress<S> {
    inner: S,
    address: ClientAddress,
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for WithAddress<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        request.extensions_mut().insert(self.address);
        self.inner.call(request)
    }
}
