mod applications;
mod clients;
mod grant_usage;
mod owners;
mod scope_requests;
mod scopes;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use crate::domain::{
    Application, ApplicationId, Client, ClientId, ClientSecretUse, ClientSettings, PageRequest,
    RegisteredSecret, Scope, ScopeDefinition, ScopeId, ScopeRefusal, ScopeRequest, ScopeSet,
    SubjectId, Timestamp,
};
use crate::store::{
    ApplicationPatch, ClientCreation, ClientDeletion, ClientFilter, ClientLookup, ClientRegistry,
    ClientUpdate, Creation, GrantUsage, LimitedCreation, OwnerRemoval, Paged, RegistryChange,
    ScopeApproval, ScopeClient, ScopeCreation, ScopePatch, ScopeRequestCreation,
    ScopeRequestFilter, ScopeUsage, SecretAddition, SecretRemoval, StorageError,
};

/// Applications, scopes and clients. A change that also affects sessions and grants takes their
/// lock after this one and holds both.
pub(super) struct Registry {
    applications: HashMap<ApplicationId, Application>,
    scopes: HashMap<Scope, ScopeDefinition>,
    scopes_by_id: HashMap<ScopeId, Scope>,
    /// The clients that are approved for scopes, and since when.
    approvals: BTreeMap<(ScopeId, ClientId), Timestamp>,
    requests: BTreeMap<(ScopeId, ClientId), ScopeRequest>,
    clients: HashMap<ClientId, Arc<Client>>,
}

impl Default for Registry {
    fn default() -> Self {
        let service = Application::built_in();
        let scopes = ScopeDefinition::built_in();
        Self {
            applications: HashMap::from([(service.id, service)]),
            scopes_by_id: scopes
                .iter()
                .map(|definition| (definition.id, definition.scope.clone()))
                .collect(),
            scopes: scopes
                .into_iter()
                .map(|definition| (definition.scope.clone(), definition))
                .collect(),
            approvals: BTreeMap::new(),
            requests: BTreeMap::new(),
            clients: HashMap::new(),
        }
    }
}

#[async_trait]
impl ClientLookup for MemoryStore {
    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
        Ok(read_lock(&self.registry).clients.get(&id).cloned())
    }

    async fn scope_definitions(
        &self,
        scopes: &ScopeSet,
    ) -> Result<Vec<ScopeDefinition>, StorageError> {
        let registry = read_lock(&self.registry);
        Ok(scopes
            .iter()
            .filter_map(|scope| registry.scopes.get(scope))
            .cloned()
            .collect())
    }

    async fn applications_by_id(
        &self,
        ids: &[ApplicationId],
    ) -> Result<Vec<Application>, StorageError> {
        let registry = read_lock(&self.registry);
        Ok(deduplicated(ids)
            .filter_map(|id| registry.applications.get(id))
            .cloned()
            .collect())
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> Result<Vec<Arc<Client>>, StorageError> {
        let registry = read_lock(&self.registry);
        Ok(deduplicated(ids)
            .filter_map(|id| registry.clients.get(id))
            .cloned()
            .collect())
    }
}

#[async_trait]
impl ClientRegistry for MemoryStore {
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError> {
        Ok(write_lock(&self.registry).create_application(application))
    }

    async fn register_application(
        &self,
        application: Application,
        limit: u32,
    ) -> Result<LimitedCreation, StorageError> {
        Ok(write_lock(&self.registry).register_application(application, limit))
    }

    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError> {
        Ok(read_lock(&self.registry).applications.get(&id).cloned())
    }

    async fn applications(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Application>, StorageError> {
        Ok(read_lock(&self.registry).applications(owner, page))
    }

    async fn update_application(
        &self,
        id: ApplicationId,
        change: ApplicationPatch,
    ) -> Result<RegistryChange, StorageError> {
        Ok(write_lock(&self.registry).update_application(id, change))
    }

    async fn delete_application(&self, id: ApplicationId) -> Result<RegistryChange, StorageError> {
        let mut registry = write_lock(&self.registry);
        Ok(registry.delete_application(id, &mut write_lock(&self.grants)))
    }

    async fn create_scope(
        &self,
        definition: ScopeDefinition,
    ) -> Result<ScopeCreation, StorageError> {
        Ok(write_lock(&self.registry).create_scope(definition))
    }

    async fn register_scope(
        &self,
        definition: ScopeDefinition,
        limit: u32,
    ) -> Result<ScopeCreation, StorageError> {
        Ok(write_lock(&self.registry).register_scope(definition, limit))
    }

    async fn scope(&self, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError> {
        Ok(read_lock(&self.registry).definition(id).cloned())
    }

    async fn scopes(
        &self,
        of: Option<ApplicationId>,
        page: PageRequest,
    ) -> Result<Paged<ScopeDefinition>, StorageError> {
        Ok(read_lock(&self.registry).scopes(of, page))
    }

    async fn update_scope(
        &self,
        id: ScopeId,
        change: ScopePatch,
    ) -> Result<RegistryChange, StorageError> {
        Ok(write_lock(&self.registry).update_scope(id, change))
    }

    async fn delete_scope(&self, id: ScopeId) -> Result<RegistryChange, StorageError> {
        let mut registry = write_lock(&self.registry);
        Ok(registry.delete_scope(id, &mut write_lock(&self.grants)))
    }

    async fn approve_scope(
        &self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> Result<ScopeApproval, StorageError> {
        Ok(write_lock(&self.registry).approve_scope(id, client, at))
    }

    async fn revoke_scope_approval(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError> {
        let mut registry = write_lock(&self.registry);
        Ok(registry.revoke_scope_approval(id, client, &mut write_lock(&self.grants)))
    }

    async fn clients_of_scope(
        &self,
        id: ScopeId,
        page: PageRequest,
    ) -> Result<Paged<ScopeClient>, StorageError> {
        Ok(read_lock(&self.registry).clients_of_scope(id, page))
    }

    async fn request_scope(
        &self,
        request: ScopeRequest,
        limit: u32,
    ) -> Result<ScopeRequestCreation, StorageError> {
        Ok(write_lock(&self.registry).request_scope(request, limit))
    }

    async fn scope_requests(
        &self,
        filter: ScopeRequestFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<ScopeRequest>, StorageError> {
        Ok(read_lock(&self.registry).scope_requests(filter, page))
    }

    async fn refuse_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        refusal: ScopeRefusal,
    ) -> Result<bool, StorageError> {
        Ok(write_lock(&self.registry).refuse_scope_request(id, client, refusal))
    }

    async fn approve_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        asked_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        Ok(write_lock(&self.registry).approve_scope_request(id, client, asked_at, at))
    }

    async fn withdraw_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError> {
        Ok(write_lock(&self.registry).withdraw_scope_request(id, client))
    }

    async fn application_usage(
        &self,
        id: ApplicationId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError> {
        let registry = read_lock(&self.registry);
        Ok(registry.application_usage(id, &read_lock(&self.grants), at))
    }

    async fn scope_usage(
        &self,
        id: ScopeId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError> {
        let registry = read_lock(&self.registry);
        Ok(registry.scope_usage(id, &read_lock(&self.grants), at))
    }

    async fn usage_of_clients(
        &self,
        ids: &[ClientId],
        at: Timestamp,
    ) -> Result<BTreeMap<ClientId, GrantUsage>, StorageError> {
        let grants = read_lock(&self.grants);
        Ok(grant_usage::by_client(
            deduplicated(ids).flat_map(|id| grants.live_by_client(*id, at)),
        ))
    }

    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError> {
        Ok(write_lock(&self.registry).create_client(client, u32::MAX))
    }

    async fn register_client(
        &self,
        client: Client,
        limit: u32,
    ) -> Result<ClientCreation, StorageError> {
        Ok(write_lock(&self.registry).create_client(client, limit))
    }

    async fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<Arc<Client>>, StorageError> {
        Ok(read_lock(&self.registry).clients(filter, page))
    }

    async fn update_client(
        &self,
        id: ClientId,
        expected: &ClientSettings,
        new: ClientSettings,
    ) -> Result<ClientUpdate, StorageError> {
        Ok(write_lock(&self.registry).update_client(id, expected, new))
    }

    async fn delete_client(
        &self,
        id: ClientId,
        at: Timestamp,
    ) -> Result<ClientDeletion, StorageError> {
        let mut registry = write_lock(&self.registry);
        Ok(registry.delete_client(id, &mut write_lock(&self.grants), at))
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Result<bool, StorageError> {
        Ok(write_lock(&self.registry).set_client_owner(id, owner))
    }

    async fn remove_owner(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<OwnerRemoval, StorageError> {
        Ok(write_lock(&self.registry).remove_owner(owner, at))
    }

    async fn add_client_secret(
        &self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> Result<SecretAddition, StorageError> {
        Ok(write_lock(&self.registry).add_client_secret(id, secret))
    }

    async fn remove_older_secret(&self, id: ClientId) -> Result<SecretRemoval, StorageError> {
        Ok(write_lock(&self.registry).remove_older_secret(id))
    }

    async fn record_client_secret_usage(
        &self,
        uses: Vec<ClientSecretUse>,
    ) -> Result<(), StorageError> {
        let mut registry = write_lock(&self.registry);
        for used in uses {
            registry.touch_secret(used);
        }
        Ok(())
    }
}

/// Whether the limit is reached.
fn is_at_limit<T>(counted: impl Iterator<Item = T>, limit: u32) -> bool {
    counted.take(limit as usize).count() == limit as usize
}

/// The ids without repetitions, in their order.
pub(super) fn deduplicated<K: Eq + Hash>(ids: &[K]) -> impl Iterator<Item = &K> {
    let mut seen = HashSet::new();
    ids.iter().filter(move |id| seen.insert(*id))
}

/// Sorts by key and returns the requested page.
pub(super) fn paginate<T, K: Ord>(
    mut all: Vec<T>,
    key: impl FnMut(&T) -> K,
    page: PageRequest,
) -> Paged<T> {
    all.sort_by_cached_key(key);
    let total = all.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Paged {
        total,
        items: all
            .into_iter()
            .skip(before)
            .take(page.size() as usize)
            .collect(),
    }
}
