//! Management of the data API's keys.

#[cfg(feature = "console")]
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::permission::Changeable;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{
    ApiKey, ApiKeyId, ApiKeyRenewal, ApiKeySecret, ApiKeySettings, ApiScopes, InvalidValue,
    PageRequest, Quota,
};
#[cfg(feature = "console")]
use crate::domain::{DailyCalls, DateRange};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{ApiKeyStore, LimitedCreation, Paged, Renewal};

/// The default window of a key's rate limit.
pub(crate) const DEFAULT_WINDOW: Duration = Duration::from_secs(60);

impl ManagementSession<'_> {
    /// The user's own keys, also for an administrator.
    #[cfg(feature = "console")]
    pub(crate) async fn own_api_keys(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, ManagementError> {
        Ok(self
            .api_key_store()?
            .api_keys(Some(&self.user.id), page)
            .await?)
    }

    /// Calls of keys on each of these days, without days with no calls, and without keys with none.
    /// The caller has checked that the user may see the keys.
    #[cfg(feature = "console")]
    pub(crate) async fn daily_api_key_usage(
        &self,
        keys: &[ApiKeyId],
        days: DateRange,
    ) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, ManagementError> {
        Ok(self.api_key_store()?.usage_of_api_keys(keys, days).await?)
    }

    /// The scopes that keys of the user's role may have.
    #[cfg(feature = "console")]
    pub(crate) fn grantable_api_scopes(&self) -> ApiScopes {
        let allowed = self.management.api_key_scopes.get(&self.user.role);
        self.management
            .api_scopes
            .iter()
            .filter(|scope| allowed.is_none_or(|allowed| allowed.contains(scope)))
            .cloned()
            .collect()
    }

    /// The user's keys; all keys for an administrator.
    pub(crate) async fn api_keys(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, ManagementError> {
        Ok(self
            .api_key_store()?
            .api_keys(self.owner_filter(), page)
            .await?)
    }

    /// Issues a key. Its value is not shown again. Only administrators set a limit; the protected
    /// fields among the requested ones wait for an administrator.
    pub(crate) async fn issue_api_key(
        &self,
        new: ApiKeySettings,
    ) -> Result<(ApiKey, ApiKeySecret), ManagementError> {
        self.check_privileged("rateLimit", false, new.quota.is_some())?;
        self.check_api_scopes(&new.scopes)?;
        let (secret, at_most) = (
            ApiKeySecret::from_random(self.management.entropy.bytes()),
            self.management.api_keys_per_owner,
        );
        let protected = self.protected_fields().difference(new.hidden);
        let key = ApiKey {
            owner: Some(self.user.id.clone()),
            hidden: new.hidden.union(protected),
            requested: new.requested.intersection(protected),
            quota: new.quota,
            ..ApiKey::new(
                ApiKeyId::from_random(self.management.entropy.bytes()),
                &secret,
                new.description,
                new.scopes,
                self.now(),
            )
        };
        match self
            .api_key_store()?
            .issue_api_key(key.clone(), at_most)
            .await?
        {
            LimitedCreation::Created => {}
            LimitedCreation::LimitReached => {
                return Err(Rejection::too_many_api_keys(at_most).into());
            }
            LimitedCreation::AlreadyExists => {
                return Err(ManagementError::Failed(
                    "a new API key's id or value was taken",
                ));
            }
        }
        self.record_change(ManagedObject::ApiKey(key.id), Change::Created);
        if !self.is_still_authenticated().await? {
            if self
                .api_key_store()?
                .revoke_api_key(key.id, self.now())
                .await?
            {
                self.record_change(ManagedObject::ApiKey(key.id), Change::Deleted);
            }
            return Err(ManagementError::AccessEnded);
        }
        Ok((key, secret))
    }

    /// Renews a key with a new value. The replaced value works for the overlap, 24 hours by
    /// default, and the values before it until their own end. Renewal fails if the user's role no
    /// longer allows the key's scopes. The key then hides what keys of its owner's role hide, unless
    /// an administrator has approved it.
    pub(crate) async fn renew_api_key(
        &self,
        key: &Changeable<Arc<ApiKey>>,
        overlap: Option<Duration>,
    ) -> Result<(Arc<ApiKey>, ApiKeySecret), ManagementError> {
        let overlap = overlap.unwrap_or(ApiKey::DEFAULT_OVERLAP);
        // A key is not valid for longer, so a longer overlap has no meaning.
        if overlap > ApiKey::VALIDITY {
            return Err(Rejection::invalid(
                "overlapSeconds",
                &InvalidValue::new("must be at most 2592000, which are 30 days"),
            )
            .into());
        }
        self.check_api_scopes(&key.scopes)?;
        let secret = ApiKeySecret::from_random(self.management.entropy.bytes());
        self.check_still_authenticated().await?;
        let renewal = ApiKeyRenewal {
            digest: secret.digest(),
            hint: secret.hint(),
            overlap,
        };
        // A renewal that is refused hides nothing.
        if key.renewed(renewal.clone(), self.now()).is_none() {
            return Err(Rejection::too_many_key_values(ApiKey::MAX_LIVE_VALUES).into());
        }
        // First the fields, so that no failure leaves a renewed key that shows more.
        self.hide_unapproved_fields(key).await?;
        let key = match self
            .api_key_store()?
            .renew_api_key(key.id, renewal, self.now())
            .await?
        {
            Renewal::Renewed(key) => key,
            Renewal::TooManyValues => {
                return Err(Rejection::too_many_key_values(ApiKey::MAX_LIVE_VALUES).into());
            }
            Renewal::Revoked | Renewal::NotFound => return Err(Rejection::not_found().into()),
            Renewal::AlreadyExists => {
                return Err(ManagementError::Failed(
                    "a new value of an API key was taken",
                ));
            }
        };
        self.record_change(ManagedObject::ApiKey(key.id), Change::Renewed);
        // The key existed before the request and may belong to another user, so it stays. The new
        // value is not shown.
        self.check_still_authenticated().await?;
        Ok((key, secret))
    }

    /// Revokes the key with all its values.
    pub(crate) async fn revoke_api_key(
        &self,
        key: &Changeable<Arc<ApiKey>>,
    ) -> Result<(), ManagementError> {
        if !self
            .api_key_store()?
            .revoke_api_key(key.id, self.now())
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.record_change(ManagedObject::ApiKey(key.id), Change::Deleted);
        Ok(())
    }

    /// The store of the keys; not found if there is none.
    pub(super) fn api_key_store(&self) -> Result<&dyn ApiKeyStore, Rejection> {
        self.management
            .api_keys
            .as_deref()
            .ok_or_else(Rejection::not_found)
    }

    /// Refuses scopes that the host does not allow for keys of the user's role.
    pub(super) fn check_api_scopes(&self, scopes: &ApiScopes) -> Result<(), Rejection> {
        if self
            .management
            .api_key_scopes
            .get(&self.user.role)
            .is_none_or(|allowed| scopes.is_subset(allowed))
        {
            return Ok(());
        }
        Err(Rejection::api_scope_not_allowed())
    }
}

/// Parses the scopes of a key by their names; at least one, all of them known.
pub(crate) fn parse_api_scopes(
    names: &[String],
    known: &ApiScopes,
) -> Result<ApiScopes, Rejection> {
    let scope = |name: &String| known.iter().find(|scope| scope.as_str() == name).cloned();
    let scopes: ApiScopes = names
        .iter()
        .map(scope)
        .collect::<Option<_>>()
        .ok_or_else(|| Rejection::api_scope_unknown(known.to_string().replace(' ', ", ")))?;
    if scopes.is_empty() {
        Err(Rejection::invalid(
            "scopes",
            &InvalidValue::new("must name a scope"),
        ))
    } else {
        Ok(scopes)
    }
}

/// Parses a key's rate limit: requests, window in seconds, and burst.
pub(crate) fn parse_quota(
    limit: Option<u32>,
    window: Option<u32>,
    burst: Option<u32>,
) -> Result<Option<Quota>, Rejection> {
    let Some(limit) = limit else {
        return if window.or(burst).is_none() {
            Ok(None)
        } else {
            Err(Rejection::missing("rateLimit"))
        };
    };
    let at_fault = |name, largest: u64| {
        let rule = format!("must be a whole number from 1 to {largest}");
        Err(Rejection::invalid(name, &InvalidValue::from_string(rule)))
    };
    let window = window.map_or(DEFAULT_WINDOW, |seconds| {
        Duration::from_secs(seconds.into())
    });
    if window.is_zero() || window > Quota::MAX_WINDOW {
        return at_fault("rateWindowSeconds", Quota::MAX_WINDOW.as_secs());
    }
    if burst == Some(0) {
        return at_fault("rateBurst", u32::MAX.into());
    }
    Quota::new(limit, window, burst.unwrap_or(limit))
        .map(Some)
        .map_err(|rule| Rejection::invalid("rateLimit", &rule))
}
