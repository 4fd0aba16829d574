use std::sync::Arc;

use http::HeaderMap;
use http::header::HeaderName;
use http::request::Parts;

use super::expiry::is_soon;
use super::failure::Failure;
use super::key_cache::KeyCache;
use super::limits::Limits;
use super::notes::Notes;
use super::owner_checks::OwnerChecks;
use crate::domain::{ApiKey, ApiKeySecret, ApiScope, Timestamp};
use crate::http::ClientAddress;
use crate::store::ApiKeyStore;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// What requests are checked by.
pub(super) struct Gate<'a> {
    pub(super) store: &'a dyn ApiKeyStore,
    pub(super) keys: &'a KeyCache,
    pub(super) limits: &'a Limits,
    /// Who knows whether owners of keys are still users, if the host says.
    pub(super) owners: Option<&'a OwnerChecks>,
}

impl Gate<'_> {
    /// Authenticates the API key and checks the required scope. Checks run in a fixed order: the key, its owner, the rate limit, the scope. An
    /// invalid key therefore reveals nothing about scopes, and a request over the limit does no further work.
    ///
    /// The key is the one that the request presents, or one that is known without its value, whose owner is not checked.
    pub(super) async fn pass(
        &self,
        (head, known): (&Parts, Option<Arc<ApiKey>>),
        scope: &ApiScope,
        (now, now_micros): (Timestamp, i64),
        notes: &mut Notes,
    ) -> Result<Arc<ApiKey>, Failure> {
        let identified = match known {
            Some(key) => working(&key, Some(key.expires_at), now).map(|ends| (key, ends)),
            None => self.identify((now, now_micros), &head.headers).await.map_err(|why| match why {
                Failure::KeyInvalid | Failure::KeyOwnerGone | Failure::KeyExpired | Failure::KeyRepeated => {
                    self.limits.count_bad_key(why, ClientAddress::among(&head.extensions), now)
                }
                other => other,
            }),
        };
        let (key, ends) = identified?;
        notes.key_ends = Some(ends).filter(|ends| is_soon(*ends, now));
        self.limits.take(&key, now_micros, notes).await?;
        if key.scopes.contains(scope) { Ok(key) } else { Err(Failure::ScopeMissing(scope.clone())) }
    }

    /// The key of the value that is presented, and when that value ends: after a renewal each of a key's two values has an end of its own.
    async fn identify(&self, (now, now_micros): (Timestamp, i64), headers: &HeaderMap) -> Result<(Arc<ApiKey>, Timestamp), Failure> {
        let digest = presented(headers)?.digest();
        let key = self.keys.key(self.store, &digest, now_micros).await?.ok_or(Failure::KeyInvalid)?;
        let ends = working(&key, key.expiry_of(&digest), now)?;
        self.check_owner(&key, now).await?;
        Ok((key, ends))
    }

    /// Rejects keys whose owner is no longer a user according to `KeyOwners`. If `KeyOwners` fails and no recent answer is cached, the request
    /// fails with 503, so an outage never restores revoked access.
    async fn check_owner(&self, key: &ApiKey, now: Timestamp) -> Result<(), Failure> {
        let (Some(owners), Some(owner)) = (self.owners, &key.owner) else { return Ok(()) };
        if owners.is_user(owner, now).await.map_err(Failure::StoreUnavailable)? { Ok(()) } else { Err(Failure::KeyOwnerGone) }
    }
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
        let key = ApiKey::issued(ApiKeyId::from_random([1; 16]), &secret, Line::literal("key"), ApiScopes::built_in(), at);
        let ends = key.expires_at;
        let second = std::time::Duration::from_secs(1);
        assert!(matches!(working(&key, Some(ends), ends.minus(second)), Ok(told) if told == ends));
        assert!(matches!(working(&key, Some(ends), ends), Err(Failure::KeyExpired)));
        assert!(matches!(working(&key, None, at), Err(Failure::KeyInvalid)));
        let revoked = ApiKey { revoked_at: Some(at), ..key };
        assert!(matches!(working(&revoked, Some(ends), at), Err(Failure::KeyInvalid)));
    }
}
