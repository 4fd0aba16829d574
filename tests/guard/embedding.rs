//! The guard in axum, on plain hyper, and around services with other bodies.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Router};
use http::header::AUTHORIZATION;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use lyceum::DataApi;
use lyceum::directory::Directory;
use lyceum::http::data_api::DataApiBuilder;
use lyceum::http::guard::Caller;
use lyceum::http::{Body, ProtectedResource};
use lyceum::store::memory::MemoryStore;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tower::{Layer, Service, ServiceExt, service_fn};

use crate::fixtures::{APPLICATION, ISSUER, READ, builder, es256, guard, keys_of, token};

const DESCRIPTION: &str = "/.well-known/oauth-protected-resource";

fn with_token(path: &str, token: &str) -> Request<axum::body::Body> {
    Request::get(path)
        .header(AUTHORIZATION, format!("Bearer {token}"))
        .body(axum::body::Body::empty())
        .unwrap()
}

#[tokio::test]
async fn as_a_layer_of_an_axum_router_and_of_one_of_its_routes() {
    let signer = es256();
    let write = format!("{APPLICATION}:write");
    let resource = ProtectedResource::new("https://school.example/timetable", ISSUER).unwrap();
    let guard = builder(keys_of(&[&*signer]))
        .protected_resource(&resource)
        .build()
        .unwrap();
    let nested = Router::new()
        .route(
            "/lessons",
            get(async |Extension(caller): Extension<Caller>| caller.subject),
        )
        .route(
            "/swap",
            post(async || "swapped").layer(guard.require(write.parse().unwrap())),
        )
        .route(
            "/checked",
            get(async move |Extension(caller): Extension<Caller>| {
                match caller.require(&write.parse().unwrap()) {
                    Ok(()) => "done".into_response(),
                    Err(refused) => refused.into_response().into_response(),
                }
            }),
        )
        .layer(guard.require(READ.parse().unwrap()));
    let app = Router::new()
        .nest("/timetable", nested)
        .route_service(&resource.path(), resource.clone());

    let token = token(&*signer);
    let response = app
        .clone()
        .oneshot(with_token("/timetable/lessons", &token))
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(
        response.into_body().collect().await.unwrap().to_bytes(),
        "kim@school.example"
    );
    let mut swap = with_token("/timetable/swap", &token);
    *swap.method_mut() = http::Method::POST;
    for request in [swap, with_token("/timetable/checked", &token)] {
        assert_eq!(app.clone().oneshot(request).await.unwrap().status(), 403);
    }
    let response = app
        .clone()
        .oneshot(with_token("/timetable/lessons", "nonsense"))
        .await
        .unwrap();
    let challenge = response.headers()["www-authenticate"].to_str().unwrap();
    let address = challenge
        .split("resource_metadata=\"https://school.example")
        .nth(1)
        .unwrap()
        .trim_end_matches('"')
        .to_owned();
    let response = app.oneshot(with_token(&address, "none")).await.unwrap();
    assert_eq!(response.status(), 200);
    let document: serde_json::Value =
        serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(document["authorization_servers"][0], ISSUER);
}

#[tokio::test]
async fn on_plain_hyper_and_the_body_of_a_refused_request_is_not_waited_for() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let inner = service_fn(async |request: Request<hyper::body::Incoming>| {
        let body = request.into_body().collect().await.unwrap().to_bytes();
        Ok::<_, Infallible>(Response::new(http_body_util::Full::new(body)))
    });
    let signer = es256();
    let service = hyper_util::service::TowerToHyperService::new(guard(&*signer).layer(inner));
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(hyper_util::rt::TokioIo::new(stream), service.clone());
            tokio::spawn(connection);
        }
    });
    let raw = async |request: String| {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    };
    let head = "POST / HTTP/1.1\r\nhost: school\r\nconnection: close\r\ncontent-length: ";
    let answer = raw(format!(
        "{head}5\r\nauthorization: Bearer {}\r\n\r\nhello",
        token(&*signer)
    ))
    .await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"),
        "{answer}"
    );
    // A gigabyte is announced, and nothing is sent.
    let answer = raw(format!("{head}1000000000\r\n\r\n")).await;
    assert!(
        answer.starts_with("HTTP/1.1 401") && answer.contains("www-authenticate: Bearer "),
        "{answer}"
    );
}

/// A service that must be ready before each call.
#[derive(Default)]
struct Counting {
    is_ready: bool,
}

/// A clone has to become ready by itself.
impl Clone for Counting {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Service<Request<()>> for Counting {
    type Response = Response<http_body_util::Full<bytes::Bytes>>;
    type Error = std::io::Error;
    type Future = std::future::Ready<Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        assert!(
            std::mem::take(&mut self.is_ready),
            "called without being ready"
        );
        std::future::ready(Err(std::io::Error::other("its own failure")))
    }
}

#[tokio::test]
async fn a_service_is_called_only_when_it_is_ready_and_its_errors_stay_its_own() {
    let signer = es256();
    let mut guarded = guard(&*signer).layer(Counting::default());
    for _ in 0..3 {
        let request = Request::get("/")
            .header(AUTHORIZATION, format!("Bearer {}", token(&*signer)))
            .body(())
            .unwrap();
        assert_eq!(
            guarded
                .ready()
                .await
                .unwrap()
                .call(request)
                .await
                .unwrap_err()
                .to_string(),
            "its own failure"
        );
    }
    let refused = guarded
        .ready()
        .await
        .unwrap()
        .call(Request::new(()))
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
}

async fn data_api() -> DataApiBuilder {
    let store = Arc::new(MemoryStore::new());
    DataApi::builder(Directory::open(store.clone()).await.unwrap(), store)
}

#[tokio::test]
async fn around_the_data_api_a_description_is_at_both_paths_and_only_if_configured() {
    let described = data_api()
        .await
        .public_url("https://school.example/api")
        .authorization_server("https://school.example/auth")
        .build()
        .unwrap();
    let app = Router::new()
        .nest_service("/api", described.clone())
        .route_service(&format!("{DESCRIPTION}/api"), described);
    for path in [format!("/api{DESCRIPTION}"), format!("{DESCRIPTION}/api")] {
        let response = app
            .clone()
            .oneshot(Request::get(&path).body(Body::empty()).unwrap())
            .await
            .unwrap();
        assert_eq!(
            (
                response.status().as_u16(),
                &response.headers()["cache-control"]
            ),
            (200, &http::HeaderValue::from_static("public, max-age=300"))
        );
        let document = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(
            document,
            r#"{"resource":"https://school.example/api","authorization_servers":["https://school.example/auth"],"bearer_methods_supported":[]}"#
        );
        let post = Request::post(&path).body(Body::empty()).unwrap();
        assert_eq!(app.clone().oneshot(post).await.unwrap().status(), 405);
    }
    let silent = data_api()
        .await
        .public_url("https://school.example/api")
        .build()
        .unwrap();
    let response = silent
        .oneshot(Request::get(DESCRIPTION).body(Body::empty()).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status(), 404);
    let body = String::from_utf8(response.into_body().as_bytes().to_vec()).unwrap();
    assert!(body.contains("\"NOT_FOUND\""), "{body}");
}

#[tokio::test]
async fn a_description_needs_a_public_address() {
    use lyceum::http::ConfigError;
    let api = async || {
        data_api()
            .await
            .authorization_server("https://school.example/auth")
    };
    assert!(matches!(
        api().await.build(),
        Err(ConfigError::ProtectedResource(_))
    ));
    assert!(matches!(
        api().await.public_url("http://school.example").build(),
        Err(ConfigError::ProtectedResource(_))
    ));
}
