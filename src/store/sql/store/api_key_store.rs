use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, Date, DateRange, KeyUse, PageRequest, SubjectId, Timestamp};
use crate::store::sql::{api_key_uses, api_keys};
use crate::store::{ApiKeyStore, Creation, Issuance, Registered, Renewal, StorageError};

#[async_trait]
impl ApiKeyStore for SqlStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        self.change("create_api_key", move |tx| Box::pin(api_keys::create_api_key(tx, key))).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Result<Issuance, StorageError> {
        self.change("issue_api_key", move |tx| Box::pin(api_keys::issue_api_key(tx, key, at_most))).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        let digest = *digest;
        self.read("api_key", move |tx| Box::pin(api_keys::api_key(tx, digest))).await
    }

    fn api_key_changes(&self) -> Option<u64> {
        Some(self.key_changes())
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Result<Option<Arc<ApiKey>>, StorageError> {
        self.read("api_key_by_id", move |tx| Box::pin(api_keys::api_key_by_id(tx, id))).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Arc<ApiKey>>, StorageError> {
        let owner = owner.cloned();
        self.list("api_keys", move |tx| Box::pin(api_keys::api_keys(tx, owner, page))).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Result<Renewal, StorageError> {
        self.change_keys("renew_api_key", move |tx| Box::pin(api_keys::renew_api_key(tx, id, renewal, at))).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        self.change_keys("revoke_api_key", move |tx| Box::pin(api_keys::revoke_api_key(tx, id, at))).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Result<usize, StorageError> {
        let owner = owner.clone();
        self.change_keys("revoke_api_keys_of", move |tx| Box::pin(async move { api_keys::revoke_api_keys_of(tx, &owner, at).await })).await
    }

    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Result<(), StorageError> {
        self.change("touch_api_keys", move |tx| Box::pin(api_key_uses::touch_api_keys(tx, uses))).await
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Result<Vec<(Date, u64)>, StorageError> {
        self.read("api_key_usage", move |tx| Box::pin(api_key_uses::api_key_usage(tx, id, days))).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Result<bool, StorageError> {
        self.change("claim_expiry_notice", move |tx| Box::pin(api_keys::claim_expiry_notice(tx, id, expires_at))).await
    }
}
