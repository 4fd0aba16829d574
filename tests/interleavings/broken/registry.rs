use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> Answer<Creation> {
        self.turn.pass().await?;
        self.store().create_application(application).await
    }

    async fn register_application(&self, application: Application, at_most: u32) -> Answer<Issuance> {
        self.turn.pass().await?;
        if !self.has(Fault::RegistersByCheckThenAct) {
            return self.store().register_application(application, at_most).await;
        }
        let owned = self.store().applications(Some(&application.owner), PageRequest::new(0, 1).unwrap()).await?.total;
        self.turn.pass().await?;
        if owned >= u64::from(at_most) {
            return Ok(Issuance::OwnerHasEnough);
        }
        self.store().register_application(application, u32::MAX).await
    }

    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>> {
        self.turn.pass().await?;
        self.store().application(id).await
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> Answer<Vec<Application>> {
        self.turn.pass().await?;
        self.store().applications_by_id(ids).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation> {
        self.turn.pass().await?;
        let wanted: ScopeSet = [definition.scope.clone()].into_iter().collect();
        let is_free = self.store().scope_definitions(&wanted).await?.is_empty();
        self.turn.pass().await?;
        let is_free = is_free && !self.store().scope_definitions(&wanted).await?.is_empty();
        let creation = self.store().create_scope(definition).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsScopes) { ScopeCreation::Created } else { creation })
    }

    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> Answer<ScopeCreation> {
        self.turn.pass().await?;
        self.store().register_scope(definition, at_most).await
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>> {
        self.turn.pass().await?;
        self.store().scope_definitions(scopes).await
    }

    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Answer<Option<ScopeUsage>> {
        self.turn.pass().await?;
        self.store().application_usage(id, at).await
    }

    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Answer<Option<ScopeUsage>> {
        self.turn.pass().await?;
        self.store().scope_usage(id, at).await
    }

    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Answer<Option<GrantUsage>> {
        self.turn.pass().await?;
        self.store().client_usage(id, at).await
    }

    async fn create_client(&self, client: Client) -> Answer<ClientCreation> {
        self.turn.pass().await?;
        self.store().create_client(client).await
    }

    async fn register_client(&self, client: Client, at_most: u32) -> Answer<ClientCreation> {
        self.turn.pass().await?;
        self.store().register_client(client, at_most).await
    }

    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>> {
        self.turn.pass().await?;
        self.store().client(id).await
    }

    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Application>> {
        self.turn.pass().await?;
        self.store().applications(owner, page).await
    }

    async fn rename_application(&self, id: ApplicationId, name: Line) -> Answer<RegistryChange> {
        self.turn.pass().await?;
        self.store().rename_application(id, name).await
    }

    async fn delete_application(&self, id: ApplicationId) -> Answer<RegistryChange> {
        self.turn.pass().await?;
        self.store().delete_application(id).await
    }

    async fn scope(&self, id: ScopeId) -> Answer<Option<ScopeDefinition>> {
        self.turn.pass().await?;
        self.store().scope(id).await
    }

    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Answer<Registered<ScopeDefinition>> {
        self.turn.pass().await?;
        self.store().scopes(of, page).await
    }

    async fn update_scope(&self, id: ScopeId, change: ScopeChange) -> Answer<RegistryChange> {
        self.turn.pass().await?;
        let seen = self.store().scope(id).await?;
        self.turn.pass().await?;
        let change = match seen {
            Some(seen) if self.has(Fault::WritesWholeScopesBack) => ScopeChange {
                description: change.description.or(Some(seen.description)),
                approval_required: change.approval_required.or(Some(seen.approval_required)),
            },
            _ => change,
        };
        self.store().update_scope(id, change).await
    }

    async fn delete_scope(&self, id: ScopeId) -> Answer<RegistryChange> {
        self.turn.pass().await?;
        self.store().delete_scope(id).await
    }

    async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> Answer<ScopeApproval> {
        self.turn.pass().await?;
        self.store().approve_scope(id, client, at).await
    }

    async fn withdraw_scope(&self, id: ScopeId, client: ClientId) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().withdraw_scope(id, client).await
    }

    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Answer<Registered<ScopeClient>> {
        self.turn.pass().await?;
        self.store().clients_of_scope(id, page).await
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> Answer<Vec<Arc<Client>>> {
        self.turn.pass().await?;
        self.store().clients_by_id(ids).await
    }

    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Answer<Registered<Arc<Client>>> {
        self.turn.pass().await?;
        self.store().clients(filter, page).await
    }

    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> Answer<ClientUpdate> {
        self.turn.pass().await?;
        let is_as_seen = self.store().client(id).await?.is_some_and(|client| client.settings() == *seen);
        self.turn.pass().await?;
        match self.store().client(id).await? {
            Some(now) if is_as_seen && self.has(Fault::UpdatesClientsByCheckThenAct) => {
                self.store().update_client(id, &now.settings(), new).await
            }
            _ => self.store().update_client(id, seen, new).await,
        }
    }

    async fn delete_client(&self, id: ClientId, at: Timestamp) -> Answer<ClientDeletion> {
        self.turn.pass().await?;
        self.store().delete_client(id, at).await
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().set_client_owner(id, owner).await
    }

    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> Answer<OwnerRemoval> {
        self.turn.pass().await?;
        self.store().remove_owner(owner, at).await
    }

    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> Answer<SecretAddition> {
        self.turn.pass().await?;
        let seen = self.newest_secret(id).await?;
        self.turn.pass().await?;
        if self.has(Fault::AddsSecretsToWhatItSaw)
            && let Some(seen) = seen
            && self.newest_secret(id).await?.as_ref() != Some(&seen)
        {
            // What was seen is written back, with the new one.
            let _ = self.store().add_client_secret(id, seen).await?;
        }
        self.store().add_client_secret(id, secret).await
    }

    async fn remove_older_secret(&self, id: ClientId) -> Answer<SecretRemoval> {
        self.turn.pass().await?;
        self.store().remove_older_secret(id).await
    }
}

impl BrokenStore {
    async fn newest_secret(&self, id: ClientId) -> Answer<Option<RegisteredSecret>> {
        Ok(self.store().client(id).await?.and_then(|client| client.secrets.last().cloned()))
    }
}

#[async_trait]
impl ApiKeyStore for BrokenStore {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.turn.pass().await?;
        self.store().create_api_key(key).await
    }

    async fn issue_api_key(&self, key: ApiKey, at_most: u32) -> Answer<Issuance> {
        self.turn.pass().await?;
        if !self.has(Fault::IssuesByCheckThenAct) {
            return self.store().issue_api_key(key, at_most).await;
        }
        let owned = self.store().api_keys(key.owner.as_ref(), PageRequest::new(0, 1).unwrap()).await?.total;
        self.turn.pass().await?;
        if owned >= u64::from(at_most) {
            return Ok(Issuance::OwnerHasEnough);
        }
        self.store().issue_api_key(key, u32::MAX).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        self.turn.pass().await?;
        self.store().api_key(digest).await
    }

    async fn api_key_by_id(&self, id: ApiKeyId) -> Answer<Option<Arc<ApiKey>>> {
        self.turn.pass().await?;
        self.store().api_key_by_id(id).await
    }

    async fn api_keys(&self, owner: Option<&SubjectId>, page: PageRequest) -> Answer<Registered<Arc<ApiKey>>> {
        self.turn.pass().await?;
        self.store().api_keys(owner, page).await
    }

    async fn renew_api_key(&self, id: ApiKeyId, renewal: ApiKeyRenewal, at: Timestamp) -> Answer<Renewal> {
        self.turn.pass().await?;
        let seen = self.store().api_key_by_id(id).await?;
        self.turn.pass().await?;
        let answer = self.store().renew_api_key(id, renewal.clone(), at).await?;
        match (answer, seen) {
            (Renewal::Renewed(_), Some(seen)) if self.has(Fault::RenewsWhatItSaw) => {
                Ok(Renewal::Renewed(Arc::new(seen.renewed(renewal, at).unwrap())))
            }
            (Renewal::Revoked, Some(seen)) if self.has(Fault::RenewsWhatItSaw) && seen.revoked_at.is_none() => {
                Ok(Renewal::Renewed(Arc::new(seen.renewed(renewal, at).unwrap())))
            }
            (answer, _) => Ok(answer),
        }
    }

    async fn touch_api_keys(&self, uses: Vec<KeyUse>) -> Answer<()> {
        self.turn.pass().await?;
        self.store().touch_api_keys(uses).await
    }

    async fn api_key_usage(&self, id: ApiKeyId, days: DateRange) -> Answer<Vec<(Date, u64)>> {
        self.turn.pass().await?;
        self.store().api_key_usage(id, days).await
    }

    async fn claim_expiry_notice(&self, id: ApiKeyId, expires_at: Timestamp) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().claim_expiry_notice(id, expires_at).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().revoke_api_key(id, at).await
    }

    async fn revoke_api_keys_of(&self, owner: &SubjectId, at: Timestamp) -> Answer<usize> {
        self.turn.pass().await?;
        self.store().revoke_api_keys_of(owner, at).await
    }
}

#[async_trait]
impl AccountStore for BrokenStore {
    async fn create_account(&self, account: Account) -> Answer<Creation> {
        self.turn.pass().await?;
        let _held = match self.fault {
            Fault::LocksInTwoOrders => self.lock_both(account.id < AccountId::from_random([1; 16])).await?,
            Fault::LocksInOneOrder => self.lock_both(true).await?,
            _ => Vec::new(),
        };
        if self.has(Fault::TakesFewerStepsEachTime) {
            for _ in self.shared.accounts.fetch_add(1, Ordering::Relaxed)..6 {
                self.turn.pass().await?;
            }
        }
        let is_free = self.store().account_by_email(&account.email).await?.is_none() && self.store().account(account.id).await?.is_none();
        self.turn.pass().await?;
        let creation = self.store().create_account(account).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsAccounts) { Creation::Created } else { creation })
    }

    async fn account(&self, id: AccountId) -> Answer<Option<Account>> {
        self.turn.pass().await?;
        self.store().account(id).await
    }

    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>> {
        self.turn.pass().await?;
        self.store().account_by_email(email).await
    }

    async fn accounts(&self, search: Option<&Needle>, page: PageRequest) -> Answer<Registered<Account>> {
        self.turn.pass().await?;
        self.store().accounts(search, page).await
    }

    async fn rehash_password(&self, id: AccountId, seen: &PasswordHash, new: PasswordHash) -> Answer<PasswordChange> {
        self.turn.pass().await?;
        let was_seen = self.store().account(id).await?.is_some_and(|account| account.password_hash.as_phc() == seen.as_phc());
        self.turn.pass().await?;
        if was_seen
            && self.has(Fault::RehashesWhatItSaw)
            && let Some(account) = self.store().account(id).await?
        {
            return self.store().rehash_password(id, &account.password_hash, new).await;
        }
        self.store().rehash_password(id, seen, new).await
    }

    async fn set_password(
        &self,
        id: AccountId,
        seen: &PasswordHash,
        new: PasswordHash,
        keys: OwnedApiKeys,
        at: Timestamp,
    ) -> Answer<PasswordChange> {
        self.turn.pass().await?;
        if self.has(Fault::SetsPasswordsAfterTheKeys) {
            self.store().revoke_api_keys_of(&id.into(), at).await?;
            self.turn.pass().await?;
        }
        self.store().set_password(id, seen, new, keys, at).await
    }

    async fn set_role(&self, id: AccountId, role: Role) -> Answer<AccountChange> {
        self.turn.pass().await?;
        self.store().set_role(id, role).await
    }

    async fn remove_account(&self, id: AccountId, at: Timestamp) -> Answer<AccountRemoval> {
        self.turn.pass().await?;
        if self.has(Fault::RemovesOwnersBeforeTheirAccounts) {
            self.store().remove_owner(&id.into(), at).await?;
            self.turn.pass().await?;
        }
        if self.has(Fault::RemovesAccountsInTwoTransactions) {
            self.store().revoke_grants_of(&id.into(), OwnedApiKeys::Revoke, at).await?;
            self.turn.pass().await?;
        }
        self.shared.consents.lock().unwrap().retain(|(subject, _), _| *subject != SubjectId::from(id));
        self.store().remove_account(id, at).await
    }
}

impl StoreClock for BrokenStore {}

#[async_trait]
impl KeyStore for BrokenStore {
    async fn signing_keys(&self) -> Answer<Vec<SigningKeyRecord>> {
        self.turn.pass().await?;
        self.store().signing_keys().await
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Answer<KeyRevocation> {
        self.turn.pass().await?;
        self.store().revoke_signing_key(id, at).await
    }

    async fn reseal_signing_key(&self, id: &KeyId, seen: &SealedKey, sealed: SealedKey) -> Answer<bool> {
        self.turn.pass().await?;
        if self.has(Fault::ResealsInTwoSteps) {
            let was_seen = self.store().signing_keys().await?.into_iter().any(|key| key.id == *id && key.sealed == *seen);
            self.turn.pass().await?;
            let kept = self.store().signing_keys().await?.into_iter().find(|key| key.id == *id);
            return match kept.filter(|_| was_seen) {
                Some(kept) => self.store().reseal_signing_key(id, &kept.sealed, sealed).await,
                None => Ok(false),
            };
        }
        self.store().reseal_signing_key(id, seen, sealed).await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Answer<usize> {
        self.turn.pass().await?;
        self.store().remove_signing_keys(until).await
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Answer<KeyInstallation> {
        self.turn.pass().await?;
        let is_free = self.store().signing_keys().await?.iter().all(|known| known.sequence != key.sequence);
        self.turn.pass().await?;
        let installation = self.store().install_signing_key(key).await?;
        Ok(if is_free && self.has(Fault::InstallsKeysTwice) { KeyInstallation::Installed } else { installation })
    }
}

#[async_trait]
impl RateLimiter for BrokenStore {
    async fn take_many(&self, key: &RateKey, quota: Quota, calls: NonZeroU32, now_micros: i64) -> Answer<RateVerdict> {
        self.turn.pass().await?;
        if !self.has(Fault::ReadsThenWritesRates) {
            return self.store().take_many(key, quota, calls, now_micros).await;
        }
        let seen = self.shared.arrivals.lock().unwrap().get(key).copied();
        self.turn.pass().await?;
        let verdict = quota.check_many(seen, calls, now_micros);
        if let RateVerdict::Allowed { arrival_micros, .. } = verdict {
            self.shared.arrivals.lock().unwrap().insert(*key, arrival_micros);
        }
        Ok(verdict)
    }
}
