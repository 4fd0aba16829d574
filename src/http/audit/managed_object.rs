use crate::domain::{
    AccountId, ApiKeyId, ApplicationId, CalendarFeedId, ClientId, Scope, SubjectId,
};

/// A managed object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManagedObject {
    /// An application.
    Application(ApplicationId),
    /// A scope of an application.
    Scope(Scope),
    /// A client.
    Client(ClientId),
    /// A secret of a client.
    ClientSecret(ClientId),
    /// The approval by which a client may list a scope that needs one.
    ScopeApproval {
        /// The scope.
        scope: Scope,
        /// The client.
        client: ClientId,
    },
    /// The request of a client's owner for such an approval.
    ScopeRequest {
        /// The scope.
        scope: Scope,
        /// The client.
        client: ClientId,
    },
    /// A key of the data API.
    ApiKey(ApiKeyId),
    /// A calendar feed of a key.
    CalendarFeed {
        /// The key.
        key: ApiKeyId,
        /// The feed.
        feed: CalendarFeedId,
    },
    /// A built-in account.
    Account(AccountId),
    /// The password of a built-in account.
    Password(AccountId),
    /// Sessions of a built-in account, which somebody else ended.
    Sessions(AccountId),
}

impl ManagedObject {
    /// The client that this is or belongs to.
    pub(super) fn client(&self) -> Option<ClientId> {
        match self {
            Self::Client(client)
            | Self::ClientSecret(client)
            | Self::ScopeApproval { client, .. }
            | Self::ScopeRequest { client, .. } => Some(*client),
            _ => None,
        }
    }

    /// The application that this is or belongs to.
    pub(super) fn application(&self) -> Option<ApplicationId> {
        match self {
            Self::Application(application) => Some(*application),
            Self::Scope(scope)
            | Self::ScopeApproval { scope, .. }
            | Self::ScopeRequest { scope, .. } => Some(scope.application),
            _ => None,
        }
    }

    /// The user whose account this is or belongs to.
    pub(super) fn user(&self) -> Option<SubjectId> {
        match self {
            Self::Account(account) | Self::Password(account) | Self::Sessions(account) => {
                Some((*account).into())
            }
            _ => None,
        }
    }

    /// The API key that this is.
    pub(super) fn api_key(&self) -> Option<ApiKeyId> {
        match self {
            Self::ApiKey(key) | Self::CalendarFeed { key, .. } => Some(*key),
            _ => None,
        }
    }
}
