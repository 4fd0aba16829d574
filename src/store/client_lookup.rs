use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{Application, ApplicationId, Client, ClientId, ScopeDefinition, ScopeSet};

/// Looks up the clients, scopes and applications that requests of the protocol name.
///
/// A host that keeps its clients elsewhere, such as in a file, implements these three methods;
/// [`ClientRegistry`](super::ClientRegistry) adds their management.
///
/// Every store contains [`Application::built_in`] and [`ScopeDefinition::built_in`] from the start.
/// A scope that is deleted, or taken from a client, is also removed from sessions and grants:
/// `ClientRegistry` describes how. Without that layer, grants keep a scope that the host deletes,
/// and tokens have only what [`scope_definitions`](Self::scope_definitions) still finds. With that
/// layer only its own deletions count, not those of a host that answers look-ups itself.
///
/// # With the grants in another store
/// [`approve_session`](super::GrantStore::approve_session) of `MemoryStore` and `SqlStore` grants
/// only scopes that are in their own tables, and silently leaves out the others. A host that
/// delegates its [`GrantStore`](super::GrantStore) to one of them also creates its applications and
/// scopes there, with `ClientRegistry`. With the layer of management, its look-ups also find what
/// users create there. It does not delegate `records_for_code_exchange` and
/// `records_for_refresh`, which would look for the client in those tables.
#[async_trait]
pub trait ClientLookup: Debug + Send + Sync + 'static {
    /// Returns the client with this id.
    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError>;

    /// Returns the definitions of these scopes, in their order. Scopes that do not exist are left
    /// out.
    async fn scope_definitions(
        &self,
        scopes: &ScopeSet,
    ) -> Result<Vec<ScopeDefinition>, StorageError>;

    /// Returns the applications with these ids, each once and in the order of the ids. Ids that do
    /// not exist are left out.
    async fn applications_by_id(
        &self,
        ids: &[ApplicationId],
    ) -> Result<Vec<Application>, StorageError>;

    /// Returns the clients with these ids, each once and in the order of the ids. Ids that do not
    /// exist are left out. By default one look-up after the other.
    async fn clients_by_id(&self, ids: &[ClientId]) -> Result<Vec<Arc<Client>>, StorageError> {
        let mut found: Vec<Arc<Client>> = Vec::new();
        for id in ids {
            if found.iter().all(|known| known.id != *id) {
                found.extend(self.client(*id).await?);
            }
        }
        Ok(found)
    }
}
