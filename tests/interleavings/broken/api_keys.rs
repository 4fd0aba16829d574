use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl ApiKeyStore for BrokenStore {
    async fn create_api_key(&self, key: ApiKey) -> StorageResult<Creation> {
        self.gate.before_step().await?;
        self.store().create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> StorageResult<LimitedCreation> {
        self.gate.before_step().await?;
        if !self.has(Fault::IssuesByCheckThenAct) {
            return self.store().issue_api_key(key, at_most).await;
        }
        let owned = self
            .store()
            .api_keys(key.owner.as_ref(), PageRequest::new(0, 1).unwrap())
            .await?
            .total;
        self.gate.before_step().await?;
        if owned >= u64::from(at_most) {
            return Ok(LimitedCreation::LimitReached);
        }
        self.store().issue_api_key(key, u32::MAX).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> StorageResult<Option<Arc<ApiKey>>> {
        self.gate.before_step().await?;
        self.store().api_key(digest).await
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> StorageResult<Option<Arc<ApiKey>>> {
        self.gate.before_step().await?;
        self.store().api_key_by_id(id).await
    }

    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> StorageResult<Paged<Arc<ApiKey>>> {
        self.gate.before_step().await?;
        self.store().api_keys(owner, page).await
    }

    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> StorageResult<Renewal> {
        self.gate.before_step().await?;
        let seen = self.store().api_key_by_id(id).await?;
        self.gate.before_step().await?;
        let answer = self.store().renew_api_key(id, renewal.clone(), at).await?;
        match (answer, seen) {
            (Renewal::Renewed(_), Some(seen)) if self.has(Fault::RenewsWhatItSaw) => Ok(
                Renewal::Renewed(Arc::new(seen.renewed(renewal, at).unwrap())),
            ),
            (Renewal::Revoked, Some(seen))
                if self.has(Fault::RenewsWhatItSaw) && seen.revoked_at.is_none() =>
            {
                Ok(Renewal::Renewed(Arc::new(
                    seen.renewed(renewal, at).unwrap(),
                )))
            }
            (answer, _) => Ok(answer),
        }
    }

    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> StorageResult<()> {
        self.gate.before_step().await?;
        self.store().record_api_key_usage(uses).await
    }

    async fn api_key_usage(
        &self,
        id: ApiKeyId,
        days: DateRange,
    ) -> StorageResult<Vec<(Date, u64)>> {
        self.gate.before_step().await?;
        self.store().api_key_usage(id, days).await
    }

    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.store().claim_expiry_notice(id, expires_at).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.store().revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<usize> {
        self.gate.before_step().await?;
        self.store().revoke_api_keys_of(owner, at).await
    }
}
