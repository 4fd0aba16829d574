use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::hidden_key_fields::hide_fields;
use super::{Creation, Paged, StorageError};
use crate::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySettings, DailyCalls,
    DateRange, HiddenFields, PageRequest, SubjectId, Timestamp,
};

/// Stores the API keys of the data API.
///
/// A key has one current value and, after renewals, previous values that are still valid. No two
/// stored values, of any keys, are the same. Scope names are not checked: hosts define their own.
#[async_trait]
pub trait ApiKeyStore: Debug + Send + Sync + 'static {
    /// Stores a new key, unless its id or a digest is taken. A key that is stored also deletes a
    /// few keys that ended long before it was created: see [`retention`](super::retention).
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError>;

    /// Stores a new key as [`create_api_key`](Self::create_api_key) does, unless its owner has
    /// `limit` keys already. Keys count as [`ApiKey::counts_toward_limit`] says: expired ones,
    /// because they can be renewed, and recently revoked ones. The limit holds under concurrent
    /// calls. Keys without an owner are not limited.
    async fn issue_api_key(&self, key: ApiKey, limit: u32)
    -> Result<LimitedCreation, StorageError>;

    /// Returns the key that has a value with this digest, current or previous, also if it is
    /// expired or revoked.
    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError>;

    /// Returns a number that changes whenever a method of this store may have changed a result of
    /// [`api_key`](Self::api_key): a renewal, new settings or a revocation, also by a method of
    /// [`AccountStore`](super::AccountStore) or [`GrantStore`](super::GrantStore). The number has
    /// changed by the time that method returns. It need not change for a new key, for the time of
    /// last use, or for changes by other processes.
    ///
    /// With it, the data API caches keys for up to five seconds and still sees changes through this
    /// store at once. `None`, the default, disables the cache: every request reads the store.
    fn api_keys_version(&self) -> Option<u64> {
        None
    }

    /// Returns the keys with these ids, each once and in the order of the ids, also if they are
    /// expired or revoked. Ids that do not exist are left out.
    async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> Result<Vec<Arc<ApiKey>>, StorageError>;

    /// Returns the key with this id as [`api_keys_by_id`](Self::api_keys_by_id) does.
    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError> {
        Ok(self.api_keys_by_id(&[id]).await?.pop())
    }

    /// Returns the keys of an owner, or all, ordered by creation time and then by id. Revoked keys
    /// are left out, because nothing can be done with them; expired keys are listed, because they
    /// can be renewed.
    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError>;

    /// Returns the keys with fields that [wait](ApiKey::waiting_fields) for an administrator, of all
    /// owners, in the order of [`api_keys`](Self::api_keys) and without revoked keys.
    async fn api_keys_with_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError>;

    /// Gives a key a new value, as [`ApiKey::renewed`] does, also if it has expired. Of two
    /// concurrent renewals the later one replaces the value of the earlier one. The valid values
    /// are counted in the same transition, so a key never has more than
    /// [`ApiKey::MAX_LIVE_VALUES`].
    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> Result<Renewal, StorageError>;

    /// Changes the settings of a key, if they are still `expected`, also if it has expired. Of two
    /// concurrent changes that expect the same settings, exactly one succeeds. Its values, their
    /// ends and its usage stay.
    async fn update_api_key(
        &self,
        id: ApiKeyId,
        expected: &ApiKeySettings,
        new: ApiKeySettings,
    ) -> Result<ApiKeyUpdate, StorageError>;

    /// Hides fields in every key of an owner that is not revoked, also those that an administrator
    /// had approved, and returns the keys that have changed: for an owner who has lost a role, whose keys showed what is
    /// [protected](crate::http::auth_server::AuthServerBuilder::protected_fields) now. Each key
    /// changes in a transition of its own, also while others change it. A call that failed can be
    /// repeated.
    async fn hide_fields_of(
        &self,
        owner: &SubjectId,
        fields: HiddenFields,
    ) -> Result<Vec<ApiKeyId>, StorageError> {
        let mut changed = Vec::new();
        for number in 0.. {
            let page = PageRequest::new(number, PageRequest::MAX_SIZE)
                .map_err(|error| StorageError::failed("an owner has too many API keys", error))?;
            let found = self.api_keys(Some(owner), page).await?;
            for key in &found.items {
                if hide_fields(self, key, |_| fields).await? {
                    changed.push(key.id);
                }
            }
            if page.offset() + found.items.len() as u64 >= found.total || found.items.is_empty() {
                break;
            }
        }
        Ok(changed)
    }

    /// Revokes a key with all its values. Returns whether the key exists. A revoked key keeps the
    /// time of its first revocation.
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError>;

    /// Revokes every key of an owner that is not revoked, with all its values. Returns the number
    /// revoked. Keys issued to the owner later are not affected.
    async fn revoke_api_keys_of(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<usize, StorageError>;

    /// Records uses of keys. Each key keeps its latest use, whatever the order of the calls, and
    /// the calls of each day add up. Keys that do not exist are ignored. A key's first calls on a
    /// day also delete its counts of days [`ApiKey::USAGE_DAYS`] or more before.
    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> Result<(), StorageError>;

    /// Returns the number of calls that each of these keys made on each of these days, and of those
    /// that were answered with an error, in order, without days on which it made none. Keys that
    /// made none at all are left out. The counts are deleted with the key.
    async fn usage_of_api_keys(
        &self,
        ids: &[ApiKeyId],
        days: DateRange,
    ) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, StorageError>;

    /// Returns the calls of one key as [`usage_of_api_keys`](Self::usage_of_api_keys) does.
    async fn api_key_usage(
        &self,
        id: ApiKeyId,
        days: DateRange,
    ) -> Result<Vec<DailyCalls>, StorageError> {
        let mut usage = self.usage_of_api_keys(&[id], days).await?;
        Ok(usage.remove(&id).unwrap_or_default())
    }

    /// Claims the notice that the key expires at `expires_at`. Returns `true` for the first call,
    /// if the key is not revoked and still expires then. A renewed key expires at another time,
    /// which can be claimed again.
    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError>;
}

/// Whether a transition that ends a user's sessions and grants also revokes the user's API keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiKeyAction {
    /// The keys are revoked, as by [`ApiKeyStore::revoke_api_keys_of`].
    #[default]
    Revoke,
    /// The keys stay valid, because the user requested it.
    Keep,
}

/// Result of creating an API key or an application within the owner's limit;
/// [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum LimitedCreation {
    /// The record is stored.
    Created,
    /// The owner has reached the limit. Nothing changed.
    LimitReached,
    /// The id, or the digest of a key's value, is taken. Nothing changed.
    AlreadyExists,
}

/// Result of changing an API key's settings; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ApiKeyUpdate {
    /// The key has the new settings.
    Updated,
    /// The key's settings differ from the expected ones: another request changed them. Nothing
    /// changed.
    Conflict,
    /// The key is revoked. Nothing changed.
    Revoked,
    /// There is no such key.
    NotFound,
}

/// Result of renewing an API key; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Renewal {
    /// The key has the new value. This is the renewed key.
    Renewed(Arc<ApiKey>),
    /// The key is revoked. Nothing changed.
    Revoked,
    /// With the new value more than [`ApiKey::MAX_LIVE_VALUES`] would be valid. Nothing changed.
    TooManyValues,
    /// Another value, of this key or any other, has the digest of the new one. Nothing changed.
    AlreadyExists,
    /// There is no such key.
    NotFound,
}
