//! The demo: a sample school, and the services on one port of this machine.

mod branding;
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
use lyceum::domain::ClassPeriods;
use lyceum::http::{Branding, Readiness};
use lyceum::store::sql::SqlStore;
use lyceum::store::{RateLimiter, Storage, StorageError};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use database_state::DatabaseState;
use key_file::KeyFile;
use options::Options;
use report::{Demo, Ready};

use crate::BoxError;
use crate::services::{School, ServiceSettings, Services, services};
use crate::settings::{Addresses, SchoolBounds};
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
    store: Arc<SqlStore>,
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
    let found = database_state::inspect(&*store, &keys).await?;
    let school = School::new(
        store.clone(),
        keys.master_key(),
        Addresses::at_root(base_url),
        SchoolBounds::default(),
    );
    let settings = ServiceSettings {
        branding: if found == DatabaseState::Records {
            Branding::default()
        } else {
            branding::branding()?
        },
        time_zone: "Asia/Seoul".to_owned(),
        class_periods: ClassPeriods::default(),
        api_key_limit: options.limit,
        bad_key_limit: options.limit,
        change_limit: options.limit,
        sign_in_limit: None,
        authorize_limit: None,
        proxies: options.proxies,
        neis: None,
        mailer: None,
    };
    let Services {
        app,
        api,
        auth,
        directory,
        ..
    } = services(&school, limiter, &settings, Readiness::new()).await?;
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
            .route("/demo/attendance", get(pages::developer_callback))
            .with_state(demo.page_context()),
        None => Router::new(),
    };
    let app = pages.merge(app);

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
    background.spawn(api.run(tokio::time::sleep));
    background.spawn(auth.run(tokio::time::sleep));
    lyceum::http::serve(listener, app, stop).await?;
    background.shutdown().await;
    for flushed in [api.flush().await, auth.flush().await] {
        if let Err(error) = flushed {
            eprintln!("lyceum: {error}");
        }
    }
    school.close().await
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
