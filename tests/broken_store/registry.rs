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
        self.store.account(id).await
    }

    async fn account_by_email(&self, email: &Email) -> Answer<Option<Account>> {
        self.store.account_by_email(email).await
    }
}

#[async_trait]
impl ApiKeyStore for BrokenStore {
    async fn create_api_key(&self, key: ApiKey) -> Answer<Creation> {
        self.store.create_api_key(key).await
    }

    async fn api_key(&self, digest: &ApiKeyDigest) -> Answer<Option<Arc<ApiKey>>> {
        self.store.api_key(digest).await
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Answer<bool> {
        self.store.revoke_api_key(id, at).await
    }
}

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> Answer<Creation> {
        self.store.create_application(application).await
    }

    async fn application(&self, id: ApplicationId) -> Answer<Option<Application>> {
        self.store.application(id).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Answer<ScopeCreation> {
        let creating = self.store.create_scope(definition);
        if self.has(Fault::SelectsThenInsertsScopes) {
            return self.act_after_check(creating, |creation| *creation == ScopeCreation::Created).await;
        }
        creating.await
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Answer<Vec<ScopeDefinition>> {
        self.store.scope_definitions(scopes).await
    }

    async fn create_client(&self, client: Client) -> Answer<ClientCreation> {
        self.store.create_client(client).await
    }

    async fn client(&self, id: ClientId) -> Answer<Option<Arc<Client>>> {
        self.store.client(id).await
    }
}

#[async_trait]
impl KeyStore for BrokenStore {
    async fn signing_keys(&self) -> Answer<Vec<SigningKeyRecord>> {
        self.store.signing_keys().await
    }

    async fn install_signing_key(&self, key: SigningKeyRecord) -> Answer<KeyInstallation> {
        let installing = self.store.install_signing_key(key);
        if self.has(Fault::InstallsKeysByCheckThenAct) {
            return self.act_after_check(installing, |installation| *installation == KeyInstallation::Installed).await;
        }
        installing.await
    }

    async fn revoke_signing_key(&self, id: &KeyId, at: Timestamp) -> Answer<KeyRevocation> {
        self.store.revoke_signing_key(id, at).await
    }

    async fn remove_signing_keys(&self, until: Timestamp) -> Answer<usize> {
        self.store.remove_signing_keys(until).await
    }
}

#[async_trait]
impl RateLimiter for BrokenStore {
    async fn take(&self, key: &RateKey, quota: Quota, now_micros: i64) -> Answer<RateVerdict> {
        let taking = self.store.take(key, quota, now_micros);
        if self.has(Fault::CountsByReadThenWrite) {
            return self.act_after_check(taking, |verdict| matches!(verdict, RateVerdict::Allowed { .. })).await;
        }
        taking.await
    }
}
