//! What becomes of what is managed.

use crate::domain::{ApplicationId, ClientFault, ClientId, Scope, ScopeDescription, SubjectId};

/// One page of what is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered<T> {
    /// How many there are on all pages.
    pub total: u64,
    /// Those of this page, in order.
    pub items: Vec<T>,
}

/// Selects the clients of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientFilter<'a> {
    /// All clients.
    All,
    /// The clients of this owner.
    OwnedBy(&'a SubjectId),
    /// The clients that no administrator has verified: those of which [`Client::awaits_review`](crate::domain::Client::awaits_review) is
    /// true.
    AwaitingReview,
}

impl<'a> From<Option<&'a SubjectId>> for ClientFilter<'a> {
    /// The clients of an owner, or all.
    fn from(owner: Option<&'a SubjectId>) -> Self {
        owner.map_or(Self::All, Self::OwnedBy)
    }
}

/// What is to change of a scope: what is `None` stays, so that two changes of different parts do not undo each other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScopeChange {
    /// What a user is told that the scope allows.
    pub description: Option<ScopeDescription>,
    /// Whether clients of other owners need an approval.
    pub approval_required: Option<bool>,
}

/// What became of a change to an application or a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum RegistryChange {
    /// It is done.
    Done,
    /// It belongs to the service itself, which stays as it is.
    OfTheService,
    /// There is no such thing.
    Unknown,
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
    /// The application has as many scopes as one may have; nothing changed.
    ApplicationHasEnough,
}

/// What became of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ScopeApproval {
    /// The client may list the scope from now on, or could before.
    Approved,
    /// There is no such scope.
    UnknownScope,
    /// There is no such client.
    UnknownClient,
}

/// A client that has to do with a scope: one of the two is so, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScopeClient {
    /// The client.
    pub client: ClientId,
    /// Whether it was approved for the scope.
    pub approved: bool,
    /// Whether it lists the scope, for which it may have needed no approval.
    pub listed: bool,
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
    /// The owner has as many clients as one may have; nothing changed.
    OwnerHasEnough,
    /// This scope does not exist.
    UnknownScope(Scope),
    /// The owner of this scope's application has to approve first.
    NeedsApproval(Scope),
}

/// What became of a client's new settings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum ClientUpdate {
    /// The client has them.
    Updated,
    /// There is no such client.
    Unknown,
    /// It has other settings than those that were seen: somebody changed them meanwhile.
    Changed,
    /// It would break this rule.
    Refused(ClientFault),
    /// This scope does not exist.
    UnknownScope(Scope),
    /// The owner of this scope's application has to approve first.
    NeedsApproval(Scope),
}

/// What became of a client that was to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ClientDeletion {
    /// It is gone.
    Deleted,
    /// It is the last of the service's own clients, or the last that may ask for `service:manage`. Nothing changed.
    LastFirstParty,
    /// There is no such client.
    Unknown,
}

/// What became of the clients and applications of an owner who has left. Lists are in the order of ids as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OwnerRemoval {
    /// The clients that are suspended from now on.
    pub suspended_clients: Vec<ClientId>,
    /// The first-party clients, whose owner is [the service](SubjectId::service) from now on.
    pub reassigned_clients: Vec<ClientId>,
    /// The applications, which belong to the service from now on.
    pub reassigned_applications: Vec<ApplicationId>,
}

/// What became of a new secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SecretAddition {
    /// The client has it.
    Added,
    /// The client is public and has no secrets.
    Public,
    /// There is no such client.
    Unknown,
}

/// What became of a client's older secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum SecretRemoval {
    /// It is gone.
    Removed,
    /// There was no older one.
    NoOlder,
    /// There is no such client.
    Unknown,
}
