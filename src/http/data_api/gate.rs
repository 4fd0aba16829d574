use std::sync::Arc;

use http::HeaderMap;
use http::header::HeaderName;

use super::failure::Failure;
use crate::domain::{ApiKey, ApiKeySecret, ApiScope, Timestamp};
use crate::store::ApiKeyStore;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Lets a request through whose key works and has the scope. The order is a promise: who has no good key learns nothing of
/// scopes, and a limit on requests belongs between the two.
pub(super) async fn pass(store: &dyn ApiKeyStore, now: Timestamp, headers: &HeaderMap, scope: ApiScope) -> Result<(), Failure> {
    let key = identify(store, now, headers).await?;
    if key.scopes.contains(scope) { Ok(()) } else { Err(Failure::ScopeMissing(scope)) }
}

async fn identify(store: &dyn ApiKeyStore, now: Timestamp, headers: &HeaderMap) -> Result<Arc<ApiKey>, Failure> {
    let digest = presented(headers)?.digest();
    let key = store.api_key(&digest).await?.ok_or(Failure::KeyInvalid)?;
    if key.works(now) {
        return Ok(key);
    }
    Err(if key.revoked_at.is_some() { Failure::KeyInvalid } else { Failure::KeyExpired })
}

fn presented(headers: &HeaderMap) -> Result<ApiKeySecret, Failure> {
    let mut values = headers.get_all(API_KEY).iter();
    let value = values.next().ok_or(Failure::KeyMissing)?;
    if values.next().is_some() {
        return Err(Failure::KeyRepeated);
    }
    let text = value.to_str().map_err(|_| Failure::KeyInvalid)?;
    ApiKeySecret::presented(text).map_err(|_| Failure::KeyInvalid)
}
