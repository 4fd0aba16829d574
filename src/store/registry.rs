use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{
    ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Creation, GrantUsage, Issuance, OwnerRemoval, Registered, RegistryChange,
    ScopeApproval, ScopeChange, ScopeClient, ScopeCreation, ScopeUsage, SecretAddition, SecretRemoval, StorageError,
};
use crate::domain::{
    Application, ApplicationId, Client, ClientId, ClientSettings, Line, PageRequest, RegisteredSecret, ScopeDefinition, ScopeId, ScopeSet,
    SubjectId, Timestamp,
};

/// Keeps applications, the scopes they define, and OAuth clients.
///
/// Every store holds [`Application::of_the_service`] and [`ScopeDefinition::of_the_service`] from the start, and lets nobody change them.
///
/// # What goes takes along what names it
///
/// A scope that goes is taken out of all that was to be had with it, in one transition: clients' allowed lists, pending
/// sessions and then grants and consents, in this order, for an approval turns a session into both. A session or grant with no scope left
/// stays, and whoever wants tokens of it is told so. A session that is opened later with such a scope has it, so whoever opens one asks the
/// client's list.
///
/// # Who may
///
/// A store does not ask who calls. Ids are never used twice, and owners change only where an administrator gives a client away
/// ([`set_client_owner`](Self::set_client_owner)) or an owner leaves ([`remove_owner`](Self::remove_owner)), so whoever has read a record and
/// found its owner may act on that in the same request. What could be lost between a reading and a writing is somebody else's change: a client is therefore updated only from the
/// settings that were seen, its verification among them, and the parts of a scope are changed one by one.
#[async_trait]
pub trait ClientRegistry: Debug + Send + Sync + 'static {
    /// Keeps a new application, unless its id is taken.
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError>;

    /// Keeps a new application as [`create_application`](Self::create_application) does, unless its owner has `at_most` already. However many
    /// calls come at once, an owner never gets more.
    async fn register_application(&self, application: Application, at_most: u32) -> Result<Issuance, StorageError>;

    /// The application with this id.
    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError>;

    /// The applications with these ids, each once and in the order in which they were asked for. Those that do not exist are left out.
    async fn applications_by_id(&self, ids: &[ApplicationId]) -> Result<Vec<Application>, StorageError>;

    /// The applications of an owner, or all, in the order in which they were registered and then of their ids as text.
    async fn applications(&self, owner: Option<&SubjectId>, page: PageRequest) -> Result<Registered<Application>, StorageError>;

    /// Gives an application another name.
    async fn rename_application(&self, id: ApplicationId, name: Line) -> Result<RegistryChange, StorageError>;

    /// Removes an application with its scopes, and takes those from whoever has them.
    async fn delete_application(&self, id: ApplicationId) -> Result<RegistryChange, StorageError>;

    /// Keeps a new scope of an application that exists, unless the application has a scope of that name. The definition's
    /// `application_name` is not kept: it is the application's.
    async fn create_scope(&self, definition: ScopeDefinition) -> Result<ScopeCreation, StorageError>;

    /// Keeps a new scope as [`create_scope`](Self::create_scope) does, unless its application has `at_most` already, however many calls come
    /// at once.
    async fn register_scope(&self, definition: ScopeDefinition, at_most: u32) -> Result<ScopeCreation, StorageError>;

    /// The scope with this id.
    async fn scope(&self, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError>;

    /// The definitions of these scopes, in their order. Those that do not exist are left out.
    async fn scope_definitions(&self, scopes: &ScopeSet) -> Result<Vec<ScopeDefinition>, StorageError>;

    /// The scopes of an application, or all, in the order of their applications' ids and then of their names, both as text.
    async fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Result<Registered<ScopeDefinition>, StorageError>;

    /// Changes what can be changed of a scope, which is not its name. Clients that list it already keep it when it comes to need approval.
    async fn update_scope(&self, id: ScopeId, change: ScopeChange) -> Result<RegistryChange, StorageError>;

    /// Removes a scope, and takes it from whoever has it.
    async fn delete_scope(&self, id: ScopeId) -> Result<RegistryChange, StorageError>;

    /// Lets a client list a scope that needs approval. The clients of the application's own owner may without. A client has to be there to be
    /// approved, so it is created without the scope; who asks for approval, and how, is between people.
    async fn approve_scope(&self, id: ScopeId, client: ClientId, at: Timestamp) -> Result<ScopeApproval, StorageError>;

    /// Takes an approval back, and takes the scope from the client's list and from its sessions, grants and consents, also where no approval
    /// had been needed. Says whether there was anything to take.
    async fn withdraw_scope(&self, id: ScopeId, client: ClientId) -> Result<bool, StorageError>;

    /// The clients that list a scope or were approved for it, in order of id. Who wants to take a scope back finds here whom to take it from,
    /// also those that listed it before it came to need approval.
    async fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Result<Registered<ScopeClient>, StorageError>;

    /// Who uses a scope of an application, any of them: what its owner would take away. All of it is of one moment.
    async fn application_usage(&self, id: ApplicationId, at: Timestamp) -> Result<Option<ScopeUsage>, StorageError>;

    /// Who uses a scope. All of it is of one moment.
    async fn scope_usage(&self, id: ScopeId, at: Timestamp) -> Result<Option<ScopeUsage>, StorageError>;

    /// Which grants of a client are in use.
    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Result<Option<GrantUsage>, StorageError>;

    /// Keeps a new client, unless it breaks a rule of [`Client::check`], its id is taken, or one of its allowed scopes does not exist or
    /// needs an approval.
    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError>;

    /// Keeps a new client as [`create_client`](Self::create_client) does, unless its owner has `at_most` already, however many calls come at
    /// once.
    async fn register_client(&self, client: Client, at_most: u32) -> Result<ClientCreation, StorageError>;

    /// The client with this id.
    async fn client(&self, id: ClientId) -> Result<Option<Arc<Client>>, StorageError>;

    /// The clients with these ids, each once and in the order in which they were asked for. Those that do not exist are left out.
    async fn clients_by_id(&self, ids: &[ClientId]) -> Result<Vec<Arc<Client>>, StorageError>;

    /// The clients that the filter selects, in the order in which they were registered and then of their ids.
    async fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Result<Registered<Arc<Client>>, StorageError>;

    /// Gives a client new settings, if it still has those that were seen. Grants keep what their users approved.
    async fn update_client(&self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> Result<ClientUpdate, StorageError>;

    /// Removes a client with its sessions and what users let it have, and revokes its grants. The last of the service's own clients stays, and so
    /// does the last that may ask for `service:manage`: without it nobody could manage over the JSON API. To delete it on purpose, update its
    /// settings first, so that it is no longer `first_party` and may not ask for `service:manage`.
    async fn delete_client(&self, id: ClientId, at: Timestamp) -> Result<ClientDeletion, StorageError>;

    /// Gives a client to an owner. If it was suspended, it is in use again and has no secrets, for the former owner may know them. Says whether there is such a client.
    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Result<bool, StorageError>;

    /// Suspends the clients of an owner who has left, and makes the service the owner of the rest. A suspension keeps its first time and lasts until the client gets
    /// another owner. First-party clients, which only administrators may change, are not suspended and belong to
    /// [the service](SubjectId::service) from now on; so do the applications, with their scopes and approvals. What belongs to the service
    /// itself stays as it is.
    async fn remove_owner(&self, owner: &SubjectId, at: Timestamp) -> Result<OwnerRemoval, StorageError>;

    /// Gives a client a new secret beside the newest it has; an older one goes.
    async fn add_client_secret(&self, id: ClientId, secret: RegisteredSecret) -> Result<SecretAddition, StorageError>;

    /// Leaves a client only its newest secret.
    async fn remove_older_secret(&self, id: ClientId) -> Result<SecretRemoval, StorageError>;
}
