use std::sync::Arc;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    ApiKeyStore for BrokenStore, except
    issue_api_key, api_key, api_keys_by_id, api_keys, renew_api_key, revoke_api_keys_of,
    record_api_key_usage, claim_expiry_notice
);

impl BrokenStore {
    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> StorageResult<LimitedCreation> {
        if self.has(Fault::IssuesByCheckThenAct) {
            self.everybody.wait();
            return self.store.issue_api_key(key, u32::MAX).await;
        }
        self.store.issue_api_key(key, at_most).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> StorageResult<Option<Arc<ApiKey>>> {
        let found = self.store.api_key(digest).await?;
        let kept = self
            .gone::<Vec<Arc<ApiKey>>>()
            .unwrap_or_default()
            .into_iter()
            .find(|key| key.expiry_of(digest).is_some());
        let replaced_last = |key: &ApiKey| {
            key.previous
                .last()
                .is_some_and(|value| value.digest == *digest)
        };
        Ok(kept.or(found).filter(|key| match self.fault {
            Some(Fault::ForgetsPreviousValues) => key.digest == *digest,
            Some(Fault::CutsOverlapsThatRun) => key.digest == *digest || replaced_last(key),
            _ => true,
        }))
    }

    async fn api_keys_by_id(&self, ids: &[ApiKeyId]) -> StorageResult<Vec<Arc<ApiKey>>> {
        let mut found = self.store.api_keys_by_id(ids).await?;
        if self.has(Fault::LeavesRevokedKeysOut) {
            found.retain(|key| key.revoked_at.is_none());
        }
        let uses = self.gone::<Vec<ApiKeyDailyUsage>>().unwrap_or_default();
        let with_last_use = |key: Arc<ApiKey>| {
            let last = uses.iter().rev().find(|used| used.key == key.id);
            match last.map(|used| used.last_used_at) {
                Some(at) => Arc::new(ApiKey {
                    last_used_at: Some(at),
                    ..ApiKey::clone(&key)
                }),
                None => key,
            }
        };
        Ok(found.into_iter().map(with_last_use).collect())
    }

    async fn api_keys(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> StorageResult<Paged<Arc<ApiKey>>> {
        self.store
            .api_keys(
                owner.filter(|_| !self.has(Fault::ListsKeysOfEverybody)),
                page,
            )
            .await
    }

    async fn renew_api_key(
        &self,
        id: ApiKeyId,
        renewal: ApiKeyRenewal,
        at: Timestamp,
    ) -> StorageResult<Renewal> {
        let seen = self.store.api_key_by_id(id).await?;
        if self.has(Fault::RenewsWhatItSaw) {
            self.everybody.wait();
        }
        match (
            self.store.renew_api_key(id, renewal.clone(), at).await?,
            seen,
        ) {
            (Renewal::Renewed(_), Some(seen)) if self.has(Fault::RenewsWhatItSaw) => Ok(
                Renewal::Renewed(Arc::new(seen.renewed(renewal, at).unwrap())),
            ),
            (Renewal::Revoked, Some(seen)) if self.has(Fault::RenewsRevokedKeys) => Ok(
                Renewal::Renewed(Arc::new(seen.renewed(renewal, at).unwrap())),
            ),
            (Renewal::TooManyValues, Some(seen)) if self.has(Fault::RenewsPastTheMost) => {
                Ok(Renewal::Renewed(seen))
            }
            (answer, _) => Ok(answer),
        }
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<usize> {
        if self.has(Fault::RevokesApiKeysOfEverybody) {
            for key in self
                .store
                .api_keys(None, PageRequest::new(0, 9).unwrap())
                .await?
                .items
            {
                self.store.revoke_api_key(key.id, at).await?;
            }
            return Ok(2);
        }
        self.store.revoke_api_keys_of(owner, at).await
    }

    async fn record_api_key_usage(&self, uses: Vec<ApiKeyDailyUsage>) -> StorageResult<()> {
        if self.has(Fault::WritesWhicheverUseComesLast) {
            *self.first.lock().unwrap() = Some(Box::new(uses.clone()));
        }
        if self.has(Fault::CountsCallsByReadThenWrite) {
            self.everybody.wait();
            let is_last = self.first.lock().unwrap().replace(Box::new(())).is_none();
            return if is_last {
                self.store.record_api_key_usage(uses).await
            } else {
                Ok(())
            };
        }
        self.store.record_api_key_usage(uses).await
    }

    async fn claim_expiry_notice(
        &self,
        id: ApiKeyId,
        expires_at: Timestamp,
    ) -> StorageResult<bool> {
        let claiming = self.store.claim_expiry_notice(id, expires_at);
        if self.has(Fault::ClaimsNoticesByCheckThenAct) {
            return self.act_after_check(claiming, |is_first| *is_first).await;
        }
        claiming.await
    }
}
