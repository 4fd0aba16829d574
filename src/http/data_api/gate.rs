use std::sync::Arc;

use http::HeaderMap;
use http::header::HeaderName;
use http::request::Parts;

use super::builder::Settings;
use super::expiry;
use super::failure::Failure;
use super::limits::Limits;
use crate::domain::{ApiKey, ApiKeySecret, ApiScope, Timestamp};
use crate::http::ClientAddress;
use crate::store::ApiKeyStore;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Lets a request through whose key works and has the scope. The order is a promise: who has no good key learns nothing of
/// scopes, and a key beyond its limit costs nothing more.
///
/// The key is the one that the request presents, or one that is known without its value.
pub(super) async fn pass(
    store: &dyn ApiKeyStore,
    limits: &Limits,
    settings: &Settings,
    (head, known): (&Parts, Option<Arc<ApiKey>>),
    scope: ApiScope,
    notes: &mut HeaderMap,
) -> Result<Arc<ApiKey>, Failure> {
    let now = settings.now();
    let identified = match known {
        Some(key) => working(&key, Some(key.expires_at), now).map(|ends| (key, ends)),
        None => identify(store, now, &head.headers).await.map_err(|why| match why {
            Failure::KeyInvalid | Failure::KeyExpired | Failure::KeyRepeated => {
                limits.count_bad_key(why, ClientAddress::among(&head.extensions), now)
            }
            other => other,
        }),
    };
    let (key, ends) = identified?;
    expiry::tell(ends, now, notes);
    limits.take(&key, settings.now_micros(), notes).await?;
    if key.scopes.contains(scope) { Ok(key) } else { Err(Failure::ScopeMissing(scope)) }
}

/// The key of the value that is presented, and when that value ends: after a renewal each of a key's two values has an end of its own.
async fn identify(store: &dyn ApiKeyStore, now: Timestamp, headers: &HeaderMap) -> Result<(Arc<ApiKey>, Timestamp), Failure> {
    let digest = presented(headers)?.digest();
    let key = store.api_key(&digest).await?.ok_or(Failure::KeyInvalid)?;
    let ends = working(&key, key.expiry_of(&digest), now)?;
    Ok((key, ends))
}

/// When a key ends, if it has not.
fn working(key: &ApiKey, ends: Option<Timestamp>, now: Timestamp) -> Result<Timestamp, Failure> {
    let ends = ends.filter(|_| key.revoked_at.is_none()).ok_or(Failure::KeyInvalid)?;
    if now < ends { Ok(ends) } else { Err(Failure::KeyExpired) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ApiKeyId, ApiScopes, Line};

    /// Fails if who knows a key without its value may use it when it works no more.
    #[test]
    fn decision_2_12_a_key_works_until_its_end_or_its_revocation() {
        let at = Timestamp::from_seconds(1_790_000_000);
        let secret = ApiKeySecret::from_random([1; 16]);
        let key = ApiKey::issued(ApiKeyId::from_random([1; 16]), &secret, Line::literal("key"), ApiScopes::all(), at);
        let ends = key.expires_at;
        let second = std::time::Duration::from_secs(1);
        assert!(matches!(working(&key, Some(ends), ends.minus(second)), Ok(told) if told == ends));
        assert!(matches!(working(&key, Some(ends), ends), Err(Failure::KeyExpired)));
        assert!(matches!(working(&key, None, at), Err(Failure::KeyInvalid)));
        let revoked = ApiKey { revoked_at: Some(at), ..key };
        assert!(matches!(working(&revoked, Some(ends), at), Err(Failure::KeyInvalid)));
    }
}
