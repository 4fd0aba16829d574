mod applications;
mod clients;
mod owners;
mod scopes;
mod usage;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{
    Application, ApplicationId, Client, ClientId, ClientSettings, Line, PageRequest, RegisteredSecret, Scope, ScopeDefinition, ScopeId,
    ScopeSet, SubjectId, Timestamp,
};
use crate::store::{
    ClientCreation, ClientDeletion, ClientFilter, ClientRegistry, ClientUpdate, Creation, GrantUsage, Issuance, OwnerRemoval, Registered,
    RegistryChange, ScopeApproval, ScopeChange, ScopeClient, ScopeCreation, ScopeUsage, SecretAddition, SecretRemoval, StorageError,
};

/// Where a change takes something from sessions and grants, their lock is taken after this one's and held together with it.
pub(super) struct Registry {
    applications: HashMap<ApplicationId, Application>,
    scopes: HashMap<Scope, ScopeDefinition>,
    by_id: HashMap<ScopeId, Scope>,
    approvals: BTreeSet<(ScopeId, ClientId)>,
    clients: HashMap<ClientId, Arc<Client>>,
}

impl Default for Registry {
    fn default() -> Self {
        let service = Application::of_the_service();
        let scopes = ScopeDefinition::of_the_service();
        Self {
            applications: HashMap::from([(service.id, service)]),
            by_id: scopes.iter().map(|definition| (definition.id, definition.scope.clone())).collect(),
            scopes: scopes.into_iter().map(|definition| (definition.scope.clone(), definition)).collect(),
            approvals: BTreeSet::new(),
            clients: HashMap::new(),
        }
    }
}

#[async_trait]
impl ClientRegistry for MemoryStore {
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError> {
        Ok(writing(&self.registry).create_application(application))
    }

    async fn register_application(&self, application: Application, at_most: u32) -> Result<Issuance, StorageError> {
        Ok(writing(&self.registry).register_application(application, at_most))
    }

    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError> {
        Ok(reading(&self.registry).applications.get(&id).cloned())
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> Result<Vec<Application>, StorageError> {
        let registry = reading(&self.registry);
        Ok(each_once(ids).filter_map(|id| registry.applications.get(id)).cloned().collect())
    }

    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Application>, StorageError> {
        Ok(reading(&self.registry).applications(owner, page))
    }

    async fn rename_application(&self, id: ApplicationId, name: Line) -> Result<RegistryChange, StorageError> {
        Ok(writing(&self.registry).rename_application(id, name))
    }

    async fn delete_application(&self, id: ApplicationId) -> Result<RegistryChange, StorageError> {
        let mut registry = writing(&self.registry);
        Ok(registry.delete_application(id, &mut writing(&self.grants)))
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError> {
        Ok(writing(&self.registry).create_scope(definition))
    }

    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> Result<ScopeCreation, StorageError> {
        Ok(writing(&self.registry).register_scope(definition, at_most))
    }

    async fn scope(&self, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError> {
        Ok(reading(&self.registry).definition(id).cloned())
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError> {
        let registry = reading(&self.registry);
        Ok(scopes.iter().filter_map(|scope| registry.scopes.get(scope)).cloned().collect())
    }

    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Result<Registered<ScopeDefinition>, StorageError> {
        Ok(reading(&self.registry).scopes(of, page))
    }

    async fn update_scope(&self, id: ScopeId, change: ScopeChange) -> Result<RegistryChange, StorageError> {
        Ok(writing(&self.registry).update_scope(id, change))
    }

    async fn delete_scope(&self, id: ScopeId) -> Result<RegistryChange, StorageError> {
        let mut registry = writing(&self.registry);
        Ok(registry.delete_scope(id, &mut writing(&self.grants)))
    }

    async fn approve_scope(&self, id: ScopeId, client: ClientId, _: Timestamp) -> Result<ScopeApproval, StorageError> {
        Ok(writing(&self.registry).approve_scope(id, client))
    }

    async fn withdraw_scope(&self, id: ScopeId, client: ClientId) -> Result<bool, StorageError> {
        let mut registry = writing(&self.registry);
        Ok(registry.withdraw_scope(id, client, &mut writing(&self.grants)))
    }

    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Result<Registered<ScopeClient>, StorageError> {
        Ok(reading(&self.registry).clients_of_scope(id, page))
    }

    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Result<Option<ScopeUsage>, StorageError> {
        let registry = reading(&self.registry);
        Ok(registry.application_usage(id, &reading(&self.grants), at))
    }

    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Result<Option<ScopeUsage>, StorageError> {
        let registry = reading(&self.registry);
        Ok(registry.scope_usage(id, &reading(&self.grants), at))
    }

    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Result<Option<GrantUsage>, StorageError> {
        let registry = reading(&self.registry);
        Ok(registry.client_usage(id, &reading(&self.grants), at))
    }

    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError> {
        Ok(writing(&self.registry).create_client(client, u32::MAX))
    }

    async fn register_client(&self, client: Client, at_most: u32) -> Result<ClientCreation, StorageError> {
        Ok(writing(&self.registry).create_client(client, at_most))
    }

    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
        Ok(reading(&self.registry).clients.get(&id).cloned())
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> Result<Vec<Arc<Client>>, StorageError> {
        let registry = reading(&self.registry);
        Ok(each_once(ids).filter_map(|id| registry.clients.get(id)).cloned().collect())
    }

    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Result<Registered<Arc<Client>>, StorageError> {
        Ok(reading(&self.registry).clients(filter, page))
    }

    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> Result<ClientUpdate, StorageError> {
        Ok(writing(&self.registry).update_client(id, seen, new))
    }

    async fn delete_client(&self, id: ClientId, at: Timestamp) -> Result<ClientDeletion, StorageError> {
        let mut registry = writing(&self.registry);
        Ok(registry.delete_client(id, &mut writing(&self.grants), at))
    }

    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Result<bool, StorageError> {
        Ok(writing(&self.registry).set_client_owner(id, owner))
    }

    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> Result<OwnerRemoval, StorageError> {
        Ok(writing(&self.registry).remove_owner(owner, at))
    }

    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> Result<SecretAddition, StorageError> {
        Ok(writing(&self.registry).add_client_secret(id, secret))
    }

    async fn remove_older_secret(&self, id: ClientId) -> Result<SecretRemoval, StorageError> {
        Ok(writing(&self.registry).remove_older_secret(id))
    }
}

/// Whether there are so many already.
fn has_enough<T>(counted: impl Iterator<Item = T>, at_most: u32) -> bool {
    counted.take(at_most as usize).count() == at_most as usize
}

/// The ids without repetitions, in their order.
fn each_once<K: Eq + Hash>(ids: &[K]) -> impl Iterator<Item = &K> {
    let mut seen = HashSet::new();
    ids.iter().filter(move |id| seen.insert(*id))
}

/// The page of these, in the order of their keys.
pub(super) fn paged<T, K: Ord>(mut all: Vec<T>, key: impl FnMut(&T) -> K, page: PageRequest) -> Registered<T> {
    all.sort_by_cached_key(key);
    let total = all.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Registered { total, items: all.into_iter().skip(before).take(page.size() as usize).collect() }
}
