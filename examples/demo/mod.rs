//! What the bundled examples share: their options, the invented school, and the wiring of the services on one port.

mod fill;
mod key_file;
mod options;
mod pages;
mod report;

use std::error::Error;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use lyceum::store::Storage;
use lyceum::{AuthServer, DataApi};
use tokio::net::TcpListener;

pub use key_file::KeyFile;
pub use options::Options;

pub type Failure = Box<dyn Error>;

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
    let listener = TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))?;
    let bound = listener.local_addr()?;
    let host = if bound.ip().is_unspecified() { "127.0.0.1".to_owned() } else { SocketAddr::new(bound.ip(), 0).to_string() };
    let host = host.strip_suffix(":0").unwrap_or(&host).to_owned();
    Ok((listener, format!("http://{host}:{}", bound.port())))
}

/// Fills an empty store, says where everything is, and serves until Ctrl-C or SIGTERM.
pub async fn run(store: Arc<impl Storage>, keys: KeyFile, listener: TcpListener, base_url: &str, json: bool) -> Result<(), Failure> {
    let auth = AuthServer::builder(store.clone(), base_url, keys.master_key()).build().await?;
    let api = DataApi::builder(store.clone()).public_url(base_url).build()?;
    let demo = fill::fill(&store, &keys, base_url).await?;

    let app = Router::new()
        .route("/", get(pages::welcome))
        .route("/demo/callback", get(pages::callback))
        .route("/demo/native", get(pages::callback))
        .with_state(demo.told())
        .route_service("/v1/oauth/{*path}", auth.clone())
        .route_service("/.well-known/{*path}", auth)
        .fallback_service(api);

    let stop = stop_signal()?;
    // The sockets accept from here on: what comes before `serve` waits in the backlog.
    if json {
        demo.print_json()
    } else {
        demo.print_text()
    }
    lyceum::http::serve(listener, app, stop).await?;
    Ok(())
}

fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}
