//! A school in memory that says what it was asked.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ClubProfile, ClubQuery, DateRange, Lesson, LessonFilter, Meal, Page, PageRequest,
    ProjectProfile, ProjectQuery, Record, SchoolEvent, StudentProfile, StudentQuery, SubjectId, Timestamp,
};
use lyceum::store::memory::MemoryStore;
use lyceum::store::{ApiKeyStore, Creation, DatasetVersion, DirectoryChange, Registered, Renewal, SchoolDirectory, StorageError, Writing};

#[derive(Debug)]
pub struct Counting {
    store: Arc<MemoryStore>,
    asked: Mutex<Vec<&'static str>>,
}

impl Counting {
    pub fn new(store: Arc<MemoryStore>) -> Self {
        Self { store, asked: Mutex::default() }
    }

    /// What was asked since the last time.
    pub fn asked(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    fn note(&self, method: &'static str) -> &MemoryStore {
        self.asked.lock().unwrap().push(method);
        &self.store
    }
}

#[async_trait]
impl SchoolDirectory for Counting {
    async fn students(&self, query: &StudentQuery) -> Result<Page<StudentProfile>, StorageError> {
        self.note("students").students(query).await
    }

    async fn clubs(&self, query: &ClubQuery) -> Result<Page<ClubProfile>, StorageError> {
        self.note("clubs").clubs(query).await
    }

    async fn projects(&self, query: &ProjectQuery) -> Result<Page<ProjectProfile>, StorageError> {
        self.note("projects").projects(query).await
    }

    async fn meals(&self, days: DateRange) -> Result<Vec<Arc<Record<Meal>>>, StorageError> {
        self.note("meals").meals(days).await
    }

    async fn events(&self, days: DateRange) -> Result<Vec<Arc<Record<SchoolEvent>>>, StorageError> {
        self.note("events").events(days).await
    }

    async fn lessons(&self, days: DateRange, filter: &LessonFilter) -> Result<Vec<Arc<Record<Lesson>>>, StorageError> {
        self.note("lessons").lessons(days, filter).await
    }

    async fn version(&self) -> Result<DatasetVersion, StorageError> {
        self.note("version").version().await
    }

    async fn write(&self, changes: Vec<DirectoryChange>) -> Result<Writing, StorageError> {
        self.note("write").write(changes).await
    }
}

#[async_trait]
impl ApiKeyStore for Counting {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        self.note("create_api_key").create_api_key(key).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        self.note("api_key").api_key(digest).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        self.note("revoke_api_key").revoke_api_key(id, at).await
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError> {
        self.note("api_key_by_id").api_key_by_id(id).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, StorageError> {
        self.note("api_keys").api_keys(owner, page).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Result<Renewal, StorageError> {
        self.note("renew_api_key").renew_api_key(id, renewal, at).await
    }

    async fn touch_api_keys(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StorageError> {
        self.note("touch_api_keys").touch_api_keys(uses).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, ends: Timestamp) -> Result<bool, StorageError> {
        self.note("claim_expiry_notice").claim_expiry_notice(id, ends).await
    }
}
