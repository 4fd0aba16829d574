use std::sync::Arc;
use std::time::Duration;

use http::header::HeaderName;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use super::builder::Settings;
use super::failure::Failure;
use super::limits::Limits;
use crate::domain::{ApiKey, ApiKeySecret, ApiScope, Timestamp};
use crate::http::ClientAddress;
use crate::store::ApiKeyStore;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const EXPIRES: HeaderName = HeaderName::from_static("x-api-key-expires");

/// How long before a key's end its answers tell of it.
const EXPIRY_TOLD: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Lets a request through whose key works and has the scope. The order is a promise: who has no good key learns nothing of
/// scopes, and a key beyond its limit costs nothing more.
pub(super) async fn pass(
    store: &dyn ApiKeyStore,
    limits: &Limits,
    settings: &Settings,
    head: &Parts,
    scope: ApiScope,
    notes: &mut HeaderMap,
) -> Result<Arc<ApiKey>, Failure> {
    let now = settings.now();
    let key = match identify(store, now, &head.headers).await {
        Err(why @ (Failure::KeyInvalid | Failure::KeyExpired | Failure::KeyRepeated)) => {
            return Err(limits.count_bad_key(why, ClientAddress::among(&head.extensions), now));
        }
        identified => identified?,
    };
    if now >= key.expires_at.minus(EXPIRY_TOLD)
        && let Ok(moment) = HeaderValue::try_from(key.expires_at.to_string())
    {
        notes.insert(EXPIRES, moment);
    }
    limits.take(&key, settings.now_micros(), notes).await?;
    if key.scopes.contains(scope) { Ok(key) } else { Err(Failure::ScopeMissing(scope)) }
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
