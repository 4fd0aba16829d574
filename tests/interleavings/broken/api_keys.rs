use std::sync::Arc;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(ApiKeyStore for BrokenStore, except issue_api_key, renew_api_key);

impl BrokenStore {
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
}
