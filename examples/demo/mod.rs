//! What the bundled examples share: their options, the invented school, and the wiring of the services on one port.

mod fill;
mod key_file;
mod options;
mod pages;
mod report;

use std::error::Error;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use lyceum::directory::Directory;
use lyceum::http::ApiReference;
use lyceum::http::audit::TrailLog;
use lyceum::http::console::Console;
use lyceum::store::{RateLimiter, Storage, StorageError};
use lyceum::{AuthServer, DataApi};
use tokio::net::TcpListener;

use fill::Found;
use key_file::KeyFile;
pub use options::Options;
use report::{Demo, Ready};

pub type Failure = Box<dyn Error>;

/// Everything else belongs to the data API.
const OF_THE_AUTHORIZATION_SERVICE: [&str; 12] = [
    "/v1/oauth/{*path}",
    "/.well-known/oauth-authorization-server",
    "/.well-known/jwks.json",
    "/userinfo",
    "/v1/applications",
    "/v1/applications/{*path}",
    "/v1/clients",
    "/v1/clients/{*path}",
    "/v1/api-keys",
    "/v1/api-keys/{*path}",
    "/v1/grants",
    "/v1/grants/{*path}",
];

/// One clear line for whatever went wrong.
pub fn exit(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lyceum: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The listener, and the address under which browsers on this machine find it.
pub async fn listen(address: SocketAddr) -> Result<(TcpListener, String), Failure> {
    const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    if !LOOPBACK.contains(&address.ip()) && !address.ip().is_unspecified() {
        return Err(
            format!("--listen takes 127.0.0.1, [::1] or 0.0.0.0, not {address}: a demo without TLS signs nobody in elsewhere").into()
        );
    }
    let listener = TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let port = listener.local_addr()?.port();
    let host = if address.ip() == LOOPBACK[1] { "[::1]" } else { "127.0.0.1" };
    Ok((listener, format!("http://{host}:{port}")))
}

/// Fills an empty store with the invented school, leaves one with records of its own as it is, says which and where everything is, and serves until
/// Ctrl-C or SIGTERM. Without a limiter, this server counts the requests of API keys for itself.
pub async fn run(
    store: Arc<impl Storage>,
    limiter: Option<Arc<dyn RateLimiter>>,
    key_file: &Path,
    listener: TcpListener,
    base_url: &str,
    options: Options,
) -> Result<(), Failure> {
    // What the services tell of themselves, refusals with their ids among it.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let keys = KeyFile::of(&*store, key_file).await?;
    let directory = Directory::open(store.clone()).await?;
    tokio::spawn(directory.keep_fresh(tokio::time::sleep));
    let found = fill::look(&*store, &keys).await?;
    // Events also go into the store, where administrators look them up.
    let (log, writer) = TrailLog::builder(store.clone()).build();
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
    let background = tokio::spawn(api.run());
    let last_uses = api.clone();
    let console = Console::builder(auth.office(), &format!("{base_url}/console"));
    let console = if found == Found::Records { console } else { console.site("Demo school")? };
    let console = console.data(api.reading_room(), base_url).build()?;
    let reference = ApiReference::new("A school on one port", [api.openapi(), auth.openapi()])?;
    let demo = if found == Found::Records { None } else { Some(fill_in_turn(&store, &directory, &keys, base_url).await?) };

    let pages = match &demo {
        Some(demo) => Router::new()
            .route("/", get(pages::welcome))
            .route("/demo/callback", get(pages::web_callback))
            .route("/demo/native", get(pages::native_callback))
            .route("/demo/console", get(pages::console_callback))
            .with_state(demo.told()),
        None => Router::new(),
    };
    let own = pages.nest_service("/console", console).fallback_service(api);
    let own = ["/v1/openapi.json", "/v1/docs", "/v1/docs/{*path}"].iter().fold(own, |app, path| app.route_service(path, reference.clone()));
    let app = OF_THE_AUTHORIZATION_SERVICE.iter().fold(own, |app, path| app.route_service(path, auth.clone()));
    let app = app.layer(options.proxies);

    let stop = stop_signal()?;
    // The socket accepts from here on: what comes before `serve` waits in the backlog.
    let ready = Ready { base_url: base_url.to_owned(), found, demo };
    match ready.print(&mut std::io::stdout().lock(), options.json) {
        // Nobody reads what we say, so nobody misses it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        printed => printed.map_err(|error| format!("cannot print the addresses: {error}"))?,
    }
    lyceum::http::serve(listener, app, stop).await?;
    background.abort();
    if let Err(error) = last_uses.flush().await {
        eprintln!("lyceum: {error}");
    }
    log.close().await;
    writing.await?;
    Ok(())
}

/// Fills the store, again if another server that does the same at this moment keeps it locked for longer than a call waits.
async fn fill_in_turn(store: &Arc<impl Storage>, directory: &Directory, keys: &KeyFile, base_url: &str) -> Result<Demo, Failure> {
    const TRIES: usize = 20;
    for _ in 1..TRIES {
        match fill::fill(store, directory, keys, base_url).await {
            Err(failure) if failure.downcast_ref().is_some_and(StorageError::is_unavailable) => {}
            filled => return filled,
        }
    }
    fill::fill(store, directory, keys, base_url).await
}

/// Ready at the first Ctrl-C or SIGTERM. The second one ends the process at once.
fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let mut told = async move || {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    };
    Ok(async move {
        told().await;
        tokio::spawn(async move {
            told().await;
            std::process::exit(1);
        });
    })
}
