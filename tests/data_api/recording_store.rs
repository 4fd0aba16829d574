//! A store of keys that records queries and writes, and fails on demand.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;

type StorageResult<T> = Result<T, StorageError>;

/// A batch of key usage.
pub type Uses = Vec<ApiKeyDailyUsage>;

#[derive(Debug)]
pub struct RecordingStore {
    pub store: Arc<MemoryStore>,
    calls: Mutex<Vec<&'static str>>,
    /// The batches that were passed for writing.
    pub batches: Mutex<Vec<Uses>>,
    pub fails: AtomicBool,
    pub hangs: AtomicBool,
    /// Whether key reads fail.
    pub is_away: AtomicBool,
}

impl RecordingStore {
    pub fn new(store: Arc<MemoryStore>) -> Self {
        let (fails, hangs, is_away) = (
            AtomicBool::new(false),
            AtomicBool::new(false),
            AtomicBool::new(false),
        );
        Self {
            store,
            calls: Mutex::default(),
            batches: Mutex::default(),
            fails,
            hangs,
            is_away,
        }
    }

    /// Queries since the last call.
    pub fn take_calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    fn record(&self, method: &'static str) -> &MemoryStore {
        self.calls.lock().unwrap().push(method);
        &self.store
    }

    /// Sizes of the batches so far.
    pub fn batch_sizes(&self) -> Vec<usize> {
        self.batches.lock().unwrap().iter().map(Vec::len).collect()
    }

    async fn may_write(&self) -> StorageResult<()> {
        if self.hangs.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        if self.fails.load(Ordering::Relaxed) {
            Err(StorageError::failed("nothing can be written", "on purpose"))
        } else {
            Ok(())
        }
    }
}

#[async_trait]
impl DirectoryStore for RecordingStore {
    async fn directory_version(&self) -> StorageResult<DatasetVersion> {
        self.record("directory_version").directory_version().await
    }

    async fn load_directory(&self) -> StorageResult<DirectoryRows> {
        self.record("load_directory").load_directory().await
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> StorageResult<Option<DirectoryRows>> {
        self.record("directory_changes")
            .directory_changes(since)
            .await
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> StorageResult<DirectoryWrite> {
        self.record("write_directory")
            .write_directory(expected, change)
            .await
    }
}

#[async_trait]
impl ApiKeyStore for RecordingStore {
    async fn create_api_key(&self, key: ApiKey) -> StorageResult<Creation> {
        self.record("create_api_key").create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> StorageResult<LimitedCreation> {
        self.record("issue_api_key")
            .issue_api_key(key, at_most)
            .await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> StorageResult<Option<Arc<ApiKey>>> {
        let store = self.record("api_key");
        if self.is_away.load(Ordering::Relaxed) {
            return Err(StorageError::unavailable(
                "the keys cannot be read",
                "on purpose",
            ));
        }
        store.api_key(digest).await
    }

    fn api_keys_version(&self) -> Option<u64> {
        self.store.api_keys_version()
    }

    async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> StorageResult<Vec<Arc<ApiKey>>> {
        self.record("api_keys_by_id").api_keys_by_id(ids).await
    }

    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> StorageResult<Paged<Arc<ApiKey>>> {
        self.record("api_keys").api_keys(owner, page).await
    }

    async fn api_keys_with_requests(&self, page: PageRequest) -> StorageResult<Paged<Arc<ApiKey>>> {
        self.record("api_keys_with_requests")
            .api_keys_with_requests(page)
            .await
    }

    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> StorageResult<Renewal> {
        self.record("renew_api_key")
            .renew_api_key(id, renewal, at)
            .await
    }

    async fn update_api_key(
        &self,
        id: ApiKeyId,
        expected: &ApiKeySettings,
        new: ApiKeySettings,
    ) -> StorageResult<ApiKeyUpdate> {
        self.record("update_api_key")
            .update_api_key(id, expected, new)
            .await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> StorageResult<bool> {
        self.record("revoke_api_key").revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<usize> {
        self.record("revoke_api_keys_of")
            .revoke_api_keys_of(owner, at)
            .await
    }

    async fn record_api_key_usage(&self, uses: Uses) -> StorageResult<()> {
        self.batches.lock().unwrap().push(uses.clone());
        self.may_write().await?;
        self.record("record_api_key_usage")
            .record_api_key_usage(uses)
            .await
    }

    async fn usage_of_api_keys(
        &self,
        ids: &[ApiKeyId],
        days: DateRange,
    ) -> StorageResult<BTreeMap<ApiKeyId, Vec<DailyCalls>>> {
        self.record("usage_of_api_keys")
            .usage_of_api_keys(ids, days)
            .await
    }

    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> StorageResult<bool> {
        self.may_write().await?;
        self.record("claim_expiry_notice")
            .claim_expiry_notice(id, expires_at)
            .await
    }
}
