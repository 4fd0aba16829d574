use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{
    Application, ApplicationId, Client, ClientId, ClientSecretUse, ClientSettings, PageRequest,
    RegisteredSecret, ScopeDefinition, ScopeId, ScopeRefusal, ScopeRequest, SubjectId, Timestamp,
};
use crate::store::sql::{
    applications, client_changes, client_secrets, clients, grant_usage, owners, scope_approvals,
    scope_requests, scopes,
};
use crate::store::{
    ApplicationPatch, ClientCreation, ClientDeletion, ClientFilter, ClientRegistry, ClientUpdate,
    Creation, GrantUsage, LimitedCreation, OwnerRemoval, Paged, RegistryChange, ScopeApproval,
    ScopeClient, ScopeCreation, ScopePatch, ScopeRequestCreation, ScopeRequestFilter, ScopeUsage,
    SecretAddition, SecretRemoval, StorageError,
};

#[async_trait]
impl ClientRegistry for SqlStore {
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError> {
        self.write("create_application", move |tx| {
            Box::pin(applications::create_application(tx, application))
        })
        .await
    }

    async fn register_application(
        &self,
        application: Application,
        limit: u32,
    ) -> Result<LimitedCreation, StorageError> {
        self.write("register_application", move |tx| {
            Box::pin(applications::register_application(tx, application, limit))
        })
        .await
    }

    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError> {
        self.read("application", move |tx| {
            Box::pin(applications::application(tx, id))
        })
        .await
    }

    async fn applications(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Application>, StorageError> {
        let owner = owner.cloned();
        self.list("applications", move |tx| {
            Box::pin(applications::applications(tx, owner, page))
        })
        .await
    }

    async fn update_application(
        &self,
        id: ApplicationId,
        change: ApplicationPatch,
    ) -> Result<RegistryChange, StorageError> {
        self.write("update_application", move |tx| {
            Box::pin(applications::update_application(tx, id, change))
        })
        .await
    }

    async fn delete_application(&self, id: ApplicationId) -> Result<RegistryChange, StorageError> {
        self.write("delete_application", move |tx| {
            Box::pin(applications::delete_application(tx, id))
        })
        .await
    }

    async fn create_scope(
        &self,
        definition: ScopeDefinition,
    ) -> Result<ScopeCreation, StorageError> {
        self.write("create_scope", move |tx| {
            Box::pin(scopes::create_scope(tx, definition))
        })
        .await
    }

    async fn register_scope(
        &self,
        definition: ScopeDefinition,
        limit: u32,
    ) -> Result<ScopeCreation, StorageError> {
        self.write("register_scope", move |tx| {
            Box::pin(scopes::register_scope(tx, definition, limit))
        })
        .await
    }

    async fn scope(&self, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError> {
        self.read("scope", move |tx| Box::pin(scopes::scope(tx, id)))
            .await
    }

    async fn scopes(
        &self,
        of: Option<ApplicationId>,
        page: PageRequest,
    ) -> Result<Paged<ScopeDefinition>, StorageError> {
        self.list("scopes", move |tx| Box::pin(scopes::scopes(tx, of, page)))
            .await
    }

    async fn update_scope(
        &self,
        id: ScopeId,
        change: ScopePatch,
    ) -> Result<RegistryChange, StorageError> {
        self.write("update_scope", move |tx| {
            Box::pin(scopes::update_scope(tx, id, change))
        })
        .await
    }

    async fn delete_scope(&self, id: ScopeId) -> Result<RegistryChange, StorageError> {
        self.write("delete_scope", move |tx| {
            Box::pin(scopes::delete_scope(tx, id))
        })
        .await
    }

    async fn approve_scope(
        &self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> Result<ScopeApproval, StorageError> {
        self.write("approve_scope", move |tx| {
            Box::pin(scope_approvals::approve_scope(tx, id, client, at))
        })
        .await
    }

    async fn revoke_scope_approval(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError> {
        self.write("revoke_scope_approval", move |tx| {
            Box::pin(scope_approvals::revoke_scope_approval(tx, id, client))
        })
        .await
    }

    async fn clients_of_scope(
        &self,
        id: ScopeId,
        page: PageRequest,
    ) -> Result<Paged<ScopeClient>, StorageError> {
        self.list("clients_of_scope", move |tx| {
            Box::pin(scope_approvals::clients_of_scope(tx, id, page))
        })
        .await
    }

    async fn request_scope(
        &self,
        request: ScopeRequest,
        limit: u32,
    ) -> Result<ScopeRequestCreation, StorageError> {
        self.write("request_scope", move |tx| {
            Box::pin(scope_requests::request_scope(tx, request, limit))
        })
        .await
    }

    async fn scope_requests(
        &self,
        filter: ScopeRequestFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<ScopeRequest>, StorageError> {
        let selection = match filter {
            ScopeRequestFilter::Waiting => scope_requests::Selection::Waiting,
            ScopeRequestFilter::WaitingFor(owner) => {
                scope_requests::Selection::WaitingFor(owner.clone())
            }
            ScopeRequestFilter::Of(client) => scope_requests::Selection::Of(client),
            ScopeRequestFilter::OfClientsOf(owner) => {
                scope_requests::Selection::OfClientsOf(owner.clone())
            }
        };
        self.list("scope_requests", move |tx| {
            Box::pin(scope_requests::scope_requests(tx, selection, page))
        })
        .await
    }

    async fn refuse_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        refusal: ScopeRefusal,
    ) -> Result<bool, StorageError> {
        self.write("refuse_scope_request", move |tx| {
            Box::pin(scope_requests::refuse(tx, id, client, refusal))
        })
        .await
    }

    async fn approve_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        asked_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        self.write("approve_scope_request", move |tx| {
            Box::pin(scope_requests::approve(tx, (id, client), asked_at, at))
        })
        .await
    }

    async fn withdraw_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError> {
        self.write("withdraw_scope_request", move |tx| {
            Box::pin(scope_requests::withdraw(tx, id, client))
        })
        .await
    }

    async fn application_usage(
        &self,
        id: ApplicationId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError> {
        self.list("application_usage", move |tx| {
            Box::pin(grant_usage::application_usage(tx, id, at))
        })
        .await
    }

    async fn scope_usage(
        &self,
        id: ScopeId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError> {
        self.list("scope_usage", move |tx| {
            Box::pin(grant_usage::scope_usage(tx, id, at))
        })
        .await
    }

    async fn usage_of_clients(
        &self,
        ids: &[ClientId],
        at: Timestamp,
    ) -> Result<BTreeMap<ClientId, GrantUsage>, StorageError> {
        let ids = ids.to_vec();
        self.list("usage_of_clients", move |tx| {
            Box::pin(grant_usage::usage_of_clients(tx, ids, at))
        })
        .await
    }

    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError> {
        self.write("create_client", move |tx| {
            Box::pin(client_changes::create_client(tx, client, u32::MAX))
        })
        .await
    }

    async fn register_client(
        &self,
        client: Client,
        limit: u32,
    ) -> Result<ClientCreation, StorageError> {
        self.write("register_client", move |tx| {
            Box::pin(client_changes::create_client(tx, client, limit))
        })
        .await
    }

    async fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<Arc<Client>>, StorageError> {
        let selection = clients::selected_by(filter);
        self.list("clients", move |tx| {
            Box::pin(clients::clients(tx, selection, page))
        })
        .await
    }

    async fn update_client(
        &self,
        id: ClientId,
        expected: &ClientSettings,
        new: ClientSettings,
    ) -> Result<ClientUpdate, StorageError> {
        let expected = expected.clone();
        self.write("update_client", move |tx| {
            Box::pin(client_changes::update_client(tx, id, expected, new))
        })
        .await
    }

    async fn delete_client(
        &self,
        id: ClientId,
        at: Timestamp,
    ) -> Result<ClientDeletion, StorageError> {
        self.write("delete_client", move |tx| {
            Box::pin(client_changes::delete_client(tx, id, at))
        })
        .await
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Result<bool, StorageError> {
        self.write("set_client_owner", move |tx| {
            Box::pin(owners::set_client_owner(tx, id, owner))
        })
        .await
    }

    async fn remove_owner(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<OwnerRemoval, StorageError> {
        let owner = owner.clone();
        self.write("remove_owner", move |tx| {
            Box::pin(owners::remove_owner(tx, owner, at))
        })
        .await
    }

    async fn add_client_secret(
        &self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> Result<SecretAddition, StorageError> {
        self.write("add_client_secret", move |tx| {
            Box::pin(client_secrets::add_client_secret(tx, id, secret))
        })
        .await
    }

    async fn remove_older_secret(&self, id: ClientId) -> Result<SecretRemoval, StorageError> {
        self.write("remove_older_secret", move |tx| {
            Box::pin(client_secrets::remove_older_secret(tx, id))
        })
        .await
    }

    async fn record_client_secret_usage(
        &self,
        uses: Vec<ClientSecretUse>,
    ) -> Result<(), StorageError> {
        self.write("record_client_secret_usage", move |tx| {
            Box::pin(client_secrets::record_client_secret_usage(tx, uses))
        })
        .await
    }
}
