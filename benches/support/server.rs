//! The measured process with the services. Everything is enabled: API keys, rate limits, entity
//! tags, metrics and audit.

use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use lyceum::directory::Directory;
use lyceum::domain::{
    ApiKey, ApiKeyId, ApiKeySecret, ApiScopes, Quota, ShortText, SigningAlgorithm,
};
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::data_api::LeasedLimiter;
use lyceum::http::{Clock, RequestBody, SystemClock};
use lyceum::store::Storage;
use lyceum::store::memory::MemoryStore;
use lyceum::store::sql::SqlStore;
use lyceum::{AuthServer, DataApi};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::net::TcpListener;
use tower::{ServiceExt, service_fn};

use super::{logins, process, school};

/// Scrape interval of Prometheus.
const SCRAPE: Duration = Duration::from_secs(5);

/// The client's API key.
pub fn api_key() -> ApiKeySecret {
    ApiKeySecret::from_random([7; 16])
}

/// `serve STORE STUDENTS [es256]`: serves, and responds to commands of this program. The store is
/// `memory`, `sqlite:PATH` or `postgres:URL`, and is filled if empty.
pub fn serve(arguments: &[&str]) {
    let [store, students, algorithm @ ..] = arguments else {
        panic!("serve STORE STUDENTS [es256]")
    };
    let algorithm = if algorithm == ["es256"] {
        SigningAlgorithm::Es256
    } else {
        SigningAlgorithm::Rs256
    };
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    metrics::set_global_recorder(recorder).unwrap();
    lyceum::metrics::describe();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, address) = runtime.block_on(async {
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(SCRAPE).await;
                metrics.run_upkeep();
            }
        });
        let (store, shared) = open(store).await;
        (
            store.clone(),
            start(store, shared, students.parse().unwrap(), algorithm).await,
        )
    });
    println!("{address}");
    process::answer(|command| match command {
        ["codes", first, count] => runtime
            .block_on(logins::issue(
                &store,
                first.parse().unwrap(),
                count.parse().unwrap(),
            ))
            .join(" "),
        _ => panic!("{command:?}"),
    });
    std::io::stdout().flush().unwrap();
    std::process::exit(0);
}

/// Opens the store. Also returns whether other processes may share it.
pub async fn open(store: &str) -> (Arc<dyn Storage>, bool) {
    match store.split_once(':') {
        Some(("sqlite", path)) => (Arc::new(SqlStore::sqlite(path).unwrap()), false),
        Some(("postgres", url)) => (
            Arc::new(SqlStore::postgres(url).migrate(true).open().await.unwrap()),
            true,
        ),
        _ => (Arc::new(MemoryStore::new()), false),
    }
}

async fn start(
    store: Arc<dyn Storage>,
    shared: bool,
    students: usize,
    algorithm: SigningAlgorithm,
) -> SocketAddr {
    let directory = Directory::open(store.clone()).await.unwrap();
    tokio::spawn(directory.keep_fresh(tokio::time::sleep));
    if store.directory_version().await.unwrap().number == 0 {
        school::fill(&directory, students).await;
        let (secret, now) = (api_key(), SystemClock.now());
        let key = ApiKey::new(
            ApiKeyId::from_random([7; 16]),
            &secret,
            ShortText::from_static("bench"),
            ApiScopes::built_in(),
            now,
        );
        let _ = store.create_api_key(key).await.unwrap();
        logins::register(&*store).await;
    }
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    tokio::spawn(writer.run());
    // The limit is counted, but never reached.
    let limit = Quota::new(1_000_000, Duration::from_secs(1), 1_000_000).unwrap();
    let auth = AuthServer::builder(
        store.clone(),
        "http://127.0.0.1",
        lyceum::testing::master_key(3),
    )
    .directory(directory.clone())
    .signing_algorithm(algorithm)
    .client_limit(limit)
    .audit(Arc::new(log.clone()))
    .build()
    .await
    .unwrap();
    let api = DataApi::builder(directory, store.clone())
        .rate_limit(limit)
        .audit(Arc::new(log));
    let api = if shared {
        api.rate_limiter(Arc::new(LeasedLimiter::new(store)))
    } else {
        api
    };
    let api = api.build().unwrap();
    tokio::spawn(api.run(tokio::time::sleep));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let both = service_fn(move |request: Request<RequestBody>| {
        let (auth, api) = (auth.clone(), api.clone());
        async move {
            if request.uri().path().starts_with("/v1/oauth/") {
                auth.oneshot(request).await
            } else {
                api.oneshot(request).await
            }
        }
    });
    tokio::spawn(lyceum::http::serve(listener, both, std::future::pending()));
    address
}

/// `hyper FILE`: a server that responds with the file's bytes, or with an empty 304 to requests for
/// `/304`.
pub fn serve_with_hyper(arguments: &[&str]) {
    use bytes::Bytes;
    use http_body_util::Full;
    use hyper::body::Incoming;
    use hyper_util::rt::TokioIo;

    let [file] = arguments else {
        panic!("hyper FILE")
    };
    let page = Bytes::from(std::fs::read(file).unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    println!("{}", listener.local_addr().unwrap());
    runtime.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let page = page.clone();
            let service = hyper::service::service_fn(move |request: Request<Incoming>| {
                let response = if request.uri().path() == "/304" {
                    Response::builder().status(304).body(Full::default())
                } else {
                    Response::builder()
                        .header("content-type", "application/json")
                        .body(Full::new(page.clone()))
                };
                std::future::ready(Ok::<_, Infallible>(response.unwrap()))
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    process::answer(|command| panic!("{command:?}"));
    std::process::exit(0);
}
