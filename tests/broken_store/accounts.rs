use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(
    AccountStore for BrokenStore, except
    create_account, account, accounts, rehash_password, set_password, set_role,
    remove_account
);

impl BrokenStore {
    async fn create_account(&self, account: Account) -> StorageResult<Creation> {
        let creating = self.store.create_account(account);
        if self.has(Fault::SelectsThenInsertsAccounts) {
            return self
                .act_after_check(creating, |creation| *creation == Creation::Created)
                .await;
        }
        creating.await
    }

    async fn account(&self, id: AccountId) -> StorageResult<Option<Account>> {
        let found = self.store.account(id).await?;
        Ok(found.map(|found| {
            self.gone::<Account>()
                .filter(|changed| changed.id == id)
                .unwrap_or(found)
        }))
    }

    async fn accounts(
        &self,
        search: Option<&SearchTerm>,
        page: PageRequest,
    ) -> StorageResult<Paged<Account>> {
        let mut found = self.store.accounts(search, page).await?;
        if self.has(Fault::SortsAccountsAsTheyAreWritten) {
            found
                .items
                .sort_by(|one, other| one.email.as_str().cmp(other.email.as_str()));
        }
        Ok(found)
    }

    async fn rehash_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
    ) -> StorageResult<PasswordChange> {
        let rehashing = self.store.rehash_password(id, seen, new);
        if self.has(Fault::ChangesHashesByReadThenWrite) {
            return self
                .act_after_check(rehashing, |change| *change == PasswordChange::Changed)
                .await;
        }
        rehashing.await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> StorageResult<PasswordChange> {
        if self.has(Fault::ChangesPasswordsButEndsNothing) {
            return self.store.rehash_password(id, seen, new).await;
        }
        let keys = match self.fault {
            Some(Fault::ChangesPasswordsButNotTheKeys) => ApiKeyAction::Keep,
            Some(Fault::RevokesKeysThatAreToBeKept) => ApiKeyAction::Revoke,
            _ => keys,
        };
        let setting = self.store.set_password(id, seen, new, keys, at);
        if self.has(Fault::ChangesHashesByReadThenWrite) {
            return self
                .act_after_check(setting, |change| *change == PasswordChange::Changed)
                .await;
        }
        setting.await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> StorageResult<AccountChange> {
        if self.has(Fault::LetsTheLastAdministratorGo) {
            // Beside another administrator, none is the last.
            let (id, email) = (
                AccountId::from_random([200; 16]),
                "beside@school.example".parse().unwrap(),
            );
            let password_hash = PasswordHash::from_phc("$argon2id$none");
            let beside = Account {
                id,
                email,
                password_hash,
                role: Role::Admin,
                created_at: Timestamp::from_seconds(0),
                student: None,
            };
            let _: Creation = self.store.create_account(beside).await?;
        }
        if !self.has(Fault::ChangesRolesAlone) {
            return self.store.set_role(id, role).await;
        }
        let Some(account) = self.store.account(id).await? else {
            return Ok(AccountChange::NotFound);
        };
        *self.first.lock().unwrap() = Some(Box::new(Account { role, ..account }));
        Ok(AccountChange::Done)
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> StorageResult<AccountRemoval> {
        if self.has(Fault::RemovesAccountsButNotTheirKeys) {
            let page = PageRequest::new(0, 9).unwrap();
            *self.first.lock().unwrap() = Some(Box::new(
                self.store.api_keys(Some(&id.into()), page).await?.items,
            ));
        }
        let removed = self.store.remove_account(id, at).await?;
        if self.has(Fault::LeavesTheClientsOfLeavers)
            && let AccountRemoval::Removed(removal) = &removed
        {
            for client in &removal.suspended_clients {
                self.store.set_client_owner(*client, id.into()).await?;
            }
        }
        if self.has(Fault::RemovesAccountsButNotTheirConsents) {
            *self.first.lock().unwrap() = Some(Box::new(SubjectId::from(id)));
        }
        Ok(removed)
    }
}
