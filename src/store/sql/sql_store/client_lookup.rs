use std::sync::Arc;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{Application, ApplicationId, Client, ClientId, ScopeDefinition, ScopeSet};
use crate::store::sql::{applications, clients, scopes};
use crate::store::{ClientLookup, StorageError};

#[async_trait]
impl ClientLookup for SqlStore {
    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError> {
        self.read("client", move |tx| Box::pin(clients::client(tx, id)))
            .await
    }

    async fn scope_definitions(
        &self,
        scopes: &ScopeSet,
    ) -> Result<Vec<ScopeDefinition>, StorageError> {
        let scopes = scopes.clone();
        self.read("scope_definitions", move |tx| {
            Box::pin(scopes::scope_definitions(tx, scopes))
        })
        .await
    }

    async fn applications_by_id(
        &self,
        ids: &[ApplicationId],
    ) -> Result<Vec<Application>, StorageError> {
        let ids = ids.to_vec();
        self.read("applications_by_id", move |tx| {
            Box::pin(applications::applications_by_id(tx, ids))
        })
        .await
    }

    async fn clients_by_id(&self, ids: &[ClientId]) -> Result<Vec<Arc<Client>>, StorageError> {
        let ids = ids.to_vec();
        self.read("clients_by_id", move |tx| {
            Box::pin(clients::clients_by_id(tx, ids))
        })
        .await
    }
}
