use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;

use super::{
    ApplicationPatch, ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Creation,
    GrantUsage, LimitedCreation, OwnerRemoval, Paged, RegistryChange, ScopeApproval, ScopeClient,
    ScopeCreation, ScopePatch, ScopeRequestCreation, ScopeRequestFilter, ScopeUsage,
    SecretAddition, SecretRemoval, StorageError,
};
use crate::domain::{
    Application, ApplicationId, Client, ClientId, ClientSecretUse, ClientSettings, PageRequest,
    RegisteredSecret, ScopeDefinition, ScopeId, ScopeRefusal, ScopeRequest, SubjectId, Timestamp,
};

/// Manages applications, the scopes they define, and OAuth clients, which
/// [`ClientLookup`](super::ClientLookup) looks up.
///
/// No method changes [`Application::built_in`] and [`ScopeDefinition::built_in`].
///
/// # Removing a scope
///
/// Removing a scope also removes it, in the same transition, from clients' allowed lists, pending
/// sessions, grants and consents. Sessions come before grants and consents, because an approval
/// turns a session into both. A session or grant without any scope left stays, and requests for its
/// tokens are refused. A session that is opened afterwards with such a scope contains it, so the
/// caller of `open_session` checks the client's list first.
///
/// # Authorization
///
/// A store does not check the caller's permissions; the services do, before they call it. Ids are
/// never reused. Owners change only where an administrator transfers a client
/// ([`set_client_owner`](Self::set_client_owner)) or an owner leaves
/// ([`remove_owner`](Self::remove_owner)), so a caller that has read a record and its owner may act
/// on that in the same request. Concurrent changes by others are not lost: a client is updated only
/// if its settings, verification included, still equal those that were read, and the fields of a
/// scope are changed one by one.
#[async_trait]
pub trait ClientRegistry: Debug + Send + Sync + 'static {
    /// Stores a new application, unless its id is taken.
    async fn create_application(&self, application: Application) -> Result<Creation, StorageError>;

    /// Stores a new application as [`create_application`](Self::create_application) does, unless
    /// its owner has `limit` applications already. The limit holds under concurrent calls.
    async fn register_application(
        &self,
        application: Application,
        limit: u32,
    ) -> Result<LimitedCreation, StorageError>;

    /// Returns the application with this id.
    async fn application(&self, id: ApplicationId) -> Result<Option<Application>, StorageError>;

    /// Returns the applications of an owner, or all, ordered by time of registration and then by id
    /// as text.
    async fn applications(
        &self,
        owner: Option<&SubjectId>,
        page: PageRequest,
    ) -> Result<Paged<Application>, StorageError>;

    /// Changes the names of an application, which its scopes show too.
    async fn update_application(
        &self,
        id: ApplicationId,
        change: ApplicationPatch,
    ) -> Result<RegistryChange, StorageError>;

    /// Deletes an application with its scopes, which are removed as the trait describes.
    async fn delete_application(&self, id: ApplicationId) -> Result<RegistryChange, StorageError>;

    /// Stores a new scope of an application, unless the application does not exist or has a scope
    /// of that name. The definition's `application_name` and its translations are ignored: the
    /// application's own names are used.
    async fn create_scope(
        &self,
        definition: ScopeDefinition,
    ) -> Result<ScopeCreation, StorageError>;

    /// Stores a new scope as [`create_scope`](Self::create_scope) does, unless its application has
    /// `limit` scopes already. The limit holds under concurrent calls.
    async fn register_scope(
        &self,
        definition: ScopeDefinition,
        limit: u32,
    ) -> Result<ScopeCreation, StorageError>;

    /// Returns the scope with this id.
    async fn scope(&self, id: ScopeId) -> Result<Option<ScopeDefinition>, StorageError>;

    /// Returns the scopes of an application, or all, ordered by application id and then by name,
    /// both as text.
    async fn scopes(
        &self,
        of: Option<ApplicationId>,
        page: PageRequest,
    ) -> Result<Paged<ScopeDefinition>, StorageError>;

    /// Changes a scope's descriptions and whether it requires approval; its name never changes.
    /// Clients that list the scope keep it when it starts to require approval.
    async fn update_scope(
        &self,
        id: ScopeId,
        change: ScopePatch,
    ) -> Result<RegistryChange, StorageError>;

    /// Deletes a scope, which is removed as the trait describes.
    async fn delete_scope(&self, id: ScopeId) -> Result<RegistryChange, StorageError>;

    /// Approves a client for a scope that requires approval, so that it may list the scope. Clients
    /// of the application's own owner need no approval. The client has to exist, so it is created
    /// without the scope. A request of the client for the scope is approved with it. An approval
    /// keeps its time if it is repeated.
    async fn approve_scope(
        &self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> Result<ScopeApproval, StorageError>;

    /// Revokes an approval and removes the scope from the client's list, sessions, grants and
    /// consents, also where no approval was required. Returns whether the client was approved for
    /// the scope or listed it.
    async fn revoke_scope_approval(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError>;

    /// Returns the clients that list a scope or are approved for it, ordered by id. The list
    /// includes clients that listed the scope before it required approval, so that the scope can be
    /// revoked from them too.
    async fn clients_of_scope(
        &self,
        id: ScopeId,
        page: PageRequest,
    ) -> Result<Paged<ScopeClient>, StorageError>;

    /// Stores a request for a scope, unless the client is approved for it, asks for it already, or
    /// has `limit` requests that wait. It waits, and replaces an earlier request for the same scope.
    /// The limit holds under concurrent calls. The request is deleted with the scope, the client or
    /// the approval.
    async fn request_scope(
        &self,
        request: ScopeRequest,
        limit: u32,
    ) -> Result<ScopeRequestCreation, StorageError>;

    /// Returns the requests that the filter selects, as they are now, ordered by time and then by the ids of scope
    /// and client as text.
    async fn scope_requests(
        &self,
        filter: ScopeRequestFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<ScopeRequest>, StorageError>;

    /// Refuses a request that waits. Returns whether there was one.
    async fn refuse_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        refusal: ScopeRefusal,
    ) -> Result<bool, StorageError>;

    /// Approves the client of a request, as [`approve_scope`](Self::approve_scope) does, if it waits
    /// and was made at `asked_at`. Returns whether there was one. Of concurrent decisions about a
    /// request, exactly one succeeds.
    async fn approve_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
        asked_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StorageError>;

    /// Deletes a request, also a refused one. Returns whether there was one.
    async fn withdraw_scope_request(
        &self,
        id: ScopeId,
        client: ClientId,
    ) -> Result<bool, StorageError>;

    /// Returns the usage of an application's scopes, which its owner sees before deleting it. All
    /// values are of one moment. `None` if there is no such application.
    async fn application_usage(
        &self,
        id: ApplicationId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError>;

    /// Returns the usage of a scope. All values are of one moment. `None` if there is no such
    /// scope.
    async fn scope_usage(
        &self,
        id: ScopeId,
        at: Timestamp,
    ) -> Result<Option<ScopeUsage>, StorageError>;

    /// Returns the usage of the grants of each of these clients. Clients without a live grant, and
    /// ids that do not exist, are left out.
    async fn usage_of_clients(
        &self,
        ids: &[ClientId],
        at: Timestamp,
    ) -> Result<BTreeMap<ClientId, GrantUsage>, StorageError>;

    /// Returns the usage of one client's grants as [`usage_of_clients`](Self::usage_of_clients)
    /// does: [`GrantUsage::default`] without a live grant.
    async fn client_usage(&self, id: ClientId, at: Timestamp) -> Result<GrantUsage, StorageError> {
        let mut usage = self.usage_of_clients(&[id], at).await?;
        Ok(usage.remove(&id).unwrap_or_default())
    }

    /// Stores a new client, unless it violates a rule of [`Client::check`], its id is taken, or one
    /// of its allowed scopes does not exist or requires an approval.
    async fn create_client(&self, client: Client) -> Result<ClientCreation, StorageError>;

    /// Stores a new client as [`create_client`](Self::create_client) does, unless its owner has
    /// `limit` clients already. The limit holds under concurrent calls.
    async fn register_client(
        &self,
        client: Client,
        limit: u32,
    ) -> Result<ClientCreation, StorageError>;

    /// Returns the clients that the filter selects, ordered by time of registration and then by id:
    /// those that await review from the newest to the oldest, and others from the oldest.
    async fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> Result<Paged<Arc<Client>>, StorageError>;

    /// Compare-and-swap: replaces a client's settings if they still equal `expected`. Existing
    /// grants keep the scopes that their users approved.
    async fn update_client(
        &self,
        id: ClientId,
        expected: &ClientSettings,
        new: ClientSettings,
    ) -> Result<ClientUpdate, StorageError>;

    /// Deletes a client with its sessions and consents, and revokes its grants.
    ///
    /// The last first-party client cannot be deleted, nor the last one that may request
    /// `service:manage`, because the management API needs such a client. To delete it on purpose,
    /// first update its settings so that it is no longer `first_party` and may not request
    /// `service:manage`.
    async fn delete_client(
        &self,
        id: ClientId,
        at: Timestamp,
    ) -> Result<ClientDeletion, StorageError>;

    /// Transfers a client to an owner. A suspended client is active again and loses its secrets,
    /// because the former owner may know them. Returns whether the client exists.
    async fn set_client_owner(&self, id: ClientId, owner: SubjectId) -> Result<bool, StorageError>;

    /// Suspends the clients of an owner who has left, and transfers the rest to the service.
    ///
    /// A suspension keeps its first time and lasts until the client gets another owner. First-party
    /// clients, which only administrators may change, are not suspended; they are transferred to
    /// [the service](SubjectId::service). So are the applications, with their scopes and approvals.
    /// For the service itself as `owner` nothing changes.
    async fn remove_owner(
        &self,
        owner: &SubjectId,
        at: Timestamp,
    ) -> Result<OwnerRemoval, StorageError>;

    /// Adds a secret to a client. The newest of its existing secrets stays valid; older ones are
    /// removed.
    async fn add_client_secret(
        &self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> Result<SecretAddition, StorageError>;

    /// Removes every secret of a client except its newest.
    async fn remove_older_secret(&self, id: ClientId) -> Result<SecretRemoval, StorageError>;

    /// Records the last use of client secrets. A time never moves backwards, and secrets that the
    /// client no longer has are ignored. A use is no change of the client:
    /// [`update_client`](Self::update_client) does not see it.
    async fn record_client_secret_usage(
        &self,
        uses: Vec<ClientSecretUse>,
    ) -> Result<(), StorageError>;
}
