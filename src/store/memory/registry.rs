use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{Application, ApplicationId, Client, ClientId, Scope, ScopeDefinition, ScopeId, ScopeSet};
use crate::store::{ClientCreation, ClientRegistry, Creation, ScopeCreation, StorageError};

pub(super) struct Registry {
    applications: HashMap<ApplicationId, Application>,
    scopes: HashMap<Scope, ScopeDefinition>,
    scope_ids: HashSet<ScopeId>,
    clients: HashMap<ClientId, Arc<Client>>,
}

impl Default for Registry {
    fn default() -> Self {
        let service = Application::of_the_service();
        let scopes = ScopeDefinition::of_the_service();
        Self {
            applications: HashMap::from([(service.id, service)]),
            scope_ids: scopes.iter().map(|definition| definition.id).collect(),
            scopes: scopes.into_iter().map(|definition| (definition.scope.clone(), definition)).collect(),
            clients: HashMap::new(),
        }
    }
}

#[async_trait]
impl ClientRegistry for MemoryStore {
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError> {
        let mut registry = writing(&self.registry);
        if registry.applications.contains_key(&application.id) {
            return Ok(Creation::Taken);
        }
        registry.applications.insert(application.id, application);
        Ok(Creation::Created)
    }

    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError> {
        Ok(reading(&self.registry).applications.get(&id).cloned())
    }

    async fn create_scope(&self, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError> {
        let mut registry = writing(&self.registry);
        let Some(application) = registry.applications.get(&definition.scope.application) else {
            return Ok(ScopeCreation::UnknownApplication);
        };
        if registry.scopes.contains_key(&definition.scope) || registry.scope_ids.contains(&definition.id) {
            return Ok(ScopeCreation::NameTaken);
        }
        let definition = ScopeDefinition { application_name: application.name.clone(), ..definition };
        registry.scope_ids.insert(definition.id);
        registry.scopes.insert(definition.scope.clone(), definition);
        Ok(ScopeCreation::Created)
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError> {
        let registry = reading(&self.registry);
        Ok(scopes.iter().filter_map(|scope| registry.scopes.get(scope)).cloned().collect())
    }

    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError> {
        if let Err(fault) = client.check() {
            return Ok(ClientCreation::Refused(fault));
        }
        let mut registry = writing(&self.registry);
        if registry.clients.contains_key(&client.id) {
            return Ok(ClientCreation::Taken);
        }
        if let Some(unknown) = client.allowed_scopes.iter().find(|scope| !registry.scopes.contains_key(scope)) {
            return Ok(ClientCreation::UnknownScope(unknown.clone()));
        }
        registry.clients.insert(client.id, Arc::new(client));
        Ok(ClientCreation::Created)
    }

    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
        Ok(reading(&self.registry).clients.get(&id).cloned())
    }
}
