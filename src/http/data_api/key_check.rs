use std::net::IpAddr;
use std::sync::Arc;

use http::HeaderMap;
use http::header::HeaderName;
use http::request::Parts;

use super::api_key_cache::ApiKeyCache;
use super::error::Error;
use super::expiry_notices::expires_soon;
use super::owner_check_cache::OwnerCheckCache;
use super::rate_limit_headers::ResponseHeaders;
use super::rate_limits::RateLimits;
use crate::domain::{ApiKey, ApiKeySecret, ApiScope, CalendarFeedToken, Timestamp};
use crate::http::audit::RefusalRule;
use crate::http::service::RequestContext;
use crate::http::{ClientAddress, FailureCause, KeyLimit};
use crate::store::{ApiKeyStore, CalendarFeedStore};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Authenticates API keys and checks owners, rate limits and scopes.
pub(super) struct Authorizer<'a> {
    pub(super) store: &'a dyn ApiKeyStore,
    pub(super) keys: &'a ApiKeyCache,
    pub(super) limits: &'a RateLimits,
    /// The request, for the event of a refusal.
    pub(super) context: &'a RequestContext,
    /// Checks whether key owners are still users, if the host provides such a check.
    pub(super) owners: Option<&'a OwnerCheckCache>,
}

impl Authorizer<'_> {
    /// Authenticates the API key and checks the required scope. Checks run in a fixed order: the
    /// key, its owner, the rate limit, the scope. An invalid key therefore reveals nothing
    /// about scopes, and a request over the limit does no further work.
    ///
    /// The owner of a looked-up key is not checked. The request is not recorded as a use, and counts
    /// towards the limit unless the caller is exempt.
    pub(super) async fn authorize(
        &self,
        (head, looked_up): (&Parts, Option<(Arc<ApiKey>, KeyLimit)>),
        scope: &ApiScope,
        now: Timestamp,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Arc<ApiKey>, Error> {
        let is_presented = looked_up.is_none();
        let is_exempt = matches!(looked_up, Some((_, KeyLimit::Exempt)));
        let identified = match looked_up {
            Some((key, _)) => {
                check_expiry(&key, Some(key.expires_at), now).map(|expires_at| (key, expires_at))
            }
            None => self
                .authenticate(&head.headers, now)
                .await
                .map_err(|error| match error.rule() {
                    RefusalRule::ApiKeyInvalid
                    | RefusalRule::ApiKeyOwnerGone
                    | RefusalRule::ApiKeyExpired
                    | RefusalRule::ApiKeyRepeated => self.limits.count_bad_key(
                        error,
                        ClientAddress::from_extensions(&head.extensions),
                        now,
                    ),
                    _ => error,
                }),
        };
        let (key, expires_at) = identified?;
        if is_presented {
            self.context.set_api_key(key.id);
            response_headers.key = Some((key.id, now));
        } else if let Some(owner) = &key.owner {
            // The user reads, and not the program that has the key.
            self.context.set_subject(owner);
        }
        response_headers.key_expires_at =
            Some(expires_at).filter(|expires_at| expires_soon(*expires_at, now));
        if !is_exempt {
            self.limits.take(&key, now, response_headers).await?;
        }
        if key.scopes.contains(scope) {
            Ok(key)
        } else {
            Err(Error::scope_missing(scope))
        }
    }

    /// Authenticates the token of a calendar feed, in the order of an API key: the feed with its key,
    /// the key's owner, its rate limit. Without a valid feed the response is that of an unknown
    /// address, and counts as an invalid key.
    pub(super) async fn authorize_feed(
        &self,
        feeds: &dyn CalendarFeedStore,
        (token, address): (Option<CalendarFeedToken>, Option<IpAddr>),
        now: Timestamp,
        response_headers: &mut ResponseHeaders,
    ) -> Result<Arc<ApiKey>, Error> {
        let invalid = || {
            let error = Error::calendar_feed_invalid();
            self.limits.count_bad_key(error, address, now)
        };
        let token = token.ok_or_else(invalid)?;
        let found = feeds.calendar_feed(&token.digest()).await?;
        let (_, key) = found
            .filter(|(feed, key)| feed.is_valid(key, now))
            .ok_or_else(invalid)?;
        match self.check_owner(&key, now).await {
            Err(error) if error.rule() == RefusalRule::ApiKeyOwnerGone => return Err(invalid()),
            checked => checked?,
        }
        self.context.set_api_key(key.id);
        response_headers.key = Some((key.id, now));
        self.limits.take(&key, now, response_headers).await?;
        Ok(key)
    }

    /// Returns the presented key and the expiry of the presented value: after a renewal, each of a
    /// key's two values has its own expiry.
    async fn authenticate(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<(Arc<ApiKey>, Timestamp), Error> {
        let digest = presented_secret(headers)?.digest();
        let key = self
            .keys
            .get_or_load(self.store, &digest, now)
            .await?
            .ok_or_else(Error::key_invalid)?;
        let expires_at = check_expiry(&key, key.expiry_of(&digest), now)?;
        self.check_owner(&key, now).await?;
        Ok((key, expires_at))
    }

    /// Rejects keys whose owner is no longer a user according to `KeyOwnerCheck`. If the check
    /// fails and no recent result is cached, the request fails with 503, so an outage never
    /// restores revoked access.
    async fn check_owner(&self, key: &ApiKey, now: Timestamp) -> Result<(), Error> {
        let (Some(owners), Some(owner)) = (self.owners, &key.owner) else {
            return Ok(());
        };
        if owners
            .is_user(owner, now)
            .await
            .map_err(|error| Error::unavailable().with_cause(FailureCause::new(error)))?
        {
            Ok(())
        } else {
            Err(Error::key_owner_gone())
        }
    }
}

/// Returns the expiry of a key that is neither expired nor revoked.
fn check_expiry(
    key: &ApiKey,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Timestamp, Error> {
    let expires_at = expires_at
        .filter(|_| key.revoked_at.is_none())
        .ok_or_else(Error::key_invalid)?;
    if now < expires_at {
        Ok(expires_at)
    } else {
        Err(Error::key_expired())
    }
}

fn presented_secret(headers: &HeaderMap) -> Result<ApiKeySecret, Error> {
    let mut values = headers.get_all(API_KEY).iter();
    let value = values.next().ok_or_else(Error::key_missing)?;
    if values.next().is_some() {
        return Err(Error::key_repeated());
    }
    let text = value.to_str().map_err(|_| Error::key_invalid())?;
    ApiKeySecret::parse(text).map_err(|_| Error::key_invalid())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ApiKeyId, ApiScopes, ShortText};

    // Proves: spec 2.12
    /// Fails if an in-process caller can use a key that is expired or revoked.
    #[test]
    fn a_key_works_until_its_end_or_its_revocation() {
        let at = Timestamp::from_seconds(1_790_000_000);
        let secret = ApiKeySecret::from_random([1; 16]);
        let key = ApiKey::new(
            ApiKeyId::from_random([1; 16]),
            &secret,
            ShortText::from_static("key"),
            ApiScopes::built_in(),
            at,
        );
        let expires_at = key.expires_at;
        let second = std::time::Duration::from_secs(1);
        assert!(
            matches!(check_expiry(&key, Some(expires_at), expires_at.minus(second)), Ok(told) if told == expires_at)
        );
        assert!(matches!(
            check_expiry(&key, Some(expires_at), expires_at),
            Err(error) if error.rule() == RefusalRule::ApiKeyExpired
        ));
        assert!(matches!(
            check_expiry(&key, None, at),
            Err(error) if error.rule() == RefusalRule::ApiKeyInvalid
        ));
        let revoked = ApiKey {
            revoked_at: Some(at),
            ..key
        };
        assert!(matches!(
            check_expiry(&revoked, Some(expires_at), at),
            Err(error) if error.rule() == RefusalRule::ApiKeyInvalid
        ));
    }
}
