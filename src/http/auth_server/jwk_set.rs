use std::sync::Arc;

use http::header::CACHE_CONTROL;
use http::{HeaderValue, Response, StatusCode};

use super::answer;
use crate::crypto::{Signer, key_set};
use crate::http::Body;

/// How long verifiers may keep the key set, in seconds. A key has to be published for longer than this before it signs.
const MAX_AGE: &str = "public, max-age=300";

/// The public keys (RFC 7517 §5) as they are answered, rendered once.
pub(super) fn render(signers: &[Arc<dyn Signer>]) -> Result<Body, serde_json::Error> {
    serde_json::to_vec(&key_set(signers.iter().map(|signer| &**signer))).map(Body::from)
}

/// `GET /v1/oauth/jwk-set`: for anyone, without authentication.
pub(super) fn show(rendered: &Body) -> Response<Body> {
    let mut response = answer::with_body(StatusCode::OK, "application/json", rendered.clone());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(MAX_AGE));
    response
}
