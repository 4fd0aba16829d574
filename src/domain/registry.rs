use std::fmt;
use std::str::FromStr;

use crate::domain::{
    ApplicationId, ClientId, ClientSecretDigest, Invalid, Line, RedirectUri, Scope, ScopeId, ScopeSet, SubjectId, Timestamp, vocabulary,
};

/// An application that defines scopes for others to ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// The id, the first half of each of its scopes.
    pub id: ApplicationId,
    /// The name that users are shown.
    pub name: Line,
    /// Who may change it.
    pub owner: SubjectId,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// The description of a scope: 1 to 255 characters in one line (service.md, "Limits").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDescription(Line);

impl ScopeDescription {
    /// The description.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ScopeDescription {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        text.parse().map(Self)
    }
}

impl fmt::Display for ScopeDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A scope that an application defines. Its name never changes; its description may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDefinition {
    /// The id by which the definition is managed.
    pub id: ScopeId,
    /// The scope.
    pub scope: Scope,
    /// What a user is told that the scope allows.
    pub description: ScopeDescription,
    /// The name of the application, as users are shown it.
    pub application_name: Line,
}

vocabulary! {
    /// What a client must prove at the token endpoint.
    ClientPolicy {
        /// Its secret, always.
        Secret = "secret",
        /// Its secret or a PKCE verifier; a secret that is sent is always checked.
        SecretOrPkce = "secret_or_pkce",
        /// Nothing of its own: a public client, which must use PKCE.
        Public = "none",
    }
}

/// One of a client's secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredSecret {
    /// The digest of the secret.
    pub digest: ClientSecretDigest,
    /// When it was issued.
    pub created_at: Timestamp,
}

/// An OAuth client (RFC 6749 §2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// The `client_id`.
    pub id: ClientId,
    /// The name that users are shown.
    pub name: Line,
    /// Who may change it.
    pub owner: SubjectId,
    /// What it must prove at the token endpoint.
    pub policy: ClientPolicy,
    /// Its secrets, at most two; none for a public client.
    pub secrets: Vec<RegisteredSecret>,
    /// Where users may be sent back to.
    pub redirect_uris: Vec<RedirectUri>,
    /// The scopes that it may ask for, in the order of registration.
    pub allowed_scopes: ScopeSet,
    /// Whether it may use the PKCE method `plain`, for old clients that cannot do better.
    pub plain_pkce_allowed: bool,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl Client {
    /// The registered redirect URI that allows the presented one.
    pub fn redirect_uri(&self, presented: &str) -> Option<&RedirectUri> {
        self.redirect_uris.iter().find(|registered| registered.allows(presented))
    }
}

impl Application {
    /// The application of this service itself, which every store holds from the start.
    pub fn of_the_service() -> Self {
        Self {
            id: ApplicationId::Service,
            name: Line::literal("School account"),
            owner: SubjectId::service(),
            created_at: Timestamp::from_seconds(0),
        }
    }
}

impl ScopeDefinition {
    /// The default scopes, which every store holds from the start.
    pub fn of_the_service() -> [Self; 2] {
        let definition = |id: u8, scope: Scope, description: &'static str| Self {
            id: ScopeId::from_random([id; 16]),
            scope,
            description: ScopeDescription(Line::literal(description)),
            application_name: Line::literal("School account"),
        };
        [
            definition(1, Scope::self_read(), "Read your basic information and student details"),
            definition(2, Scope::manage(), "Manage your applications, clients and API keys"),
        ]
    }
}
