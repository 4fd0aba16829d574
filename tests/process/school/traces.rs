//! Traces, as a collector receives them. The programs are built with every feature.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use http_body_util::BodyExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{init, serve};
use crate::support::Client;
use crate::test_database::TestDatabase;

const TRACE: [u8; 16] = *b"trace-of-a-proxy";
const SPAN: [u8; 8] = *b"its-span";

/// A collector that keeps the bodies of what it receives.
async fn collector() -> (String, UnboundedReceiver<Bytes>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let (sender, received) = unbounded_channel();
    let app = Router::new().fallback(receive).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, app).await });
    (endpoint, received)
}

async fn receive(State(sender): State<UnboundedSender<Bytes>>, request: Request) {
    let (head, body) = request.into_parts();
    assert_eq!(
        (head.method.as_str(), head.uri.path()),
        ("POST", "/v1/traces")
    );
    assert_eq!(head.headers["content-type"], "application/x-protobuf");
    sender
        .send(body.collect().await.unwrap().to_bytes())
        .unwrap();
}

/// Serves one request of a proxy, and returns what the collector has received after the stop.
async fn traces(arguments: &[&str]) -> Vec<u8> {
    let (endpoint, mut received) = collector().await;
    let database = TestDatabase::sqlite();
    init(&database);
    let arguments = [&["--traces-endpoint", &endpoint], arguments].concat();
    let (server, origin) = serve(&database, &arguments);
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let parent = format!("00-{}-{}-01", hex(&TRACE), hex(&SPAN));
    let headers = [
        ("traceparent", &*parent),
        ("x-api-key", "is-secret"),
        ("user-agent", "is-secret"),
        ("x-forwarded-for", "203.0.113.77"),
    ];
    let answer = Client::new()
        .get(&format!("{origin}/v1/students?name=is-secret"), &headers)
        .await;
    assert_eq!(answer.status, 401);
    server.stop();
    let mut spans = Vec::new();
    while let Ok(body) = received.try_recv() {
        spans.extend_from_slice(&body);
    }
    spans
}

fn has(spans: &[u8], text: &[u8]) -> bool {
    spans.windows(text.len()).any(|window| window == text)
}

/// Fails if spans are lost at the stop, or contain more than the fields of the request's span.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_spans_of_requests_reach_the_collector_without_secrets() {
    let spans = traces(&["--trusted-proxies", "127.0.0.1"]).await;
    for text in [
        "lyceum.request",
        "lyceum",
        "students",
        "request_id",
        "status",
    ] {
        assert!(has(&spans, text.as_bytes()), "{text} is not in the spans");
    }
    for text in ["is-secret", "203.0.113.77", "/v1/", "code.", "thread."] {
        assert!(!has(&spans, text.as_bytes()), "{text} is in the spans");
    }
}

/// Fails if a trusted proxy's trace is not continued, or if any client can write into it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trace_of_a_request_is_continued_only_for_trusted_proxies() {
    let trusted = traces(&["--trusted-proxies", "10.0.0.1,127.0.0.1"]).await;
    assert!(has(&trusted, &TRACE) && has(&trusted, &SPAN));
    for proxies in ["10.0.0.1", ""] {
        let spans = traces(&["--trusted-proxies", proxies]).await;
        assert!(has(&spans, b"lyceum.request"), "{proxies:?}");
        assert!(!has(&spans, &TRACE) && !has(&spans, &SPAN), "{proxies:?}");
    }
}

/// Fails if a server needs its collector.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_its_collector_answers_and_stops() {
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/v1/traces", nowhere.local_addr().unwrap());
    drop(nowhere);
    let database = TestDatabase::sqlite();
    init(&database);
    let (server, origin) = serve(&database, &["--traces-endpoint", &endpoint]);
    let answer = Client::new().get(&format!("{origin}/v1/health"), &[]).await;
    assert_eq!(answer.status, 200);
    server.stop();
}
