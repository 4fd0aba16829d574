use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::Sleep;
use tokio_io_timeout::TimeoutStream;
use tower::Service;

use super::{ClientAddress, sensitive};

/// How long a client may take to send the head of a request, and how long requests in flight may still take after `stop`.
const HEAD: Duration = Duration::from_secs(10);
/// How long a client may take to send the body of a request.
const BODY: Duration = Duration::from_secs(30);
/// How long a client may take nothing of an answer that waits for it.
const ANSWER: Duration = Duration::from_secs(30);

/// Serves a service on a listener over HTTP/1.1 until `stop` is ready. Requests in flight are then answered, for at most ten seconds.
///
/// Each request carries its [`ClientAddress`], and its headers with secrets are marked sensitive. A connection is closed when it has not sent a request head for ten seconds or has taken nothing
/// of an answer for thirty, and reading a body fails after thirty, so that clients cannot hold connections by doing nothing. How many there
/// are at once is for whatever stands in front to limit.
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
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD);
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
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(ANSWER));
        let service = Dressed { inner: service.clone(), address: ClientAddress(peer.ip()) };
        let connection = connections.watch(server.serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service)));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    drop(listener);
    if tokio::time::timeout(HEAD, connections.shutdown()).await.is_err() {
        tracing::warn!("some requests were still in flight when the time to stop was over");
    }
    Ok(())
}

fn is_of_one_connection(error: &io::Error) -> bool {
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
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(BODY)));
        deadline.as_mut().poll(context).map(|()| Some(Err("the body did not arrive in time".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}

/// Adds to each request what only the listener knows.
#[derive(Debug, Clone)]
struct Dressed<S> {
    inner: S,
    address: ClientAddress,
}

impl<S: Service<Request<RequestBody>>> Service<Request<Incoming>> for Dressed<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Incoming>) -> Self::Future {
        let mut request = request.map(|incoming| RequestBody { incoming, deadline: None });
        request.extensions_mut().insert(self.address);
        sensitive::mark_request(request.headers_mut());
        self.inner.call(request)
    }
}
