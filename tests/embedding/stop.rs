//! The order of a stop.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::Response;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::http::{Body, Readiness, ServeOptions, serve, serve_with};
use lyceum::store::memory::MemoryStore;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::{HEALTH, raw};

const READY: &str = "/v1/health/ready";

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n")
}

/// A service that says when a request has arrived, and answers when it is told to.
fn slow(
    entered: &Arc<Notify>,
    go_on: &Arc<Notify>,
) -> impl tower::Service<
    http::Request<axum::body::Body>,
    Response = Response<Body>,
    Error = Infallible,
    Future: Send,
> + Clone
+ Send
+ Sync
+ 'static {
    let (entered, go_on) = (entered.clone(), go_on.clone());
    tower::service_fn(move |_| {
        let (entered, go_on) = (entered.clone(), go_on.clone());
        async move {
            entered.notify_one();
            go_on.notified().await;
            Ok(Response::new(Body::from("at last")))
        }
    })
}

// Proves: spec 2.15
/// Fails if connections are refused before the balancers know, or requests in flight are cut off.
#[tokio::test]
async fn a_stop_turns_the_readiness_then_closes_the_listener_and_then_finishes_requests() {
    const DRAIN: Duration = Duration::from_secs(3600);
    let store = Arc::new(MemoryStore::new());
    let readiness = Readiness::new();
    let api = DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .readiness(readiness.clone())
        .build()
        .unwrap();
    let (entered, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let app = Router::new()
        .route_service("/slow", slow(&entered, &go_on))
        .fallback_service(api);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let served = tokio::spawn(serve(listener, app, readiness.drain(stopped, DRAIN)));
    let ready = async || raw(address, &request(READY)).await;
    assert!(ready().await.starts_with("HTTP/1.1 200"));
    let answer = tokio::spawn(async move { raw(address, &request("/slow")).await });
    entered.notified().await;

    stop.send(()).unwrap();
    while !readiness.is_stopping() {
        tokio::task::yield_now().await;
    }
    let refused = ready().await;
    assert!(
        refused.starts_with("HTTP/1.1 503") && refused.contains("\"service_unavailable\""),
        "{refused}"
    );
    assert!(
        raw(address, &request(HEALTH))
            .await
            .starts_with("HTTP/1.1 200")
    );

    tokio::time::pause();
    tokio::time::advance(DRAIN).await;
    tokio::time::resume();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!served.is_finished());
    go_on.notify_one();
    let answer = answer.await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("at last"),
        "{answer:?}"
    );
    served.await.unwrap().unwrap();
}

/// Fails if the time for requests in flight is another one than the host's.
#[tokio::test]
async fn a_request_that_never_ends_does_not_keep_the_server() {
    for seconds in [0, 3, 60] {
        let (entered, never) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let app = Router::new().fallback_service(slow(&entered, &never));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let options = ServeOptions::default().shutdown_timeout(Duration::from_secs(seconds));
        let served = tokio::spawn(serve_with(listener, app, options, async {
            let _ = stopped.await;
        }));
        tokio::spawn(async move { raw(address, &request("/")).await });
        entered.notified().await;
        // From here on a wait advances the time.
        tokio::time::pause();
        let started = Instant::now();
        stop.send(()).unwrap();
        served.await.unwrap().unwrap();
        assert_eq!(started.elapsed().as_secs(), seconds);
        tokio::time::resume();
    }
}
