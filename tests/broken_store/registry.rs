use std::num::NonZeroU32;
use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl AccountStore for BrokenStore {
    async fn create_account(&self, account: Account) -> Answer<Creation> {
        let creating = self.store.create_account(account);
        if self.has(Fault::SelectsThenInsertsAccounts) {
            return self.act_after_check(creating, |creation| *creation == Creation::Created).await;
        }
        creating.await
    }

    async fn account(&self, id: AccountId) -> Answer<Option<Account>> {
        let found = self.store.account(id).await?;
        Ok(found.map(|found| self.gone::<Account>().filter(|changed| changed.id == id).unwrap_or(found)))
    }

    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>> {
        self.store.account_by_email(email).await
    }

    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Answer<Registered<Account>> {
        let mut found = self.store.accounts(search, page).await?;
        if self.has(Fault::SortsAccountsAsTheyAreWritten) {
            found.items.sort_by(|one, other| one.email.as_str().cmp(other.email.as_str()));
        }
        Ok(found)
    }

    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Answer<PasswordChange> {
        let rehashing = self.store.rehash_password(id, seen, new);
        if self.has(Fault::ChangesHashesByReadThenWrite) {
            return self.act_after_check(rehashing, |change| *change == PasswordChange::Changed).await;
        }
        rehashing.await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Answer<PasswordChange> {
        if self.has(Fault::ChangesPasswordsButEndsNothing) {
            return self.store.rehash_password(id, seen, new).await;
        }
        let keys = match self.fault {
            Some(Fault::ChangesPasswordsButNotTheKeys) => OwnedApiKeys::Keep,
            Some(Fault::RevokesKeysThatAreToBeKept) => OwnedApiKeys::Revoke,
            _ => keys,
        };
        let setting = self.store.set_password(id, seen, new, keys, at);
        if self.has(Fault::ChangesHashesByReadThenWrite) {
            return self.act_after_check(setting, |change| *change == PasswordChange::Changed).await;
        }
        setting.await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Answer<AccountChange> {
        if self.has(Fault::LetsTheLastAdministratorGo) {
            // With somebody beside them, nobody is the last.
            let (id, email) = (AccountId::from_random([200; 16]), "beside@school.example".parse().unwrap());
            let password_hash = PasswordHash::from_phc("$argon2id$none");
            let beside = Account { id, email, password_hash, role: Role::Admin, created_at: Timestamp::from_seconds(0) };
            let _: Creation = self.store.create_account(beside).await?;
        }
        if !self.has(Fault::ChangesRolesAlone) {
            return self.store.set_role(id, role).await;
        }
        let Some(account) = self.store.account(id).await? else { return Ok(AccountChange::Unknown) };
        *self.first.lock().unwrap() = Some(Box::new(Account { role, ..account }));
        Ok(AccountChange::Done)
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Answer<AccountRemoval> {
        if self.has(Fault::RemovesAccountsButNotTheirKeys) {
            let page = PageRequest::new(0, 9).unwrap();
            *self.first.lock().unwrap() = Some(Box::new(self.store.api_keys(Some(&id.into()), page).await?.items));
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

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> Answer<Creation> {
        self.store.create_application(application).await
    }

    async fn register_application(&self, application: Application, at_most: u32) -> Answer<Issuance> {
        self.store.register_application(application, self.counted(at_most)).await
    }

    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>> {
        self.store.application(id).await
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> Answer<Vec<Application>> {
        self.store.applications_by_id(ids).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation> {
        let creating = self.store.create_scope(definition);
        if self.has(Fault::SelectsThenInsertsScopes) {
            return self.act_after_check(creating, |creation| *creation == ScopeCreation::Created).await;
        }
        creating.await
    }

    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> Answer<ScopeCreation> {
        self.store.register_scope(definition, self.counted(at_most)).await
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>> {
        self.store.scope_definitions(scopes).await
    }

    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Answer<Option<ScopeUsage>> {
        self.store.application_usage(id, at).await
    }

    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Answer<Option<ScopeUsage>> {
        let mut usage = self.store.scope_usage(id, at).await?;
        if let (true, Some(usage)) = (self.has(Fault::CountsOnlyGrantsOfListingClients), &mut usage) {
            let mut grants = GrantUsage::default();
            for client in &usage.clients.items {
                let of_client = self.store.client_usage(client.id, at).await?.unwrap_or_default();
                grants.live += of_client.live;
                grants.last_granted_at = grants.last_granted_at.max(of_client.last_granted_at);
            }
            usage.grants = grants;
        }
        Ok(usage)
    }

    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Answer<Option<GrantUsage>> {
        self.store.client_usage(id, at).await
    }

    async fn create_client(&self, client: Client) -> Answer<ClientCreation> {
        self.store.create_client(client).await
    }

    async fn register_client(&self, client: Client, at_most: u32) -> Answer<ClientCreation> {
        self.store.register_client(client, self.counted(at_most)).await
    }

    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>> {
        let found = self.store.client(id).await?.filter(|client| self.gone::<ClientId>().is_none_or(|gone| gone != client.id));
        Ok(found.map(|client| match self.gone::<Scope>() {
            Some(gone) => Arc::new(Client { allowed_scopes: client.allowed_scopes.without(&gone), ..Client::clone(&client) }),
            None => match self.gone::<RegisteredSecret>() {
                Some(oldest) => Arc::new(Client { secrets: [&[oldest], &client.secrets[..]].concat(), ..Client::clone(&client) }),
                None => client,
            },
        }))
    }

    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Application>> {
        self.store.applications(owner, page).await
    }

    async fn rename_application(&self, id: ApplicationId, name: Line) -> Answer<RegistryChange> {
        self.store.rename_application(id, name).await
    }

    async fn delete_application(&self, id: ApplicationId) -> Answer<RegistryChange> {
        self.store.delete_application(id).await
    }

    async fn scope(&self, id: ScopeId) -> Answer<Option<ScopeDefinition>> {
        let found = self.store.scope(id).await?;
        Ok(found.filter(|definition| self.gone::<Scope>().is_none_or(|gone| gone != definition.scope)))
    }

    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Answer<Registered<ScopeDefinition>> {
        self.store.scopes(of, page).await
    }

    async fn update_scope(&self, id: ScopeId, change: ScopeChange) -> Answer<RegistryChange> {
        if self.has(Fault::WritesWholeScopesBack) {
            let seen = self.store.scope(id).await?.expect("the scope is there");
            self.everybody.wait();
            let description = change.description.or(Some(seen.description));
            let approval_required = change.approval_required.or(Some(seen.approval_required));
            return self.store.update_scope(id, ScopeChange { description, approval_required }).await;
        }
        let open = self.has(Fault::OpensScopesThatAreDescribed) && change.description.is_some();
        let approval_required = if open { change.approval_required.or(Some(false)) } else { change.approval_required };
        self.store.update_scope(id, ScopeChange { approval_required, ..change }).await
    }

    async fn delete_scope(&self, id: ScopeId) -> Answer<RegistryChange> {
        let scope = self.store.scope(id).await?.map(|definition| definition.scope);
        if self.has(Fault::ForgetsGrantsWhenAScopeGoes) && scope.is_some() {
            *self.first.lock().unwrap() = scope.map(|scope| Box::new(scope) as _);
            return Ok(RegistryChange::Done);
        }
        if self.has(Fault::LeavesDeletedScopesOnLists) {
            return Ok(RegistryChange::Done);
        }
        self.store.delete_scope(id).await
    }

    async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> Answer<ScopeApproval> {
        if self.has(Fault::ForgetsApprovals) {
            return Ok(ScopeApproval::Approved);
        }
        self.store.approve_scope(id, client, at).await
    }

    async fn withdraw_scope(&self, id: ScopeId, client: ClientId) -> Answer<bool> {
        if self.has(Fault::WithdrawsScopesFromEverybody) {
            for other in self.store.clients(ClientFilter::All, PageRequest::new(0, 9).unwrap()).await?.items {
                self.store.withdraw_scope(id, other.id).await?;
            }
            return Ok(true);
        }
        self.store.withdraw_scope(id, client).await
    }

    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Answer<Registered<ScopeClient>> {
        self.store.clients_of_scope(id, page).await
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> Answer<Vec<Arc<Client>>> {
        self.store.clients_by_id(ids).await
    }

    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Answer<Registered<Arc<Client>>> {
        if self.has(Fault::ListsEverybodyForReview) && filter == ClientFilter::AwaitingReview {
            return self.store.clients(ClientFilter::All, page).await;
        }
        self.store.clients(filter, page).await
    }

    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> Answer<ClientUpdate> {
        if self.has(Fault::VerifiesWhatNobodyReviewed) && new.verification != seen.verification {
            // The settings are not compared.
            let kept = self.store.client(id).await?.map(|client| client.settings());
            return self.store.update_client(id, &kept.unwrap_or_else(|| seen.clone()), new).await;
        }
        if self.has(Fault::VerifiesWhatItIsGiven) {
            // The settings are compared without the verification.
            let kept = self.store.client(id).await?.map(|client| client.verification.clone());
            let seen = ClientSettings { verification: kept.unwrap_or(Verification::Unverified), ..seen.clone() };
            return self.store.update_client(id, &seen, new).await;
        }
        let updating = self.store.update_client(id, seen, new);
        if self.has(Fault::UpdatesClientsByCheckThenAct) {
            return self.act_after_check(updating, |update| *update == ClientUpdate::Updated).await;
        }
        updating.await
    }

    async fn delete_client(&self, id: ClientId, at: Timestamp) -> Answer<ClientDeletion> {
        if self.has(Fault::DeletesClientsButNotTheirGrants) {
            *self.first.lock().unwrap() = Some(Box::new(id));
            return Ok(if self.store.client(id).await?.is_some() { ClientDeletion::Deleted } else { ClientDeletion::Unknown });
        }
        if self.has(Fault::DeletesTheLastFirstParty)
            && let Some(client) = self.store.client(id).await?
            && client.first_party
        {
            // With another one beside it, none is the last.
            let beside = Client { id: ClientId::from_random([200; 16]), ..Client::clone(&client) };
            let _: ClientCreation = self.store.create_client(beside).await?;
        }
        self.store.delete_client(id, at).await
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Answer<bool> {
        self.store.set_client_owner(id, owner).await
    }

    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> Answer<OwnerRemoval> {
        self.store.remove_owner(owner, at).await
    }

    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> Answer<SecretAddition> {
        if self.has(Fault::KeepsThreeSecrets)
            && let Some(client) = self.store.client(id).await?
            && let [oldest, _] = &client.secrets[..]
        {
            *self.first.lock().unwrap() = Some(Box::new(oldest.clone()));
        }
        if !self.has(Fault::AddsSecretsByReadThenWrite) {
            return self.store.add_client_secret(id, secret).await;
        }
        // All have read the secrets, and each writes them back with its own: as if one had.
        self.everybody.wait();
        let is_last = self.first.lock().unwrap().replace(Box::new(())).is_none();
        if is_last {
            let _ = self.store.add_client_secret(id, secret).await?;
        }
        self.everybody.wait();
        Ok(SecretAddition::Added)
    }

    async fn remove_older_secret(&self, id: ClientId) -> Answer<SecretRemoval> {
        let removing = self.store.remove_older_secret(id);
        if self.has(Fault::RemovesSecretsByCheckThenAct) {
            return self.act_after_check(removing, |removal| *removal == SecretRemoval::Removed).await;
        }
        removing.await
    }
}

impl StoreClock for BrokenStore {}

#[async_trait]
impl KeyStore for BrokenStore {
    async fn signing_keys(&self) -> Answer<Vec<SigningKeyRecord>> {
        let mut keys = self.store.signing_keys().await?;
        if self.has(Fault::RevokesKeysUntilTheNextOne)
            && let [before @ .., _] = &mut keys[..]
        {
            before.iter_mut().for_each(|key| key.revoked_at = None);
        }
        Ok(keys)
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Answer<KeyInstallation> {
        let installing = self.store.install_signing_key(key);
        if self.has(Fault::InstallsKeysByCheckThenAct) {
            return self.act_after_check(installing, |installation| *installation == KeyInstallation::Installed).await;
        }
        installing.await
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Answer<KeyRevocation> {
        if self.has(Fault::RevokesTheNewestKey)
            && let Some(newest) = self.store.signing_keys().await?.last()
        {
            return self.store.revoke_signing_key(&newest.id, at).await;
        }
        let revoking = self.store.revoke_signing_key(id, at);
        if self.has(Fault::RevokesKeysByCheckThenAct) {
            return self.act_after_check(revoking, |revocation| *revocation == KeyRevocation::Revoked).await;
        }
        match revoking.await? {
            KeyRevocation::AlreadyRevoked { .. } if self.has(Fault::RevokesKeysAgain) => Ok(KeyRevocation::Revoked),
            revocation => Ok(revocation),
        }
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Answer<bool> {
        if self.has(Fault::ResealsWhateverIsKept)
            && let Some(kept) = self.store.signing_keys().await?.into_iter().find(|key| key.id == *id)
        {
            return self.store.reseal_signing_key(id, &kept.sealed, sealed).await;
        }
        self.store.reseal_signing_key(id, seen, sealed).await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Answer<usize> {
        self.store.remove_signing_keys(until).await
    }
}

#[async_trait]
impl RateLimiter for BrokenStore {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Answer<RateVerdict> {
        let taking = self.store.take_many(key, quota, calls, now_micros);
        if self.has(Fault::CountsByReadThenWrite) {
            return self.act_after_check(taking, |verdict| matches!(verdict, RateVerdict::Allowed { .. })).await;
        }
        taking.await
    }
}
