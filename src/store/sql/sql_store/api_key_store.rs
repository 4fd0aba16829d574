use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    ApiKey, ApiKeyDailyUsage, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiKeySettings, DailyCalls,
    DateRange, PageRequest, SubjectId, Timestamp,
};
use crate::store::sql::{api_key_settings, api_key_usage, api_keys};
use crate::store::{
    ApiKeyStore, ApiKeyUpdate, Creation, LimitedCreation, Paged, Renewal, StorageError,
};

#[async_trait]
impl ApiKeyStore for SqlStore {
    async fn create_api_key(&self, key: ApiKey) -> Result<Creation, StorageError> {
        self.write("create_api_key", move |tx| {
            Box::pin(api_keys::create_api_key(tx, key))
        })
        .await
    }

    async fn issue_api_key(
        &self,
        key: ApiKey,
        limit: u32,
    ) -> Result<LimitedCreation, StorageError> {
        self.write("issue_api_key", move |tx| {
            Box::pin(api_keys::issue_api_key(tx, key, limit))
        })
        .await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
        let digest = *digest;
        self.read("api_key", move |tx| Box::pin(api_keys::api_key(tx, digest)))
            .await
    }

    fn api_keys_version(&self) -> Option<u64> {
        Some(self.keys_version())
    }

    async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> Result<Vec<Arc<ApiKey>>, StorageError> {
        let ids = ids.to_vec();
        self.read("api_keys_by_id", move |tx| {
            Box::pin(api_keys::api_keys_by_id(tx, ids))
        })
        .await
    }

    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        let owner = owner.cloned();
        self.list("api_keys", move |tx| {
            Box::pin(api_keys::api_keys(tx, owner, page))
        })
        .await
    }

    async fn api_keys_with_requests(
        &self,
        page: PageRequest,
    ) -> Result<Paged<Arc<ApiKey>>, StorageError> {
        self.list("api_keys_with_requests", move |tx| {
            Box::pin(api_key_settings::api_keys_with_requests(tx, page))
        })
        .await
    }

    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> Result<Renewal, StorageError> {
        self.write_api_keys("renew_api_key", move |tx| {
            Box::pin(api_keys::renew_api_key(tx, id, renewal, at))
        })
        .await
    }

    async fn update_api_key(
        &self,
        id: ApiKeyId,
        expected: &ApiKeySettings,
        new: ApiKeySettings,
    ) -> Result<ApiKeyUpdate, StorageError> {
        let expected = expected.clone();
        self.write_api_keys("update_api_key", move |tx| {
            Box::pin(api_key_settings::update_api_key(tx, id, expected, new))
        })
        .await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
        self.write_api_keys("revoke_api_key", move |tx| {
            Box::pin(api_keys::revoke_api_key(tx, id, at))
        })
        .await
    }

    async fn revoke_api_keys_of(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<usize, StorageError> {
        let owner = owner.clone();
        self.write_api_keys("revoke_api_keys_of", move |tx| {
            Box::pin(async move { api_keys::revoke_api_keys_of(tx, &owner, at).await })
        })
        .await
    }

    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> Result<(), StorageError> {
        self.write("record_api_key_usage", move |tx| {
            Box::pin(api_key_usage::record_api_key_usage(tx, uses))
        })
        .await
    }

    async fn usage_of_api_keys(
        &self,
        ids: &[ApiKeyId],
        days: DateRange,
    ) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, StorageError> {
        let ids = ids.to_vec();
        self.read("usage_of_api_keys", move |tx| {
            Box::pin(api_key_usage::usage_of_api_keys(tx, ids, days))
        })
        .await
    }

    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError> {
        self.write("claim_expiry_notice", move |tx| {
            Box::pin(api_keys::claim_expiry_notice(tx, id, expires_at))
        })
        .await
    }
}
