use std::sync::Arc;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl ClientLookup for BrokenStore {
    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>> {
        self.gate.before_step().await?;
        self.store().client(id).await
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> StorageResult<Vec<ScopeDefinition>> {
        self.gate.before_step().await?;
        self.store().scope_definitions(scopes).await
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> StorageResult<Vec<Application>> {
        self.gate.before_step().await?;
        self.store().applications_by_id(ids).await
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> StorageResult<Vec<Arc<Client>>> {
        self.gate.before_step().await?;
        self.store().clients_by_id(ids).await
    }
}

#[async_trait]
impl ClientRegistry for BrokenStore {
    async fn create_application(&self, application: Application) -> StorageResult<Creation> {
        self.gate.before_step().await?;
        self.store().create_application(application).await
    }

    async fn register_application(
        &self,
        application: Application,
        at_most: u32,
    ) -> StorageResult<LimitedCreation> {
        self.gate.before_step().await?;
        if !self.has(Fault::RegistersByCheckThenAct) {
            return self
                .store()
                .register_application(application, at_most)
                .await;
        }
        let owned = self
            .store()
            .applications(Some(&application.owner), PageRequest::new(0, 1).unwrap())
            .await?
            .total;
        self.gate.before_step().await?;
        if owned >= u64::from(at_most) {
            return Ok(LimitedCreation::LimitReached);
        }
        self.store()
            .register_application(application, u32::MAX)
            .await
    }

    async fn application(&self, id: ApplicationId) -> StorageResult<Option<Application>> {
        self.gate.before_step().await?;
        self.store().application(id).await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> StorageResult<ScopeCreation> {
        self.gate.before_step().await?;
        let wanted: ScopeSet = [definition.scope.clone()].into_iter().collect();
        let is_free = self.store().scope_definitions(&wanted).await?.is_empty();
        self.gate.before_step().await?;
        let is_free = is_free && !self.store().scope_definitions(&wanted).await?.is_empty();
        let creation = self.store().create_scope(definition).await?;
        Ok(if is_free && self.has(Fault::SelectsThenInsertsScopes) {
            ScopeCreation::Created
        } else {
            creation
        })
    }

    async fn register_scope(
        &self,
        definition: ScopeDefinition,
        at_most: u32,
    ) -> StorageResult<ScopeCreation> {
        self.gate.before_step().await?;
        self.store().register_scope(definition, at_most).await
    }

    async fn application_usage(
        &self,
        id: ApplicationId,
        at: Timestamp,
    ) -> StorageResult<Option<ScopeUsage>> {
        self.gate.before_step().await?;
        self.store().application_usage(id, at).await
    }

    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> StorageResult<Option<ScopeUsage>> {
        self.gate.before_step().await?;
        self.store().scope_usage(id, at).await
    }

    async fn client_usage(&self, id: ClientId, at: Timestamp) -> StorageResult<Option<GrantUsage>> {
        self.gate.before_step().await?;
        self.store().client_usage(id, at).await
    }

    async fn create_client(&self, client: Client) -> StorageResult<ClientCreation> {
        self.gate.before_step().await?;
        self.store().create_client(client).await
    }

    async fn register_client(&self, client: Client, at_most: u32) -> StorageResult<ClientCreation> {
        self.gate.before_step().await?;
        self.store().register_client(client, at_most).await
    }

    async fn applications(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> StorageResult<Paged<Application>> {
        self.gate.before_step().await?;
        self.store().applications(owner, page).await
    }

    async fn rename_application(
        &self,
        id: ApplicationId,
        name: ShortText,
    ) -> StorageResult<RegistryChange> {
        self.gate.before_step().await?;
        self.store().rename_application(id, name).await
    }

    async fn delete_application(&self, id: ApplicationId) -> StorageResult<RegistryChange> {
        self.gate.before_step().await?;
        self.store().delete_application(id).await
    }

    async fn scope(&self, id: ScopeId) -> StorageResult<Option<ScopeDefinition>> {
        self.gate.before_step().await?;
        self.store().scope(id).await
    }

    async fn scopes(
        &self,
        of: Option<ApplicationId>,
        page: PageRequest,
    ) -> StorageResult<Paged<ScopeDefinition>> {
        self.gate.before_step().await?;
        self.store().scopes(of, page).await
    }

    async fn update_scope(&self, id: ScopeId, change: ScopePatch) -> StorageResult<RegistryChange> {
        self.gate.before_step().await?;
        let seen = self.store().scope(id).await?;
        self.gate.before_step().await?;
        let change = match seen {
            Some(seen) if self.has(Fault::WritesWholeScopesBack) => ScopePatch {
                description: change.description.or(Some(seen.description)),
                approval_required: change.approval_required.or(Some(seen.approval_required)),
            },
            _ => change,
        };
        self.store().update_scope(id, change).await
    }

    async fn delete_scope(&self, id: ScopeId) -> StorageResult<RegistryChange> {
        self.gate.before_step().await?;
        self.store().delete_scope(id).await
    }

    async fn approve_scope(
        &self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> StorageResult<ScopeApproval> {
        self.gate.before_step().await?;
        self.store().approve_scope(id, client, at).await
    }

    async fn revoke_scope_approval(&self, id: ScopeId, client: ClientId) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.store().revoke_scope_approval(id, client).await
    }

    async fn clients_of_scope(
        &self,
        id: ScopeId,
        page: PageRequest,
    ) -> StorageResult<Paged<ScopeClient>> {
        self.gate.before_step().await?;
        self.store().clients_of_scope(id, page).await
    }

    async fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> StorageResult<Paged<Arc<Client>>> {
        self.gate.before_step().await?;
        self.store().clients(filter, page).await
    }

    async fn update_client(
        &self,
        id: ClientId,
        seen: &ClientSettings,
        new: ClientSettings,
    ) -> StorageResult<ClientUpdate> {
        self.gate.before_step().await?;
        let is_as_seen = self
            .store()
            .client(id)
            .await?
            .is_some_and(|client| client.settings() == *seen);
        self.gate.before_step().await?;
        match self.store().client(id).await? {
            Some(now) if is_as_seen && self.has(Fault::UpdatesClientsByCheckThenAct) => {
                self.store().update_client(id, &now.settings(), new).await
            }
            _ => self.store().update_client(id, seen, new).await,
        }
    }

    async fn delete_client(&self, id: ClientId, at: Timestamp) -> StorageResult<ClientDeletion> {
        self.gate.before_step().await?;
        self.store().delete_client(id, at).await
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.store().set_client_owner(id, owner).await
    }

    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> StorageResult<OwnerRemoval> {
        self.gate.before_step().await?;
        self.store().remove_owner(owner, at).await
    }

    async fn add_client_secret(
        &self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> StorageResult<SecretAddition> {
        self.gate.before_step().await?;
        let seen = self.newest_secret(id).await?;
        self.gate.before_step().await?;
        if self.has(Fault::AddsSecretsToWhatItSaw)
            && let Some(seen) = seen
            && self.newest_secret(id).await?.as_ref() != Some(&seen)
        {
            // Writes back the secrets that were read, with the new one.
            let _ = self.store().add_client_secret(id, seen).await?;
        }
        self.store().add_client_secret(id, secret).await
    }

    async fn remove_older_secret(&self, id: ClientId) -> StorageResult<SecretRemoval> {
        self.gate.before_step().await?;
        self.store().remove_older_secret(id).await
    }
}

impl BrokenStore {
    async fn newest_secret(&self, id: ClientId) -> StorageResult<Option<RegisteredSecret>> {
        Ok(self
            .store()
            .client(id)
            .await?
            .and_then(|client| client.secrets.last().cloned()))
    }
}
