use std::fmt;
use std::str::FromStr;

use crate::domain::{ApplicationId, Invalid, Line, Scope, ScopeId, SubjectId, Timestamp};

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
    /// Whether clients of other owners may list it only once the application's owner has approved.
    pub approval_required: bool,
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
            approval_required: false,
        };
        [
            definition(1, Scope::self_read(), "Read your basic information and student details"),
            definition(2, Scope::manage(), "Manage your applications, clients and API keys"),
        ]
    }
}
