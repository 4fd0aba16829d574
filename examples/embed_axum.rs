//! Both services within an axum application.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::get;
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::directory::Directory;
use lyceum::http::ClientAddress;
use lyceum::store::memory::MemoryStore;
use lyceum::{AuthServer, DataApi};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let app = school().await?.layer(from_fn(with_client_address));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!(
        "http://127.0.0.1:3000/v1/health and http://127.0.0.1:3000/.well-known/oauth-authorization-server/auth"
    );
    axum::serve(
        listener,
        app.into_make_service_with_connect_info::<SocketAddr>(),
    )
    .await?;
    Ok(())
}

/// The services beside a page of the host's own.
pub async fn school() -> Result<Router, Box<dyn Error>> {
    const ISSUER: &str = "http://127.0.0.1:3000/auth";
    let store = Arc::new(MemoryStore::new());
    // Store the master key with your secrets. Data sealed under it is lost without it.
    let mut master_key = [0; 32];
    SystemEntropy.fill(&mut master_key);

    let directory = Directory::open(store.clone()).await?;
    let auth = AuthServer::builder(store.clone(), ISSUER, MasterKey::from_bytes(master_key))
        .directory(directory.clone())
        .api_keys(store.clone())
        .build()
        .await?;
    let api = DataApi::builder(directory, store)
        .public_url("http://127.0.0.1:3000")
        .authorization_server(ISSUER)
        .build()?;
    Ok(Router::new()
        .route("/", get(async || "a school's own page"))
        // Clients fetch the metadata from the root of the host.
        .route_service(&auth.metadata_path(), auth.clone())
        .nest_service("/auth", auth)
        .fallback_service(api))
}

/// Passes the client's address to the services, which limit failed sign-ins per address. Behind a
/// proxy, use the address that the trusted proxy reports.
async fn with_client_address(
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(ClientAddress(peer.ip()));
    next.run(request).await
}
