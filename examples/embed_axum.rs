//! Both services inside an axum application of your own.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use lyceum::crypto::{Entropy, MasterKey, SystemEntropy};
use lyceum::store::memory::MemoryStore;
use lyceum::{AuthServer, DataApi};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let store = Arc::new(MemoryStore::new());
    // Keep the master key where you keep your secrets; what it sealed is lost without it.
    let mut master_key = [0; 32];
    SystemEntropy.fill(&mut master_key);

    let auth = AuthServer::builder(store.clone(), "http://127.0.0.1:3000/auth", MasterKey::from_bytes(master_key)).build().await?;
    let api = DataApi::builder(store).public_url("http://127.0.0.1:3000").build()?;
    let app = Router::new().route("/", get(async || "a school's own page")).nest_service("/auth", auth).fallback_service(api);

    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("http://127.0.0.1:3000/v1/health and http://127.0.0.1:3000/auth/v1/oauth/jwk-set");
    axum::serve(listener, app).await?;
    Ok(())
}
