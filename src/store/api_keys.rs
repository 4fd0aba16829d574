use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Creation, Registered, StorageError};
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, Date, DateRange, KeyUse, PageRequest, SubjectId, Timestamp};

/// Keeps the API keys of the data API.
///
/// A key has one current value, and after renewals also those before that still work. No two values that are kept, of any keys, are the same.
/// Its scopes may have any names: hosts have some of their own.
#[async_trait]
pub trait ApiKeyStore: Debug + Send + Sync + 'static {
    /// Keeps a new key, unless its id or digest is taken. A key that is kept takes a few away that had died long before it was created:
    /// see [`sweep`](super::sweep).
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError>;

    /// Keeps a new key as [`create_api_key`](Self::create_api_key) does, unless its owner has `at_most` keys already. All count that
    /// [`api_keys`](Self::api_keys) lists: also one that has expired, for its owner may bring it back by renewing it. However many calls come
    /// at once, an owner never gets more. Nobody's keys are not counted.
    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Result<Issuance, StorageError>;

    /// The key of which this is the digest of a value, the current or a previous one, whether it works or not.
    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError>;

    /// A number that is another one as soon as a method of this store has returned that may have changed what [`api_key`](Self::api_key) says of
    /// a key that it had said something of: a renewal, a revocation, also by a method of [`AccountStore`](super::AccountStore) or
    /// [`GrantStore`](super::GrantStore). A last use is no such change, nor need what other processes do be.
    ///
    /// With it the data API uses a key for up to five seconds without asking again, and sees at once what is changed through this store. `None`, which
    /// is the default, has every request ask.
    fn api_key_changes(&self) -> Option<u64> {
        None
    }

    /// The key with this id, whether it works or not.
    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError>;

    /// The keys of an owner, or all, in the order in which they were created and then of their ids. Those that are revoked are left out, for
    /// nobody can do anything with them; those that have expired can be renewed.
    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, StorageError>;

    /// Gives a key another value, as [`ApiKey::renewed`] does, also when it has expired. Of two renewals at once the later one replaces the
    /// value of the earlier one. The live values are counted in the same transition, so a key never has more than
    /// [`ApiKey::MAX_LIVE_VALUES`].
    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Result<Renewal, StorageError>;

    /// Makes a key stop working, with all its values. Says whether there is such a key; the first revocation's time stays.
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError>;

    /// Revokes every key of an owner that is not revoked, with all its values, and says how many those were. A key that is issued to the owner
    /// later is not affected.
    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Result<usize, StorageError>;

    /// Writes down that keys were used. Of each key the latest use stays, whatever order they come in, and the calls of each day add up; keys
    /// that are gone are passed over. The first calls of a day take those of days away that were [`ApiKey::USAGE_DAYS`] or more before.
    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Result<(), StorageError>;

    /// How many calls a key made on each of these days, in their order, without the days on which it made none. They go with the key.
    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Result<Vec<(Date, u64)>, StorageError>;

    /// Says whether the caller is the one who tells that the key ends at `expires_at`: the first to ask, if the key is not revoked and still ends
    /// then. A renewed key ends at another moment, of which somebody is to tell again.
    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Result<bool, StorageError>;
}

/// Whether a transition that ends a user's sessions and grants also revokes the user's API keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnedApiKeys {
    /// The keys are revoked, as by [`ApiKeyStore::revoke_api_keys_of`].
    #[default]
    Revoke,
    /// The keys keep working, because the user has asked for that.
    Keep,
}

/// What became of an API key or an application of which its owner may have so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Issuance {
    /// It is kept from now on.
    Issued,
    /// The owner has as many as one may have; nothing changed.
    OwnerHasEnough,
    /// One with the same id, or a key's value with the same digest, is there already; nothing changed.
    Taken,
}

/// What became of a key that was to be renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Renewal {
    /// It has the new value, and is like this now.
    Renewed(Arc<ApiKey>),
    /// It is revoked, and stays as it is.
    Revoked,
    /// With the new value more than [`ApiKey::MAX_LIVE_VALUES`] would work at once; nothing changed.
    TooManyValues,
    /// Another value, of this key or any other, has the digest of the new one; nothing changed.
    Taken,
    /// There is no such key.
    Unknown,
}
