//! Inputs and results of [`ClientRegistry`](super::ClientRegistry).

use crate::domain::{
    ApplicationId, ClientId, InvalidClientMetadata, Scope, ScopeDescription, ShortText, SubjectId,
    Translations,
};

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paged<T> {
    /// The number of items on all pages.
    pub total: u64,
    /// The items of this page, in order.
    pub items: Vec<T>,
}

/// Selects the clients of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientFilter<'a> {
    /// All clients.
    All,
    /// The clients of this owner.
    OwnedBy(&'a SubjectId),
    /// The clients that no administrator has verified: those of which
    /// [`Client::awaits_review`](crate::domain::Client::awaits_review) is true.
    AwaitingReview,
}

impl<'a> From<Option<&'a SubjectId>> for ClientFilter<'a> {
    /// The clients of an owner, or all.
    fn from(owner: Option<&'a SubjectId>) -> Self {
        owner.map_or(Self::All, Self::OwnedBy)
    }
}

/// A partial update of an application. Fields that are `None` stay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApplicationPatch {
    /// The name shown to users.
    pub name: Option<ShortText>,
    /// All names in other languages.
    pub name_translations: Option<Translations>,
}

/// A partial update of a scope. Fields that are `None` stay, so that two changes of different
/// fields do not undo each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopePatch {
    /// The description of the scope on the consent page.
    pub description: Option<ScopeDescription>,
    /// All descriptions in other languages.
    pub description_translations: Option<Translations>,
    /// Whether clients of other owners need an approval.
    pub approval_required: Option<bool>,
}

/// Result of changing an application or a scope; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum RegistryChange {
    /// The change was made.
    Done,
    /// It is built in and cannot be changed.
    BuiltIn,
    /// There is no such application or scope.
    NotFound,
}

/// Result of creating a scope; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ScopeCreation {
    /// The scope is stored.
    Created,
    /// The application has a scope of that name, or the id is taken.
    NameTaken,
    /// There is no such application.
    UnknownApplication,
    /// The application has reached its limit of scopes. Nothing changed.
    LimitReached,
}

/// Result of approving a client for a scope; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ScopeApproval {
    /// The client may list the scope, from now on or already before.
    Approved,
    /// There is no such scope.
    UnknownScope,
    /// There is no such client.
    UnknownClient,
}

/// Result of requesting a scope; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ScopeRequestCreation {
    /// The request waits.
    Requested,
    /// The client already asks for the scope. Nothing changed.
    AlreadyWaiting,
    /// The client is approved for the scope. Nothing changed.
    AlreadyApproved,
    /// The client has reached the limit of requests that wait. Nothing changed.
    LimitReached,
    /// There is no such scope.
    UnknownScope,
    /// There is no such client.
    UnknownClient,
}

/// Selects requests for scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeRequestFilter<'a> {
    /// All requests that wait.
    Waiting,
    /// The requests that wait for the owner of these applications.
    WaitingFor(&'a SubjectId),
    /// The requests of a client, in every state.
    Of(ClientId),
    /// The requests of all clients of this owner, in every state.
    OfClientsOf(&'a SubjectId),
}

/// A client that lists a scope, is approved for it, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeClient {
    /// The client.
    pub client: ClientId,
    /// Whether it is approved for the scope.
    pub approved: bool,
    /// Whether it lists the scope, with or without an approval.
    pub listed: bool,
}

/// Result of creating a client; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ClientCreation {
    /// The client is stored.
    Created,
    /// It violates this rule.
    Invalid(InvalidClientMetadata),
    /// The id is taken.
    AlreadyExists,
    /// The owner has reached the limit of clients. Nothing changed.
    LimitReached,
    /// This scope does not exist.
    UnknownScope(Scope),
    /// This scope requires an approval by the owner of its application.
    NeedsApproval(Scope),
}

/// Result of updating a client's settings; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ClientUpdate {
    /// The client has the new settings.
    Updated,
    /// There is no such client.
    NotFound,
    /// The client's settings differ from the expected ones: another request changed them.
    Conflict,
    /// It would violate this rule.
    Invalid(InvalidClientMetadata),
    /// This scope does not exist.
    UnknownScope(Scope),
    /// This scope requires an approval by the owner of its application.
    NeedsApproval(Scope),
}

/// Result of deleting a client; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ClientDeletion {
    /// The client is deleted.
    Deleted,
    /// It is the last first-party client, or the last one that may request `service:manage`.
    /// Nothing changed.
    LastFirstParty,
    /// There is no such client.
    NotFound,
}

/// Changes to the clients and applications of an owner who has left. Lists are ordered by id as
/// text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnerRemoval {
    /// The clients that were suspended by this call.
    pub suspended_clients: Vec<ClientId>,
    /// The first-party clients, which [the service](SubjectId::service) owns now.
    pub reassigned_clients: Vec<ClientId>,
    /// The applications, which the service owns now.
    pub reassigned_applications: Vec<ApplicationId>,
}

/// Result of adding a client secret; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SecretAddition {
    /// The client has the secret.
    Added,
    /// The client is public and has no secrets.
    Public,
    /// There is no such client.
    NotFound,
}

/// Result of removing a client's older secrets; [exhaustive](crate::store#outcomes).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SecretRemoval {
    /// They are removed.
    Removed,
    /// The client has no older secret.
    NoOlder,
    /// There is no such client.
    NotFound,
}
