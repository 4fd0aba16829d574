use http::{Response, StatusCode};

use super::failure::Failure;
use super::reply;
use crate::http::Body;
use crate::store::SchoolDirectory;

/// The service runs.
pub(super) fn alive() -> Response<Body> {
    reply::json(StatusCode::OK, r#"{"status":"OK","code":200,"message":"OK"}"#)
}

/// The service runs and its storage answers. Whatever is wrong with the storage, the service is not ready.
pub(super) async fn ready(store: &dyn SchoolDirectory) -> Result<Response<Body>, Failure> {
    store.version().await.map_err(Failure::StoreUnavailable)?;
    Ok(alive())
}
