use std::sync::Arc;

use axum::Router;
use lyceum::AuthServer;
use lyceum::crypto::MasterKey;
use lyceum::http::console::Console;
use lyceum::store::Storage;

pub async fn with_interface(store: Arc<impl Storage>, master_key: MasterKey) -> Result<Router, Box<dyn std::error::Error>> {
    let auth = AuthServer::builder(store.clone(), "https://school.example/auth", master_key).api_keys(store).build().await?;
    let console = Console::builder(auth.office(), "https://school.example/console").site("Star High School")?.build()?;
    Ok(Router::new()
        .route_service(&auth.metadata_path(), auth.clone())
        .nest_service("/auth", auth)
        .nest_service("/console", console))
}
