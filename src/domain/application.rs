use std::fmt;
use std::str::FromStr;

use crate::domain::{
    ApplicationId, InvalidValue, Scope, ScopeId, ShortText, SubjectId, Timestamp, Translations,
};

/// An application that defines scopes for clients to request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// The id, the first part of each of its scopes.
    pub id: ApplicationId,
    /// The name shown to users, unless there is one in their language.
    pub name: ShortText,
    /// The name in other languages.
    pub name_translations: Translations,
    /// The user that owns the application and may change it.
    pub owner: SubjectId,
    /// When it was registered.
    pub created_at: Timestamp,
}

/// The description of a scope: 1 to 255 characters in one line (spec 2.11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDescription(ShortText);

impl ScopeDescription {
    /// The description.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ScopeDescription {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        text.parse().map(Self)
    }
}

impl fmt::Display for ScopeDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A scope that an application defines. Its name is fixed; its descriptions can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeDefinition {
    /// The id of the definition.
    pub id: ScopeId,
    /// The scope.
    pub scope: Scope,
    /// The description shown to users, unless there is one in their language.
    pub description: ScopeDescription,
    /// The description in other languages.
    pub description_translations: Translations,
    /// The name of the application, as shown to users.
    pub application_name: ShortText,
    /// The name of the application in other languages.
    pub application_name_translations: Translations,
    /// Whether clients of other owners may list the scope only after the application's owner
    /// approves.
    pub approval_required: bool,
}

impl Application {
    /// The application of this service itself, present in every store from the start.
    pub fn built_in() -> Self {
        Self {
            id: ApplicationId::Service,
            name: ShortText::from_static("School account"),
            name_translations: Translations::default(),
            owner: SubjectId::service(),
            created_at: Timestamp::from_seconds(0),
        }
    }
}

impl ScopeDefinition {
    /// The default scopes, present in every store from the start.
    pub fn built_in() -> [Self; 2] {
        let definition = |id: u8, scope: Scope, description: &'static str| Self {
            id: ScopeId::from_random([id; 16]),
            scope,
            description: ScopeDescription(ShortText::from_static(description)),
            description_translations: Translations::default(),
            application_name: ShortText::from_static("School account"),
            application_name_translations: Translations::default(),
            approval_required: false,
        };
        [
            definition(
                1,
                Scope::self_read(),
                "Read your basic information and student details",
            ),
            definition(
                2,
                Scope::manage(),
                "Manage your applications, clients and API keys",
            ),
        ]
    }
}
