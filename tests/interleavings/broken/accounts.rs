use std::sync::atomic::Ordering;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    AccountStore for BrokenStore, except
    create_account, rehash_password, set_password, remove_account
);

impl BrokenStore {
    async fn create_account(&self, account: Account) -> StorageResult<Creation> {
        self.gate.before_step().await?;
        let _held = match self.fault {
            Fault::LocksInTwoOrders => {
                self.lock_both(account.id < AccountId::from_random([1; 16]))
                    .await?
            }
            Fault::LocksInOneOrder => self.lock_both(true).await?,
            _ => Vec::new(),
        };
        if self.has(Fault::TakesFewerStepsEachTime) {
            for _ in self.shared.accounts.fetch_add(1, Ordering::Relaxed)..6 {
                self.gate.before_step().await?;
            }
        }
        let is_free = self
            .store()
            .account_by_email(&account.email)
            .await?
            .is_none()
            && self.store().account(account.id).await?.is_none();
        self.gate.before_step().await?;
        let creation = self.store().create_account(account).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsAccounts) {
            Creation::Created
        } else {
            creation
        })
    }

    async fn rehash_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
    ) -> StorageResult<PasswordChange> {
        self.gate.before_step().await?;
        let was_seen = self
            .store()
            .account(id)
            .await?
            .is_some_and(|account| account.password_hash.as_phc() == seen.as_phc());
        self.gate.before_step().await?;
        if was_seen
            && self.has(Fault::RehashesWhatItSaw)
            && let Some(account) = self.store().account(id).await?
        {
            return self
                .store()
                .rehash_password(id, &account.password_hash, new)
                .await;
        }
        self.store().rehash_password(id, seen, new).await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> StorageResult<PasswordChange> {
        self.gate.before_step().await?;
        if self.has(Fault::SetsPasswordsAfterTheKeys) {
            self.store().revoke_api_keys_of(&id.into(), at).await?;
            self.gate.before_step().await?;
        }
        self.store().set_password(id, seen, new, keys, at).await
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> StorageResult<AccountRemoval> {
        self.gate.before_step().await?;
        if self.has(Fault::RemovesOwnersBeforeTheirAccounts) {
            self.store().remove_owner(&id.into(), at).await?;
            self.gate.before_step().await?;
        }
        if self.has(Fault::RemovesAccountsInTwoTransactions) {
            self.store()
                .sign_out_everywhere(&id.into(), ApiKeyAction::Revoke, at)
                .await?;
            self.gate.before_step().await?;
        }
        self.shared
            .consents
            .lock()
            .unwrap()
            .retain(|(subject, _), _| *subject != SubjectId::from(id));
        self.store().remove_account(id, at).await
    }
}
