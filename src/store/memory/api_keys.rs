use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::calendar_feeds::CalendarFeeds;
use super::client_registry::{deduplicated, paginate};
use super::lock::{read_lock, write_lock};
use super::time_index::TimeIndex;
use crate::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySettings, DailyCalls,
    Date, DateRange, PageRequest, SubjectId, Timestamp,
};
use crate::store::retention::API_KEY_RETENTION;
use crate::store::{
    ApiKeyStore, ApiKeyUpdate, Creation, LimitedCreation, Paged, Renewal, StorageError,
};

/// API keys by id, with an index of all values and one of their end.
#[derive(Default)]
pub(super) struct ApiKeys {
    keys: HashMap<ApiKeyId, Arc<ApiKey>>,
    values: HashMap<ApiKeyDigest, ApiKeyId>,
    by_end: TimeIndex<Timestamp, ApiKeyId>,
    /// Daily numbers of calls.
    usage: HashMap<ApiKeyId, BTreeMap<Date, DailyCalls>>,
    /// The expiries whose notice was claimed.
    notified: HashMap<ApiKeyId, Timestamp>,
    pub(super) feeds: CalendarFeeds,
    /// The suspended keys: since when, and the key without the suspension.
    suspended: HashMap<ApiKeyId, (Timestamp, Arc<ApiKey>)>,
    /// The number of changes and removals of keys.
    version: u64,
}

#[async_trait]
impl ApiKeyStore for MemoryStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        Ok(write_lock(&self.api_keys).create(key))
    }

    async fn issue_api_key(
        &self,
        key: ApiKey,
        limit: u32,
    ) -> Result<LimitedCreation, StorageError> {
        let mut keys = write_lock(&self.api_keys);
        let counted = keys
            .keys
            .values()
            .filter(|other| other.owner == key.owner && other.counts_toward_limit(key.created_at));
        if key.owner.is_some() && counted.take(limit as usize).count() == limit as usize {
            return Ok(LimitedCreation::LimitReached);
        }
        Ok(match keys.create(key) {
            Creation::Created => LimitedCreation::Created,
            Creation::AlreadyExists => LimitedCreation::AlreadyExists,
        })
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        let keys = read_lock(&self.api_keys);
        Ok(keys
            .values
            .get(digest)
            .and_then(|id| keys.keys.get(id))
            .cloned())
    }

    fn api_keys_version(&self) -> Option<u64> {
        Some(read_lock(&self.api_keys).version)
    }

    async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> Result<Vec<Arc<ApiKey>>, StorageError> {
        let keys = read_lock(&self.api_keys);
        Ok(deduplicated(ids)
            .filter_map(|id| keys.keys.get(id))
            .cloned()
            .collect())
    }

    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        let keys = read_lock(&self.api_keys);
        Ok(page_of(keys.unrevoked(owner), page))
    }

    async fn api_keys_with_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        let keys = read_lock(&self.api_keys);
        let asking = keys
            .unrevoked(None)
            .filter(|key| !key.waiting_fields().is_empty());
        Ok(page_of(asking, page))
    }

    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> Result<Renewal, StorageError> {
        let mut keys = write_lock(&self.api_keys);
        let Some(key) = keys.keys.get(&id).cloned() else {
            return Ok(Renewal::NotFound);
        };
        if key.revoked_at.is_some() {
            return Ok(Renewal::Revoked);
        }
        if keys.values.contains_key(&renewal.digest) {
            return Ok(Renewal::AlreadyExists);
        }
        let Some(renewed) = key.renewed(renewal, at).map(Arc::new) else {
            return Ok(Renewal::TooManyValues);
        };
        keys.remove(id);
        keys.suspended.remove(&id);
        keys.insert(Arc::clone(&renewed));
        Ok(Renewal::Renewed(renewed))
    }

    async fn update_api_key(
        &self,
        id: ApiKeyId,
        expected: &ApiKeySettings,
        new: ApiKeySettings,
    ) -> Result<ApiKeyUpdate, StorageError> {
        let mut keys = write_lock(&self.api_keys);
        let Some(key) = keys.keys.get(&id) else {
            return Ok(ApiKeyUpdate::NotFound);
        };
        if key.revoked_at.is_some() {
            return Ok(ApiKeyUpdate::Revoked);
        }
        if key.settings() != *expected {
            return Ok(ApiKeyUpdate::Conflict);
        }
        if let Some((_, suspended)) = keys.suspended.get_mut(&id) {
            *suspended = Arc::new(ApiKey::clone(suspended).with_settings(new.clone()));
        }
        if let Some(key) = keys.remove(id) {
            keys.insert(Arc::new(ApiKey::clone(&key).with_settings(new)));
        }
        Ok(ApiKeyUpdate::Updated)
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(write_lock(&self.api_keys).revoke(id, at))
    }

    async fn revoke_api_keys_of(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<usize, StorageError> {
        Ok(write_lock(&self.api_keys).revoke_by_owner(owner, at))
    }

    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> Result<(), StorageError> {
        let mut keys = write_lock(&self.api_keys);
        for used in uses {
            keys.touch(used);
        }
        Ok(())
    }

    async fn usage_of_api_keys(
        &self,
        ids: &[ApiKeyId],
        days: DateRange,
    ) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, StorageError> {
        let keys = read_lock(&self.api_keys);
        let of_key = |id: &ApiKeyId| {
            let of_the_days = keys.usage.get(id)?.range(days.from()..=days.to());
            let calls: Vec<DailyCalls> = of_the_days.map(|(_, calls)| *calls).collect();
            (!calls.is_empty()).then_some((*id, calls))
        };
        Ok(ids.iter().filter_map(of_key).collect())
    }

    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError> {
        let mut keys = write_lock(&self.api_keys);
        let ends_then = keys
            .keys
            .get(&id)
            .is_some_and(|key| key.revoked_at.is_none() && key.expires_at == expires_at);
        Ok(ends_then && keys.notified.insert(id, expires_at) != Some(expires_at))
    }
}

impl ApiKeys {
    fn create(&mut self, key: ApiKey) -> Creation {
        let is_taken = self.keys.contains_key(&key.id)
            || key.digests().any(|value| self.values.contains_key(&value));
        if is_taken {
            return Creation::AlreadyExists;
        }
        let created_at = key.created_at;
        self.insert(Arc::new(key));
        self.sweep(created_at);
        Creation::Created
    }

    /// Revokes the keys of an owner that are not revoked, and returns their number.
    pub(super) fn revoke_by_owner(&mut self, owner: &SubjectId, at: Timestamp) -> usize {
        let held: Vec<ApiKeyId> = self.unrevoked(Some(owner)).map(|key| key.id).collect();
        for id in &held {
            self.revoke(*id, at);
        }
        held.len()
    }

    /// Revokes a key and returns whether it exists.
    fn revoke(&mut self, id: ApiKeyId, at: Timestamp) -> bool {
        let Some(mut key) = self.remove(id) else {
            return false;
        };
        Arc::make_mut(&mut key).revoked_at.get_or_insert(at);
        self.insert(key);
        self.suspended.remove(&id);
        true
    }

    /// Ends the values of an owner's keys that are not suspended, until they are resumed.
    pub(super) fn suspend_by_owner(&mut self, owner: &SubjectId, at: Timestamp) {
        let held: Vec<ApiKeyId> = self.unrevoked(Some(owner)).map(|key| key.id).collect();
        for id in held {
            if self.suspended.contains_key(&id) {
                continue;
            }
            let Some(key) = self.remove(id) else { continue };
            let mut ended = Arc::clone(&key);
            let values = Arc::make_mut(&mut ended);
            values.expires_at = values.expires_at.min(at);
            for previous in &mut values.previous {
                previous.works_until = previous.works_until.min(at);
            }
            self.insert(ended);
            self.suspended.insert(id, (at, key));
        }
    }

    /// Lets an owner's keys work again that are suspended since `since`.
    pub(super) fn resume_by_owner(&mut self, owner: &SubjectId, since: Timestamp) {
        let held: Vec<ApiKeyId> = self.unrevoked(Some(owner)).map(|key| key.id).collect();
        for id in held {
            if self.suspended.get(&id).is_none_or(|(at, _)| *at != since) {
                continue;
            }
            if let (Some(ended), Some((_, key))) = (self.remove(id), self.suspended.remove(&id)) {
                self.insert(Arc::new(ApiKey {
                    last_used_at: ended.last_used_at,
                    ..ApiKey::clone(&key)
                }));
            }
        }
    }

    fn touch(&mut self, used: ApiKeyDailyUsage) {
        let Some(key) = self.keys.get_mut(&used.key) else {
            return;
        };
        if key.last_used_at < Some(used.last_used_at) {
            Arc::make_mut(key).last_used_at = Some(used.last_used_at);
        }
        let usage = self.usage.entry(used.key).or_default();
        let is_first = !usage.contains_key(&used.day);
        let sum = usage.entry(used.day).or_insert(DailyCalls {
            day: used.day,
            calls: 0,
            errors: 0,
        });
        sum.calls = sum.calls.saturating_add(used.calls.into());
        sum.errors = sum.errors.saturating_add(used.errors.into());
        if let (true, Some(gone)) = (is_first, used.day.plus_days(-ApiKey::USAGE_DAYS)) {
            usage.retain(|day, _| gone < *day);
        }
    }

    pub(super) fn get(&self, id: ApiKeyId) -> Option<&Arc<ApiKey>> {
        self.keys.get(&id)
    }

    /// The keys of an owner, or all, that are not revoked.
    fn unrevoked(&self, owner: Option<&SubjectId>) -> impl Iterator<Item = &Arc<ApiKey>> {
        self.keys.values().filter(move |key| {
            key.revoked_at.is_none() && owner.is_none_or(|owner| key.owner.as_ref() == Some(owner))
        })
    }

    fn insert(&mut self, key: Arc<ApiKey>) {
        self.values
            .extend(key.digests().map(|value| (value, key.id)));
        self.by_end.insert(ends_at(&key), key.id);
        self.keys.insert(key.id, key);
    }

    fn remove(&mut self, id: ApiKeyId) -> Option<Arc<ApiKey>> {
        let key = self.keys.remove(&id)?;
        self.version += 1;
        for value in key.digests() {
            self.values.remove(&value);
        }
        self.by_end.remove(ends_at(&key), id);
        Some(key)
    }

    /// Deletes some of the expired keys.
    fn sweep(&mut self, at: Timestamp) {
        for id in self.by_end.pop_until(at.minus(API_KEY_RETENTION)) {
            self.remove(id);
            self.notified.remove(&id);
            self.usage.remove(&id);
            self.feeds.remove_of(id);
            self.suspended.remove(&id);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let values = self.keys.values().map(|key| key.digests().count()).sum();
        assert_eq!(
            (self.keys.len(), self.values.len()),
            (self.by_end.len(), values)
        );
        self.keys.len()
    }
}

/// A page of keys in the order of their creation.
fn page_of<'a>(
    keys: impl Iterator<Item = &'a Arc<ApiKey>>,
    page: PageRequest,
) -> Paged<Arc<ApiKey>> {
    paginate(
        keys.cloned().collect(),
        |key| (key.created_at, key.id),
        page,
    )
}

fn ends_at(key: &ApiKey) -> Timestamp {
    key.revoked_at.unwrap_or(key.expires_at)
}
