//! The demo: a sample school, and the services on one port of this machine.

mod database_state;
mod key_file;
mod options;
mod pages;
#[cfg(feature = "postgres")]
pub mod postgres;
mod records;
mod report;
mod seed;
#[cfg(feature = "sqlite")]
pub mod sqlite;

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use lyceum::directory::Directory;
use lyceum::http::ApiReference;
use lyceum::http::audit::StoredAuditLog;
use lyceum::http::console::Console;
use lyceum::store::{RateLimiter, Storage, StorageError};
use lyceum::{AuthServer, DataApi};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use database_state::DatabaseState;
use key_file::KeyFile;
use options::Options;
use report::{Demo, Ready};

use crate::BoxError;
use crate::services::AUTH_SERVER_ROUTES;
use crate::signals::stop_signal;

/// Binds the listener and returns it with the URL for browsers on this machine.
async fn listen(address: SocketAddr) -> Result<(TcpListener, String), BoxError> {
    const LOOPBACK: [IpAddr; 2] = [
        IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::LOCALHOST),
    ];
    if !LOOPBACK.contains(&address.ip()) && !address.ip().is_unspecified() {
        return Err(
            format!("--listen takes 127.0.0.1, [::1] or 0.0.0.0, not {address}: a demo without TLS signs nobody in elsewhere").into()
        );
    }
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let port = listener.local_addr()?.port();
    let host = if address.ip() == LOOPBACK[1] {
        "[::1]"
    } else {
        "127.0.0.1"
    };
    Ok((listener, format!("http://{host}:{port}")))
}

/// Serves until Ctrl-C or SIGTERM.
///
/// Seeds an empty store with the sample school and leaves other records unchanged. Prints the state
/// of the database and the URLs. Without a limiter, the server counts API key requests in memory.
async fn run(
    store: Arc<impl Storage>,
    limiter: Option<Arc<dyn RateLimiter>>,
    key_file: &Path,
    listener: TcpListener,
    base_url: &str,
    options: Options,
) -> Result<(), BoxError> {
    // Logs of the services, including errors with request ids.
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let keys = KeyFile::open(&*store, key_file).await?;
    let directory = Directory::open(store.clone()).await?;
    let found = database_state::inspect(&*store, &keys).await?;
    // Audit events also go into the store, where administrators search them.
    let (log, writer) = StoredAuditLog::builder(store.clone()).build();
    let writing = tokio::spawn(writer.run());
    let auth = AuthServer::builder(store.clone(), base_url, keys.master_key())
        .directory(directory.clone())
        .api_keys(store.clone())
        .management_limit(options.limit)
        .reserved_names(["Demo school"])
        .audit(Arc::new(log.clone()))
        .build()
        .await?;
    let api = DataApi::builder(directory.clone(), store.clone())
        .public_url(base_url)
        .authorization_server(base_url)
        .rate_limit(options.limit)
        .bad_key_limit(options.limit)
        .audit(Arc::new(log.clone()));
    let api = match limiter {
        Some(limiter) => api.rate_limiter(limiter),
        None => api,
    };
    let api = api.build()?;
    let last_uses = api.clone();
    let console = Console::builder(auth.management(), &format!("{base_url}/console"));
    let console = if found == DatabaseState::Records {
        console
    } else {
        console.site_name("Demo school")?
    };
    let console = console.data_browser(api.data_client(), base_url).build()?;
    let reference = ApiReference::new("A school on one port", [api.openapi(), auth.openapi()])?;
    let demo = if found == DatabaseState::Records {
        None
    } else {
        Some(seed_with_retries(&store, &directory, &keys, base_url).await?)
    };

    let pages = match &demo {
        Some(demo) => Router::new()
            .route("/", get(pages::welcome))
            .route("/demo/callback", get(pages::web_callback))
            .route("/demo/native", get(pages::native_callback))
            .route("/demo/console", get(pages::console_callback))
            .with_state(demo.page_context()),
        None => Router::new(),
    };
    let own = pages
        .nest_service("/console", console)
        .fallback_service(api);
    let own = ["/v1/openapi.json", "/v1/docs", "/v1/docs/{*path}"]
        .iter()
        .fold(own, |app, path| app.route_service(path, reference.clone()));
    let app = AUTH_SERVER_ROUTES
        .iter()
        .fold(own, |app, path| app.route_service(path, auth.clone()));
    let app = app.layer(options.proxies);

    let stop = stop_signal()?;
    // The socket accepts connections from here on; they wait in the backlog until `serve` runs.
    let ready = Ready {
        base_url: base_url.to_owned(),
        found,
        demo,
    };
    match ready.print(&mut std::io::stdout().lock(), options.json) {
        // The output has no reader, so the addresses need not be printed.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        printed => printed.map_err(|error| format!("cannot print the addresses: {error}"))?,
    }
    // Not earlier: a task that a failed start aborts would log that its connection is gone.
    let mut background = JoinSet::new();
    background.spawn(directory.keep_fresh(tokio::time::sleep));
    background.spawn(last_uses.run());
    lyceum::http::serve(listener, app, stop).await?;
    background.shutdown().await;
    if let Err(error) = last_uses.flush().await {
        eprintln!("lyceum: {error}");
    }
    log.close().await;
    writing.await?;
    Ok(())
}

/// Seeds the store, and tries again while another server that seeds it keeps it locked for longer
/// than the timeout.
async fn seed_with_retries(
    store: &Arc<impl Storage>,
    directory: &Directory,
    keys: &KeyFile,
    base_url: &str,
) -> Result<Demo, BoxError> {
    const TRIES: usize = 20;
    for _ in 1..TRIES {
        match seed::seed(store, directory, keys, base_url).await {
            Err(failure)
                if failure
                    .downcast_ref()
                    .is_some_and(StorageError::is_unavailable) => {}
            filled => return filled,
        }
    }
    seed::seed(store, directory, keys, base_url).await
}
