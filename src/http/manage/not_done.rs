use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;

use crate::domain::Invalid;
use crate::http::audit::Rule;
#[cfg(feature = "ui")]
use crate::http::sign_in::PasswordFault;
use crate::store::StorageError;

/// Why something was not done.
#[derive(Debug)]
pub(crate) enum NotDone {
    /// A rule is against it.
    Denied(Denial),
    /// An account may not get this password.
    #[cfg(feature = "ui")]
    Password(PasswordFault),
    /// The storage could not answer.
    Storage(StorageError),
    /// The grant or session of the request ended while it ran. A record that it created has been removed; a new value or secret is not returned.
    AccessEnded,
    /// Something else went wrong on our side.
    Failed(&'static str),
}

/// What is not done, by which rule, and what a program or a person is told of it.
#[derive(Debug)]
pub(crate) struct Denial {
    pub(crate) rule: Rule,
    pub(crate) status: StatusCode,
    /// An English sentence in ASCII.
    pub(crate) description: Cow<'static, str>,
    /// The field that it is about, by its name in the management JSON.
    pub(crate) field: Option<&'static str>,
    /// How long to wait before it may be done, where that is known.
    pub(crate) retry_after: Option<Duration>,
}

impl Denial {
    pub(super) fn new(rule: Rule, status: StatusCode, description: impl Into<Cow<'static, str>>) -> Self {
        Self { rule, status, description: description.into(), field: None, retry_after: None }
    }

    pub(super) fn of_field(self, name: &'static str) -> Self {
        Self { field: Some(name), ..self }
    }

    pub(super) fn after(self, retry_after: Duration) -> Self {
        Self { retry_after: Some(retry_after), ..self }
    }

    /// Somebody has as much as a [`Caps`](super::Caps) allows.
    pub(super) fn enough(rule: Rule, description: String) -> Self {
        Self::new(rule, StatusCode::CONFLICT, description)
    }

    /// A field breaks a rule.
    pub(crate) fn invalid(name: &'static str, rule: &Invalid) -> Self {
        Self::new(Rule::FieldInvalid, StatusCode::BAD_REQUEST, format!("The field {name} {rule}.")).of_field(name)
    }

    /// A field that has to be there is not.
    pub(crate) fn missing(name: &'static str) -> Self {
        Self::new(Rule::FieldMissing, StatusCode::BAD_REQUEST, format!("The field {name} is missing.")).of_field(name)
    }

    /// There is nothing with the id, or the id is malformed and names nothing.
    pub(super) fn unknown() -> Self {
        Self::new(Rule::NotFound, StatusCode::NOT_FOUND, "There is nothing with this id.")
    }

    /// It is the service's own.
    pub(super) fn of_the_service() -> Self {
        Self::new(Rule::OfTheService, StatusCode::FORBIDDEN, "The service's own application and scopes stay as they are.")
    }

    pub(super) fn administrators_only(description: &'static str) -> Self {
        Self::new(Rule::AdministratorsOnly, StatusCode::FORBIDDEN, description)
    }
}

#[cfg(feature = "ui")]
impl From<PasswordFault> for Denial {
    fn from(fault: PasswordFault) -> Self {
        let rule = match fault {
            PasswordFault::TooShort { at_least } => format!("must have at least {at_least} characters").into(),
            PasswordFault::IsEmail => Cow::Borrowed("must not be the e-mail address"),
            PasswordFault::IsName => Cow::Borrowed("must not be the name of the school or the service"),
            PasswordFault::Usual => Cow::Borrowed("must not be among the usual ones"),
            PasswordFault::NotAllowed => Cow::Borrowed("is not allowed here"),
            PasswordFault::Busy => Cow::Borrowed("could not be checked now"),
        };
        Self::new(Rule::FieldInvalid, StatusCode::BAD_REQUEST, format!("The field password {rule}.")).of_field("password")
    }
}

#[cfg(feature = "ui")]
impl From<PasswordFault> for NotDone {
    fn from(fault: PasswordFault) -> Self {
        Self::Password(fault)
    }
}

impl From<Denial> for NotDone {
    fn from(denial: Denial) -> Self {
        Self::Denied(denial)
    }
}

impl From<StorageError> for NotDone {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
