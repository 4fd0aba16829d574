use std::sync::Arc;

use axum::Router;
use lyceum::crypto::MasterKey;
use lyceum::directory::Directory;
use lyceum::http::Branding;
use lyceum::http::console::Console;
use lyceum::store::Storage;
use lyceum::{AuthServer, DataApi};

pub async fn with_interface(
    store: Arc<impl Storage>,
    master_key: MasterKey,
) -> Result<Router, Box<dyn std::error::Error>> {
    let auth = AuthServer::builder(store.clone(), "https://school.example/auth", master_key)
        .api_keys(store.clone())
        .branding(Branding::new("Star High School")?)
        .build()
        .await?;
    let directory = Directory::open(store.clone()).await?;
    let api = DataApi::builder(directory, store)
        .public_url("https://school.example/api")
        .build()?;
    let console = Console::builder(auth.management(), "https://school.example/console")
        .data_browser(api.data_client(), "https://school.example/api")
        .build()?;
    Ok(Router::new()
        .route_service(&auth.metadata_path(), auth.clone())
        .nest_service("/auth", auth)
        .nest_service("/api", api)
        .nest_service("/console", console))
}
