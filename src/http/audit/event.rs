use std::net::IpAddr;

use super::{RequestId, Rule, wire};
use crate::domain::{
    AccountId, ApiKeyId, ApplicationId, ClientId, GrantId, KeyId, Scope, ScopeSet, SigningAlgorithm, SubjectId, Timestamp, vocabulary,
};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The request in which it happened, as its answer's `x-request-id` has it. What happens outside of one has an id of its own.
    pub request_id: RequestId,
    /// When.
    pub at: Timestamp,
    /// The client address that the request came from, where the host knows it.
    pub address: Option<IpAddr>,
    /// What.
    pub kind: EventKind,
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    /// See [`Event::request_id`].
    pub(crate) request_id: RequestId,
    /// See [`Event::address`].
    pub(crate) address: Option<IpAddr>,
}

impl Event {
    pub(crate) fn new(Origin { request_id, address }: Origin, at: Timestamp, kind: EventKind) -> Self {
        Self { request_id, at, address, kind }
    }

    /// The event as one line of JSON, whose words stay as they are from version to version.
    pub fn to_json(&self) -> String {
        wire::rendered(self)
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventKind {
    /// A user signed in.
    SignedIn {
        /// The user.
        subject: SubjectId,
        /// Where the user is going, if not to the web interface of the service itself.
        client: Option<ClientId>,
    },
    /// An e-mail address or a password was wrong. Which account was meant is not told: people type passwords into the wrong field.
    SignInRefused {
        /// Where the user is going, if not to the web interface of the service itself.
        client: Option<ClientId>,
    },
    /// An attempt to sign in was not looked at, because too many had failed before.
    SignInLimited {
        /// Where the user is going, if not to the web interface of the service itself.
        client: Option<ClientId>,
    },
    /// A user signed out of the web interface, or gave the place to somebody else before deciding.
    SignedOut {
        /// The user, of the web interface.
        subject: Option<SubjectId>,
        /// Where the user was going, if not to the web interface of the service itself.
        client: Option<ClientId>,
    },
    /// A user was shown the consent page.
    ConsentAsked {
        /// The user.
        subject: SubjectId,
        /// Who asks.
        client: ClientId,
        /// For what.
        scopes: ScopeSet,
    },
    /// A user said yes on the consent page, or on a login page of the host's own.
    ConsentGiven {
        /// The user.
        subject: SubjectId,
        /// To whom.
        client: ClientId,
        /// For what.
        scopes: ScopeSet,
        /// Whether it is remembered.
        remembered: bool,
    },
    /// A user was not asked, because all of it had been allowed before.
    ConsentRemembered {
        /// The user.
        subject: SubjectId,
        /// The client that was allowed it.
        client: ClientId,
        /// What.
        scopes: ScopeSet,
    },
    /// A user said no.
    ConsentDenied {
        /// The user.
        subject: SubjectId,
        /// To whom.
        client: ClientId,
    },
    /// An authorization code was given to a client's redirect URI.
    CodeIssued {
        /// What the code is for.
        grant: GrantId,
        /// The client.
        client: ClientId,
        /// The user.
        subject: SubjectId,
        /// What was granted.
        scopes: ScopeSet,
    },
    /// A code was redeemed for tokens.
    TokensIssued(Issued),
    /// A refresh token was used, and replaced.
    Refreshed(Issued),
    /// The refresh token before the current one was used within the time for trying again, and got the same successor.
    RefreshRepeated(Issued),
    /// A client got a token of its own.
    ClientTokenIssued(Issued),
    /// What works once was used twice, so somebody has a copy of it. The grant is revoked.
    ReuseDetected {
        /// The grant.
        grant: GrantId,
        /// Who presented it, which may be the thief or the one who was robbed.
        client: ClientId,
        /// What it was.
        of: ReusedSecret,
    },
    /// A client revoked a grant of its own.
    Revoked {
        /// The grant.
        grant: GrantId,
        /// The client.
        client: ClientId,
    },
    /// A grant was revoked at a refresh, because its user is not there any more.
    RevokedWithUser {
        /// The grant.
        grant: GrantId,
        /// Who was there before.
        subject: SubjectId,
    },
    /// A grant was revoked because its user approved the same client again and already had as many grants as the host allows. It was the one that was
    /// used longest ago.
    GrantReplaced {
        /// The grant that was revoked.
        grant: GrantId,
        /// The user.
        subject: SubjectId,
        /// The client.
        client: ClientId,
    },
    /// A user took a grant back.
    GrantWithdrawn {
        /// The grant.
        grant: GrantId,
        /// The user.
        subject: SubjectId,
    },
    /// A user took back what a client need not have asked for again. Grants that it had are told of one by one.
    ConsentWithdrawn {
        /// The user.
        subject: SubjectId,
        /// The client that has to ask from now on.
        client: ClientId,
    },
    /// A user was signed out everywhere.
    SignedOutEverywhere {
        /// The user.
        subject: SubjectId,
        /// How many grants that ended.
        grants: usize,
        /// Whether the user's API keys were revoked too.
        api_keys: bool,
    },
    /// A signing key was made, and is published from now on.
    SigningKeyInstalled {
        /// The key.
        key: KeyId,
        /// What it signs with.
        algorithm: SigningAlgorithm,
    },
    /// A signing key was taken out of use at once.
    SigningKeyRevoked {
        /// The key.
        key: KeyId,
    },
    /// Signing keys that had their time were removed.
    SigningKeysRemoved {
        /// How many.
        keys: usize,
    },
    /// Somebody changed what is managed.
    Managed {
        /// Who.
        by: SubjectId,
        /// What.
        object: Object,
        /// How.
        change: Change,
        /// The fields that differ now, by their names in the management JSON; none for what was made or is gone.
        fields: Vec<&'static str>,
    },
    /// A request was refused.
    Refused(Refused),
}

/// What was issued, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The grant it came from, if a user is behind it.
    pub grant: Option<GrantId>,
    /// The client.
    pub client: ClientId,
    /// The user, if there is one.
    pub subject: Option<SubjectId>,
    /// The scopes of the access token.
    pub scopes: ScopeSet,
    /// The `jti` of the access token, by which services that were shown it can be asked.
    pub token_id: String,
}

/// A request that was refused. The answer says less: what it says to everybody, it also says to whoever tries something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// By which rule.
    pub rule: Rule,
    /// The status of the answer; 303 when the client was told by a redirect.
    pub status: u16,
    /// Which endpoint refused, by a name of ours such as `token` or, of the data API, `students`.
    pub endpoint: &'static str,
    /// The client that it was about, as far as that was found out. It need not have proven itself.
    pub client: Option<ClientId>,
}

vocabulary! {
    /// What works once.
    ReusedSecret {
        /// An authorization code.
        Code = "code",
        /// A refresh token.
        RefreshToken = "refresh_token",
    }
}

vocabulary! {
    /// What was done to something that is managed.
    Change {
        /// It was made.
        Created = "created",
        /// It is different now.
        Changed = "changed",
        /// It holds for longer now.
        Renewed = "renewed",
        /// Nobody may use it for now, because its owner has left.
        Suspended = "suspended",
        /// It is gone.
        Deleted = "deleted",
    }
}

/// Something that is managed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Object {
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
    /// A key of the data API.
    ApiKey(ApiKeyId),
    /// A built-in account.
    Account(AccountId),
    /// The password of a built-in account.
    Password(AccountId),
}

impl Object {
    /// The client that it is, or that it is of.
    pub(super) fn client(&self) -> Option<ClientId> {
        match self {
            Self::Client(client) | Self::ClientSecret(client) | Self::ScopeApproval { client, .. } => Some(*client),
            _ => None,
        }
    }

    /// The application that it is, or that it is of.
    pub(super) fn application(&self) -> Option<ApplicationId> {
        match self {
            Self::Application(application) => Some(*application),
            Self::Scope(scope) | Self::ScopeApproval { scope, .. } => Some(scope.application),
            _ => None,
        }
    }

    /// The API key that it is.
    pub(super) fn api_key(&self) -> Option<ApiKeyId> {
        match self {
            Self::ApiKey(key) => Some(*key),
            _ => None,
        }
    }
}
