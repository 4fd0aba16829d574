use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(ClientLookup for BrokenStore);
delegate!(
    ClientRegistry for BrokenStore, except
    register_application, create_scope, update_scope, update_client, add_client_secret
);

impl BrokenStore {
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

    async fn update_scope(&self, id: ScopeId, change: ScopePatch) -> StorageResult<RegistryChange> {
        self.gate.before_step().await?;
        let seen = self.store().scope(id).await?;
        self.gate.before_step().await?;
        let change = match seen {
            Some(seen) if self.has(Fault::WritesWholeScopesBack) => ScopePatch {
                description: change.description.or(Some(seen.description)),
                approval_required: change.approval_required.or(Some(seen.approval_required)),
                ..change
            },
            _ => change,
        };
        self.store().update_scope(id, change).await
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
