//! The services in hosts of every kind: axum, hyper, generic and `dyn`; and `serve` on every kind
//! of listener.

#[path = "../../examples/embed_axum.rs"]
#[allow(dead_code, reason = "its listener is not needed here")]
mod embed_axum;

#[path = "../guides/sensitive.rs"]
mod sensitive;

#[path = "../support/certificates.rs"]
mod certificates;

#[path = "../support/log_capture.rs"]
mod log_capture;

#[path = "../support/metrics_capture.rs"]
mod metrics_capture;

mod listeners;
mod stop;
mod tls;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use lyceum::directory::Directory;
use lyceum::http::{ClientAddress, TrustedProxies};
use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;
use lyceum::{AuthServer, DataApi};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tower::{Layer, Service, ServiceExt};

const HEALTH: &str = "/v1/health";
const KEYS: &str = "/v1/oauth/jwk-set";

async fn api() -> DataApi {
    let store = Arc::new(MemoryStore::new());
    DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
        .build()
        .unwrap()
}

async fn auth(issuer: &str) -> AuthServer {
    AuthServer::builder(
        Arc::new(MemoryStore::new()),
        issuer,
        lyceum::testing::master_key(1),
    )
    .build()
    .await
    .unwrap()
}

/// Host that is generic over the service and its body.
async fn get<S, B>(service: S, path: &str) -> (StatusCode, String)
where
    S: Service<Request<String>, Response = Response<B>, Error = Infallible>,
    B: http_body::Body,
    B::Error: std::fmt::Debug,
{
    let response = service
        .oneshot(Request::get(path).body(String::new()).unwrap())
        .await
        .unwrap();
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

// Proves: spec 1.2
#[tokio::test]
async fn nested_under_a_path_in_axum() {
    let app = Router::new()
        .nest_service("/school", api().await)
        .nest_service("/auth", auth("http://127.0.0.1/auth").await);
    assert_eq!(
        get(app.clone(), &format!("/school{HEALTH}")).await.0,
        StatusCode::OK
    );
    let (status, keys) = get(app, &format!("/auth{KEYS}")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(keys.contains("\"kid\""), "{keys}");
}

// Proves: spec 1.1
#[tokio::test]
async fn each_service_of_the_axum_example_is_described_where_clients_look() {
    const BASE: &str = "http://127.0.0.1:3000";
    let app = embed_axum::school().await.unwrap();
    let described = async |path: &str| {
        let (status, body) = get(app.clone(), path).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        serde_json::from_str::<serde_json::Value>(&body).unwrap()
    };
    let metadata = described("/.well-known/oauth-authorization-server/auth").await;
    assert_eq!(metadata["issuer"], format!("{BASE}/auth"));
    let keys = metadata["jwks_uri"]
        .as_str()
        .unwrap()
        .strip_prefix(BASE)
        .unwrap();
    assert_eq!(described(keys).await["keys"].as_array().unwrap().len(), 1);
    let resource = described("/.well-known/oauth-protected-resource").await;
    assert_eq!(
        resource["authorization_servers"],
        serde_json::json!([metadata["issuer"]])
    );
}

// Proves: spec 1.2
#[tokio::test]
async fn pages_of_a_nested_server_point_under_its_path() {
    let app = Router::new().nest_service("/auth", auth("http://127.0.0.1/auth").await);
    let request = Request::get("/auth/v1/oauth/login")
        .header("accept", "text/html")
        .body(String::new())
        .unwrap();
    let response = app.oneshot(request).await.unwrap();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let page = String::from_utf8(body.to_vec()).unwrap();
    assert!(page.contains("href=\"/auth/v1/oauth/"), "{page}");
}

// Proves: spec 1.2
#[tokio::test]
async fn as_the_fallback_of_an_axum_router() {
    let app = Router::new()
        .route("/own", axum::routing::get(async || "own"))
        .fallback_service(api().await);
    assert_eq!(get(app.clone(), HEALTH).await.0, StatusCode::OK);
    assert_eq!(get(app.clone(), "/own").await.1, "own");
    let (status, body) = get(app, "/nowhere").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(body.contains("\"NOT_FOUND\""), "{body}");
}

#[tokio::test]
async fn as_single_routes_of_an_axum_router() {
    let app = Router::new()
        .route_service("/v1/students", api().await)
        .route_service("/v1/oauth/{*path}", auth("http://127.0.0.1").await)
        .route_service(HEALTH, api().await);
    assert_eq!(
        get(app.clone(), "/v1/students").await.0,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(get(app.clone(), HEALTH).await.0, StatusCode::OK);
    assert_eq!(get(app, KEYS).await.0, StatusCode::OK);
}

// Proves: spec 1.2
#[tokio::test]
async fn behind_a_trait_object() {
    let storage: Arc<dyn Storage> = Arc::new(MemoryStore::new());
    let api: DataApi = DataApi::builder(
        Directory::open(storage.clone()).await.unwrap(),
        storage.clone(),
    )
    .build()
    .unwrap();
    let auth: AuthServer =
        AuthServer::builder(storage, "http://127.0.0.1", lyceum::testing::master_key(1))
            .build()
            .await
            .unwrap();
    assert_eq!(get(api, HEALTH).await.0, StatusCode::OK);
    assert_eq!(get(auth, KEYS).await.0, StatusCode::OK);
}

// Proves: spec 1.2
#[tokio::test]
async fn on_plain_hyper() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = hyper_util::service::TowerToHyperService::new(api().await);
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        hyper::server::conn::http1::Builder::new()
            .serve_connection(hyper_util::rt::TokioIo::new(stream), service)
            .await
    });
    let answer = raw(
        address,
        "GET /v1/health HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n",
    )
    .await;
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\"message\":\"OK\"}"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_request_in_flight_is_answered_after_the_stop() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (entered, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = {
        let (entered, go_on) = (entered.clone(), go_on.clone());
        tower::service_fn(move |_| {
            let (entered, go_on) = (entered.clone(), go_on.clone());
            async move {
                entered.notify_one();
                go_on.notified().await;
                Ok::<_, Infallible>(Response::new(lyceum::http::Body::from("at last")))
            }
        })
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(lyceum::http::serve(listener, slow, async {
        let _ = stopped.await;
    }));
    let answer = tokio::spawn(async move {
        raw(
            address,
            "GET / HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n",
        )
        .await
    });
    entered.notified().await;
    stop.send(()).unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    go_on.notify_one();
    let answer = answer.await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("at last"),
        "{answer:?}"
    );
    served.await.unwrap().unwrap();
}

// Proves: threats 26
/// Fails if `serve` does not mark sensitive headers; without the layer, a host's own connection
/// prints the key.
#[tokio::test]
async fn debug_of_request_headers_shows_no_secret() {
    let printer = tower::service_fn(async |request: Request<lyceum::http::RequestBody>| {
        Ok::<_, Infallible>(Response::new(lyceum::http::Body::from(format!(
            "{:?}",
            request.headers()
        ))))
    });
    let request = "GET / HTTP/1.1\r\nhost: school\r\nx-api-key: is-secret\r\ncookie: is-secret\r\nauthorization: Bearer is-secret\r\nconnection: close\r\n\r\n";
    let answer = raw(served(printer).await, request).await;
    assert!(
        answer.contains("\"x-api-key\": Sensitive")
            && !answer.contains("is-secret")
            && answer.contains("school"),
        "{answer}"
    );

    let printer = tower::service_fn(async |request: Request<()>| {
        Ok::<_, Infallible>(Response::new(format!("{:?}", request.headers())))
    });
    let marked = sensitive::mark_secrets(printer);
    let request = Request::get("/")
        .header("x-api-key", "is-secret")
        .header("cookie", "is-secret")
        .header("authorization", "is-secret");
    let answer = marked
        .oneshot(request.body(()).unwrap())
        .await
        .unwrap()
        .into_body();
    assert!(
        answer.contains("\"x-api-key\": Sensitive") && !answer.contains("is-secret"),
        "{answer}"
    );
}

// Proves: threats 40
/// Fails if the header is trusted from every peer, or from none.
#[tokio::test]
async fn a_service_behind_a_proxy_sees_the_address_that_the_proxy_vouches_for() {
    let echo = tower::service_fn(async |request: Request<lyceum::http::RequestBody>| {
        let ClientAddress(address) = request.extensions().get().unwrap();
        Ok::<_, Infallible>(Response::new(lyceum::http::Body::from(address.to_string())))
    });
    let request = "GET / HTTP/1.1\r\nhost: school\r\nx-forwarded-for: 6.6.6.6, 198.51.100.1\r\nconnection: close\r\n\r\n";
    for (proxy, client) in [("127.0.0.0/8", "198.51.100.1"), ("10.0.0.1", "127.0.0.1")] {
        let behind = TrustedProxies::x_forwarded_for(&[proxy])
            .unwrap()
            .layer(echo);
        let answer = raw(served(behind).await, request).await;
        assert_eq!(answer.split("\r\n\r\n").nth(1), Some(client), "{answer:?}");
    }
}

// Proves: threats 34
/// Paused time, which advances to the next deadline when all tasks wait.
/// Fails if the head of a request may take hours.
#[tokio::test(start_paused = true)]
async fn a_silent_connection_is_closed() {
    let address = served(api().await).await;
    for sent in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /v1/health HTTP/1.1\r\nhost: sch",
    ] {
        let started = tokio::time::Instant::now();
        let answer = raw(address, sent).await;
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer:?}");
        assert!(
            started.elapsed() <= Duration::from_secs(11),
            "{sent:?} kept the connection"
        );
    }
}

// Proves: threats 34
#[tokio::test(start_paused = true)]
async fn a_request_body_that_does_not_arrive_times_out() {
    let address = served(auth("http://127.0.0.1").await).await;
    let head = "POST /v1/oauth/token HTTP/1.1\r\nhost: school\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    let started = tokio::time::Instant::now();
    let answer = raw(address, head).await;
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("invalid_request"),
        "{answer:?}"
    );
    assert!(
        started.elapsed() <= Duration::from_secs(41),
        "{:?}",
        started.elapsed()
    );
}

// Proves: threats 34
/// Fails if writing has no deadline.
#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_of_its_response_is_disconnected() {
    const LENGTH: usize = 64 << 20;
    let long = tower::service_fn(async |_| {
        Ok::<_, Infallible>(Response::new(lyceum::http::Body::from(vec![b'x'; LENGTH])))
    });
    let address = served(long).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nhost: school\r\nconnection: close\r\n\r\n")
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let mut taken = Vec::new();
    let _ = stream.read_to_end(&mut taken).await;
    assert!(
        taken.len() < LENGTH,
        "the whole answer was kept for a client that did not take it"
    );
}

/// Serves the service on a free port.
async fn served<S>(service: S) -> std::net::SocketAddr
where
    S: Service<
            Request<lyceum::http::RequestBody>,
            Response = Response<lyceum::http::Body>,
            Error = Infallible,
        > + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(lyceum::http::serve(
        listener,
        service,
        std::future::pending(),
    ));
    address
}

/// Sends a request over a new connection, and reads the response until that is closed.
async fn raw(address: std::net::SocketAddr, request: &str) -> String {
    exchange(TcpStream::connect(address).await.unwrap(), request).await
}

/// Sends a request, and reads the response until the connection is closed.
async fn exchange(mut stream: impl AsyncRead + AsyncWrite + Unpin, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}
