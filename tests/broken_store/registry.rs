use std::collections::BTreeMap;
use std::sync::Arc;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(ClientLookup for BrokenStore, except client);
delegate!(
    ClientRegistry for BrokenStore, except
    register_application, create_scope, register_scope, scope_usage, usage_of_clients,
    register_client,
    scope, update_scope, delete_scope, approve_scope, revoke_scope_approval,
    clients, update_client, delete_client, add_client_secret, remove_older_secret
);

impl BrokenStore {
    async fn register_application(
        &self,
        application: Application,
        at_most: u32,
    ) -> StorageResult<LimitedCreation> {
        self.store
            .register_application(application, self.counted(at_most))
            .await
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> StorageResult<ScopeCreation> {
        let creating = self.store.create_scope(definition);
        if self.has(Fault::SelectsThenInsertsScopes) {
            return self
                .act_after_check(creating, |creation| *creation == ScopeCreation::Created)
                .await;
        }
        creating.await
    }

    async fn register_scope(
        &self,
        definition: ScopeDefinition,
        at_most: u32,
    ) -> StorageResult<ScopeCreation> {
        self.store
            .register_scope(definition, self.counted(at_most))
            .await
    }

    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> StorageResult<Option<ScopeUsage>> {
        let mut usage = self.store.scope_usage(id, at).await?;
        if let (true, Some(usage)) = (
            self.has(Fault::CountsOnlyGrantsOfListingClients),
            &mut usage,
        ) {
            let mut grants = GrantUsage::default();
            for client in &usage.clients.items {
                let of_client = self.store.client_usage(client.id, at).await?;
                grants.live += of_client.live;
                grants.last_granted_at = grants.last_granted_at.max(of_client.last_granted_at);
            }
            usage.grants = grants;
        }
        Ok(usage)
    }

    async fn usage_of_clients(
        &self,
        ids: &[ClientId],
        at: Timestamp,
    ) -> StorageResult<BTreeMap<ClientId, GrantUsage>> {
        let ids = match self.has(Fault::ReadsTheUsageOfOneClient) {
            true => &ids[..ids.len().min(1)],
            false => ids,
        };
        self.store.usage_of_clients(ids, at).await
    }

    async fn register_client(&self, client: Client, at_most: u32) -> StorageResult<ClientCreation> {
        self.store
            .register_client(client, self.counted(at_most))
            .await
    }

    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>> {
        let found = self
            .store
            .client(id)
            .await?
            .filter(|client| self.gone::<ClientId>().is_none_or(|gone| gone != client.id));
        Ok(found.map(|client| match self.gone::<Scope>() {
            Some(gone) => Arc::new(Client {
                allowed_scopes: client.allowed_scopes.without(&gone),
                ..Client::clone(&client)
            }),
            None => match self.gone::<RegisteredSecret>() {
                Some(oldest) => Arc::new(Client {
                    secrets: [&[oldest], &client.secrets[..]].concat(),
                    ..Client::clone(&client)
                }),
                None => client,
            },
        }))
    }

    async fn scope(&self, id: ScopeId) -> StorageResult<Option<ScopeDefinition>> {
        let found = self.store.scope(id).await?;
        Ok(found.filter(|definition| {
            self.gone::<Scope>()
                .is_none_or(|gone| gone != definition.scope)
        }))
    }

    async fn update_scope(&self, id: ScopeId, change: ScopePatch) -> StorageResult<RegistryChange> {
        if self.has(Fault::WritesWholeScopesBack) {
            let seen = self.store.scope(id).await?.expect("the scope exists");
            self.everybody.wait();
            let description = change.description.or(Some(seen.description));
            let approval_required = change.approval_required.or(Some(seen.approval_required));
            return self
                .store
                .update_scope(
                    id,
                    ScopePatch {
                        description,
                        approval_required,
                        ..change
                    },
                )
                .await;
        }
        let open = self.has(Fault::OpensScopesThatAreDescribed) && change.description.is_some();
        let approval_required = if open {
            change.approval_required.or(Some(false))
        } else {
            change.approval_required
        };
        self.store
            .update_scope(
                id,
                ScopePatch {
                    approval_required,
                    ..change
                },
            )
            .await
    }

    async fn delete_scope(&self, id: ScopeId) -> StorageResult<RegistryChange> {
        let scope = self
            .store
            .scope(id)
            .await?
            .map(|definition| definition.scope);
        if self.has(Fault::ForgetsGrantsWhenAScopeGoes) && scope.is_some() {
            *self.first.lock().unwrap() = scope.map(|scope| Box::new(scope) as _);
            return Ok(RegistryChange::Done);
        }
        if self.has(Fault::LeavesDeletedScopesOnLists) {
            return Ok(RegistryChange::Done);
        }
        self.store.delete_scope(id).await
    }

    async fn approve_scope(
        &self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> StorageResult<ScopeApproval> {
        if self.has(Fault::ForgetsApprovals) {
            return Ok(ScopeApproval::Approved);
        }
        self.store.approve_scope(id, client, at).await
    }

    async fn revoke_scope_approval(&self, id: ScopeId, client: ClientId) -> StorageResult<bool> {
        if self.has(Fault::WithdrawsScopesFromEverybody) {
            for other in self
                .store
                .clients(ClientFilter::All, PageRequest::new(0, 9).unwrap())
                .await?
                .items
            {
                self.store.revoke_scope_approval(id, other.id).await?;
            }
            return Ok(true);
        }
        self.store.revoke_scope_approval(id, client).await
    }

    async fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> StorageResult<Paged<Arc<Client>>> {
        if self.has(Fault::ListsEverybodyForReview) && filter == ClientFilter::AwaitingReview {
            return self.store.clients(ClientFilter::All, page).await;
        }
        self.store.clients(filter, page).await
    }

    async fn update_client(
        &self,
        id: ClientId,
        seen: &ClientSettings,
        new: ClientSettings,
    ) -> StorageResult<ClientUpdate> {
        if self.has(Fault::VerifiesWhatNobodyReviewed) && new.verification != seen.verification {
            // Ignores the expected settings.
            let kept = self.store.client(id).await?.map(|client| client.settings());
            return self
                .store
                .update_client(id, &kept.unwrap_or_else(|| seen.clone()), new)
                .await;
        }
        if self.has(Fault::VerifiesWhatItIsGiven) {
            // Compares the settings without the verification.
            let kept = self
                .store
                .client(id)
                .await?
                .map(|client| client.verification.clone());
            let seen = ClientSettings {
                verification: kept.unwrap_or(Verification::Unverified),
                ..seen.clone()
            };
            return self.store.update_client(id, &seen, new).await;
        }
        let updating = self.store.update_client(id, seen, new);
        if self.has(Fault::UpdatesClientsByCheckThenAct) {
            return self
                .act_after_check(updating, |update| *update == ClientUpdate::Updated)
                .await;
        }
        updating.await
    }

    async fn delete_client(&self, id: ClientId, at: Timestamp) -> StorageResult<ClientDeletion> {
        if self.has(Fault::DeletesClientsButNotTheirGrants) {
            *self.first.lock().unwrap() = Some(Box::new(id));
            return Ok(if self.store.client(id).await?.is_some() {
                ClientDeletion::Deleted
            } else {
                ClientDeletion::NotFound
            });
        }
        if self.has(Fault::DeletesTheLastFirstParty)
            && let Some(client) = self.store.client(id).await?
            && client.first_party
        {
            // Beside another client, none is the last.
            let beside = Client {
                id: ClientId::from_random([200; 16]),
                ..Client::clone(&client)
            };
            let _: ClientCreation = self.store.create_client(beside).await?;
        }
        self.store.delete_client(id, at).await
    }

    async fn add_client_secret(
        &self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> StorageResult<SecretAddition> {
        if self.has(Fault::KeepsThreeSecrets)
            && let Some(client) = self.store.client(id).await?
            && let [oldest, _] = &client.secrets[..]
        {
            *self.first.lock().unwrap() = Some(Box::new(oldest.clone()));
        }
        if !self.has(Fault::AddsSecretsByReadThenWrite) {
            return self.store.add_client_secret(id, secret).await;
        }
        // All callers have read the secrets, and each writes them back with its own, as if the
        // others had not.
        self.everybody.wait();
        let is_last = self.first.lock().unwrap().replace(Box::new(())).is_none();
        if is_last {
            let _ = self.store.add_client_secret(id, secret).await?;
        }
        self.everybody.wait();
        Ok(SecretAddition::Added)
    }

    async fn remove_older_secret(&self, id: ClientId) -> StorageResult<SecretRemoval> {
        let removing = self.store.remove_older_secret(id);
        if self.has(Fault::RemovesSecretsByCheckThenAct) {
            return self
                .act_after_check(removing, |removal| *removal == SecretRemoval::Removed)
                .await;
        }
        removing.await
    }
}
