use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::ends::Ends;
use super::lock::{reading, writing};
use super::registry::paged;
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, Date, DateRange, KeyUse, PageRequest, SubjectId, Timestamp};
use crate::store::sweep::API_KEY_KEPT;
use crate::store::{ApiKeyStore, Creation, Issuance, Registered, Renewal, StorageError};

/// The keys by id, and whose each value is; also in the order in which they end.
#[derive(Default)]
pub(super) struct ApiKeys {
    keys: HashMap<ApiKeyId, Arc<ApiKey>>,
    values: HashMap<ApiKeyDigest, ApiKeyId>,
    ends: Ends<Timestamp, ApiKeyId>,
    /// The calls of each day.
    usage: HashMap<ApiKeyId, BTreeMap<Date, u64>>,
    /// The expiries of which somebody has told.
    told: HashMap<ApiKeyId, Timestamp>,
    /// How often a key was changed or went.
    changes: u64,
}

#[async_trait]
impl ApiKeyStore for MemoryStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        Ok(writing(&self.api_keys).create(key))
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Result<Issuance, StorageError> {
        let mut keys = writing(&self.api_keys);
        let counted = keys.keys.values().filter(|other| other.owner == key.owner && other.counts(key.created_at));
        if key.owner.is_some() && counted.take(at_most as usize).count() == at_most as usize {
            return Ok(Issuance::OwnerHasEnough);
        }
        Ok(match keys.create(key) {
            Creation::Created => Issuance::Issued,
            Creation::Taken => Issuance::Taken,
        })
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        let keys = reading(&self.api_keys);
        Ok(keys.values.get(digest).and_then(|id| keys.keys.get(id)).cloned())
    }

    fn api_key_changes(&self) -> Option<u64> {
        Some(reading(&self.api_keys).changes)
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError> {
        Ok(reading(&self.api_keys).keys.get(&id).cloned())
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, StorageError> {
        let keys = reading(&self.api_keys);
        Ok(paged(keys.listed(owner).cloned().collect(), |key| (key.created_at, key.id), page))
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Result<Renewal, StorageError> {
        let mut keys = writing(&self.api_keys);
        let Some(key) = keys.keys.get(&id).cloned() else { return Ok(Renewal::Unknown) };
        if key.revoked_at.is_some() {
            return Ok(Renewal::Revoked);
        }
        if keys.values.contains_key(&renewal.digest) {
            return Ok(Renewal::Taken);
        }
        let Some(renewed) = key.renewed(renewal, at).map(Arc::new) else { return Ok(Renewal::TooManyValues) };
        keys.remove(id);
        keys.insert(Arc::clone(&renewed));
        Ok(Renewal::Renewed(renewed))
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(writing(&self.api_keys).revoke(id, at))
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Result<usize, StorageError> {
        Ok(writing(&self.api_keys).revoke_of(owner, at))
    }

    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Result<(), StorageError> {
        let mut keys = writing(&self.api_keys);
        for used in uses {
            keys.touch(used);
        }
        Ok(())
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Result<Vec<(Date, u64)>, StorageError> {
        let keys = reading(&self.api_keys);
        let of_the_days = keys.usage.get(&id).into_iter().flat_map(|usage| usage.range(days.from()..=days.to()));
        Ok(of_the_days.map(|(day, calls)| (*day, *calls)).collect())
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Result<bool, StorageError> {
        let mut keys = writing(&self.api_keys);
        let ends_then = keys.keys.get(&id).is_some_and(|key| key.revoked_at.is_none() && key.expires_at == expires_at);
        Ok(ends_then && keys.told.insert(id, expires_at) != Some(expires_at))
    }
}

impl ApiKeys {
    fn create(&mut self, key: ApiKey) -> Creation {
        let is_taken = self.keys.contains_key(&key.id) || key.digests().any(|value| self.values.contains_key(&value));
        if is_taken {
            return Creation::Taken;
        }
        let created_at = key.created_at;
        self.insert(Arc::new(key));
        self.sweep(created_at);
        Creation::Created
    }

    /// Revokes the keys of an owner that are not revoked, and says how many those were.
    pub(super) fn revoke_of(&mut self, owner: &SubjectId, at: Timestamp) -> usize {
        let held: Vec<ApiKeyId> = self.listed(Some(owner)).map(|key| key.id).collect();
        for id in &held {
            self.revoke(*id, at);
        }
        held.len()
    }

    /// Makes a key stop working, and says whether there is such a key.
    fn revoke(&mut self, id: ApiKeyId, at: Timestamp) -> bool {
        let Some(mut key) = self.remove(id) else { return false };
        Arc::make_mut(&mut key).revoked_at.get_or_insert(at);
        self.insert(key);
        true
    }

    fn touch(&mut self, used: KeyUse) {
        let Some(key) = self.keys.get_mut(&used.key) else { return };
        if key.last_used_at < Some(used.last_used_at) {
            Arc::make_mut(key).last_used_at = Some(used.last_used_at);
        }
        let usage = self.usage.entry(used.key).or_default();
        let is_first = !usage.contains_key(&used.day);
        let calls = usage.entry(used.day).or_default();
        *calls = calls.saturating_add(used.calls.into());
        if let (true, Some(gone)) = (is_first, used.day.plus_days(-ApiKey::USAGE_DAYS)) {
            usage.retain(|day, _| gone < *day);
        }
    }

    /// The keys of an owner, or all, that are not revoked.
    fn listed(&self, owner: Option<&SubjectId>) -> impl Iterator<Item = &Arc<ApiKey>> {
        self.keys.values().filter(move |key| key.revoked_at.is_none() && owner.is_none_or(|owner| key.owner.as_ref() == Some(owner)))
    }

    fn insert(&mut self, key: Arc<ApiKey>) {
        self.values.extend(key.digests().map(|value| (value, key.id)));
        self.ends.insert(end(&key), key.id);
        self.keys.insert(key.id, key);
    }

    fn remove(&mut self, id: ApiKeyId) -> Option<Arc<ApiKey>> {
        let key = self.keys.remove(&id)?;
        self.changes += 1;
        for value in key.digests() {
            self.values.remove(&value);
        }
        self.ends.remove(end(&key), id);
        Some(key)
    }

    /// Takes some of the keys away that have had their time.
    fn sweep(&mut self, at: Timestamp) {
        for id in self.ends.take(at.minus(API_KEY_KEPT)) {
            self.remove(id);
            self.told.remove(&id);
            self.usage.remove(&id);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let values = self.keys.values().map(|key| key.digests().count()).sum();
        assert_eq!((self.keys.len(), self.values.len()), (self.ends.len(), values));
        self.keys.len()
    }
}

fn end(key: &ApiKey) -> Timestamp {
    key.revoked_at.unwrap_or(key.expires_at)
}
