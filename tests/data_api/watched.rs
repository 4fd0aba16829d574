//! A store that says what it was asked and what was written about keys, and fails at that when it is told to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;

type Answer<T> = Result<T, StorageError>;

/// A batch of uses.
pub type Uses = Vec<KeyUse>;

#[derive(Debug)]
pub struct Watched {
    pub store: Arc<MemoryStore>,
    asked: Mutex<Vec<&'static str>>,
    /// The batches that were to be written.
    pub batches: Mutex<Vec<Uses>>,
    pub fails: AtomicBool,
    pub hangs: AtomicBool,
    /// Whether keys cannot be looked up.
    pub is_away: AtomicBool,
}

impl Watched {
    pub fn over(store: Arc<MemoryStore>) -> Self {
        let (fails, hangs, is_away) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        Self { store, asked: Mutex::default(), batches: Mutex::default(), fails, hangs, is_away }
    }

    /// What was asked since the last time.
    pub fn asked(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    fn note(&self, method: &'static str) -> &MemoryStore {
        self.asked.lock().unwrap().push(method);
        &self.store
    }

    /// The sizes of the batches until now.
    pub fn sizes(&self) -> Vec<usize> {
        self.batches.lock().unwrap().iter().map(Vec::len).collect()
    }

    async fn may_write(&self) -> Answer<()> {
        if self.hangs.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        if self.fails.load(Ordering::Relaxed) { Err(StorageError::failed("nothing can be written", "on purpose")) } else { Ok(()) }
    }
}

#[async_trait]
impl DirectoryStore for Watched {
    async fn directory_version(&self) -> Answer<DatasetVersion> {
        self.note("directory_version").directory_version().await
    }

    async fn load_directory(&self) -> Answer<DirectoryRows> {
        self.note("load_directory").load_directory().await
    }

    async fn directory_changes(&self, since: DatasetVersion) -> Answer<Option<DirectoryRows>> {
        self.note("directory_changes").directory_changes(since).await
    }

    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Answer<Advance> {
        self.note("write_directory").write_directory(expected, change).await
    }
}

#[async_trait]
impl ApiKeyStore for Watched {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.note("create_api_key").create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Answer<Issuance> {
        self.note("issue_api_key").issue_api_key(key, at_most).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        let store = self.note("api_key");
        if self.is_away.load(Ordering::Relaxed) {
            return Err(StorageError::unavailable("the keys cannot be read", "on purpose"));
        }
        store.api_key(digest).await
    }

    fn api_key_changes(&self) -> Option<u64> {
        self.store.api_key_changes()
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Answer<Option<Arc<ApiKey>>> {
        self.note("api_key_by_id").api_key_by_id(id).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Arc<ApiKey>>> {
        self.note("api_keys").api_keys(owner, page).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Answer<Renewal> {
        self.note("renew_api_key").renew_api_key(id, renewal, at).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.note("revoke_api_key").revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Answer<usize> {
        self.note("revoke_api_keys_of").revoke_api_keys_of(owner, at).await
    }

    async fn touch_api_keys(&self, uses: Uses) -> Answer<()> {
        self.batches.lock().unwrap().push(uses.clone());
        self.may_write().await?;
        self.note("touch_api_keys").touch_api_keys(uses).await
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Answer<Vec<(Date, u64)>> {
        self.note("api_key_usage").api_key_usage(id, days).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Answer<bool> {
        self.may_write().await?;
        self.note("claim_expiry_notice").claim_expiry_notice(id, expires_at).await
    }
}
