//! The store of a host that keeps its applications, scopes and clients itself, and that has only the
//! methods of the protocol.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use lyceum::testing::conformance::ProtocolFixtures;

type StorageResult<T> = Result<T, StorageError>;

/// What the host configures.
#[derive(Debug)]
struct Records {
    applications: Vec<Application>,
    scopes: Vec<ScopeDefinition>,
    clients: Vec<Arc<Client>>,
}

#[derive(Debug, Clone)]
pub struct HostClients(Arc<Mutex<Records>>);

impl HostClients {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(Records {
            applications: vec![Application::built_in()],
            scopes: ScopeDefinition::built_in().into(),
            clients: Vec::new(),
        })))
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.0.lock().unwrap()
    }
}

#[async_trait]
impl ProtocolFixtures for HostClients {
    async fn create_application(&self, application: Application) {
        self.records().applications.push(application);
    }

    async fn create_scope(&self, scope: ScopeDefinition) {
        self.records().scopes.push(scope);
    }

    async fn create_client(&self, client: Client) {
        self.records().clients.push(Arc::new(client));
    }
}

/// The clients of the host, and tables for the rest.
#[derive(Debug)]
pub struct HostStore {
    pub clients: HostClients,
    pub tables: Arc<MemoryStore>,
}

#[async_trait]
impl ClientLookup for HostStore {
    async fn client(&self, id: ClientId) -> StorageResult<Option<Arc<Client>>> {
        let records = self.clients.records();
        Ok(records.clients.iter().find(|known| known.id == id).cloned())
    }

    async fn scope_definitions(&self, scopes: &ScopeSet) -> StorageResult<Vec<ScopeDefinition>> {
        let known = &self.clients.records().scopes;
        let find = |scope: &Scope| known.iter().find(|known| known.scope == *scope).cloned();
        Ok(scopes.iter().filter_map(find).collect())
    }

    async fn applications_by_id(&self, ids: &[ApplicationId]) -> StorageResult<Vec<Application>> {
        let known = &self.clients.records().applications;
        let mut found: Vec<Application> = Vec::new();
        for id in ids {
            if found.iter().all(|found| found.id != *id) {
                found.extend(known.iter().find(|known| known.id == *id).cloned());
            }
        }
        Ok(found)
    }
}

/// Leaves all other methods to the tables.
impl HostStore {
    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        Ok(&self.tables)
    }
}

impl StoreClock for HostStore {}

delegate!(GrantStore for HostStore);
delegate!(SigningKeyStore for HostStore);
