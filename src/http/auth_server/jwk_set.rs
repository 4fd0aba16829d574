use std::time::Duration;

use http::header::CACHE_CONTROL;
use http::{HeaderValue, Response, StatusCode};

use super::error::Error;
use super::response;
use super::server::Server;
use crate::http::Body;

/// How long verifiers may cache the key set. A key is published for longer than this before it
/// signs.
pub(super) const MAX_AGE: Duration = Duration::from_secs(300);

/// `GET /v1/oauth/jwk-set`, without authentication.
pub(super) async fn handle(server: &Server) -> Result<Response<Body>, Error> {
    let keys = server.shared.keys.jwk_set(server.now()).await?;
    let mut response = response::with_body(StatusCode::OK, "application/json", keys);
    let cacheable = HeaderValue::try_from(format!("public, max-age={}", MAX_AGE.as_secs()))?;
    response.headers_mut().insert(CACHE_CONTROL, cacheable);
    Ok(response)
}
