use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{Creation, StorageError};
use crate::domain::{Application, ApplicationId, Client, ClientFault, ClientId, Scope, ScopeDefinition, ScopeSet};

/// Keeps applications, the scopes they define, and OAuth clients.
///
/// Every store holds [`Application::of_the_service`] and [`ScopeDefinition::of_the_service`] from the start.
#[async_trait]
pub trait ClientRegistry: Debug + Send + Sync + 'static {
    /// Keeps a new application, unless its id is taken.
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError>;

    /// The application with this id.
    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError>;

    /// Keeps a new scope of an application that exists, unless the application has a scope of that name. The definition's
    /// `application_name` is not kept: it is the application's.
    async fn create_scope(&self, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError>;

    /// The definitions of these scopes, in their order. Those that do not exist are left out.
    async fn scope_definitions(&self, scopes: &ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError>;

    /// Keeps a new client, unless it breaks a rule of [`Client::check`], its id is taken, or one of its allowed scopes does not exist.
    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError>;

    /// The client with this id.
    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError>;
}

/// What became of a new scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ScopeCreation {
    /// It is kept from now on.
    Created,
    /// The application has a scope of that name, or the id is taken.
    NameTaken,
    /// There is no such application.
    UnknownApplication,
}

/// What became of a new client.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ClientCreation {
    /// It is kept from now on.
    Created,
    /// It breaks this rule.
    Refused(ClientFault),
    /// The id is taken.
    Taken,
    /// This scope does not exist.
    UnknownScope(Scope),
}
