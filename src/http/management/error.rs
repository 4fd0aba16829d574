use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;

use crate::domain::InvalidValue;
use crate::http::audit::RefusalRule;
#[cfg(feature = "console")]
use crate::http::login::PasswordPolicyError;
use crate::store::StorageError;

/// Error of a management operation.
#[derive(Debug)]
pub(crate) enum ManagementError {
    /// A rule forbids the operation.
    Rejected(Rejection),
    /// An account may not have this password.
    #[cfg(feature = "console")]
    Password(PasswordPolicyError),
    /// The storage could not answer.
    Storage(StorageError),
    /// The grant or session of the request ended while it ran. A record that it created has been
    /// removed; a new value or secret is not returned.
    AccessEnded,
    /// An internal error.
    Failed(&'static str),
}

/// A refusal: its rule, and the description and field that the response shows.
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) rule: RefusalRule,
    pub(crate) status: StatusCode,
    /// An English sentence in ASCII.
    pub(crate) description: Cow<'static, str>,
    /// The field at fault, by its name in the management JSON.
    pub(crate) field: Option<&'static str>,
    /// Time to wait, if the refusal is temporary.
    pub(crate) retry_after: Option<Duration>,
}

impl Rejection {
    pub(super) fn new(
        rule: RefusalRule,
        status: StatusCode,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            rule,
            status,
            description: description.into(),
            field: None,
            retry_after: None,
        }
    }

    pub(super) fn with_field(self, name: &'static str) -> Self {
        Self {
            field: Some(name),
            ..self
        }
    }

    pub(super) fn with_retry_after(self, retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            ..self
        }
    }

    /// A user has reached a limit of [`Caps`](super::Caps).
    pub(super) fn cap_reached(rule: RefusalRule, description: String) -> Self {
        Self::new(rule, StatusCode::CONFLICT, description)
    }

    /// A field is invalid.
    pub(crate) fn invalid(name: &'static str, rule: &InvalidValue) -> Self {
        Self::new(
            RefusalRule::FieldInvalid,
            StatusCode::BAD_REQUEST,
            format!("The field {name} {rule}."),
        )
        .with_field(name)
    }

    /// A required field is missing.
    pub(crate) fn missing(name: &'static str) -> Self {
        Self::new(
            RefusalRule::FieldMissing,
            StatusCode::BAD_REQUEST,
            format!("The field {name} is missing."),
        )
        .with_field(name)
    }

    /// No object has this id, or the id is malformed.
    pub(super) fn not_found() -> Self {
        Self::new(
            RefusalRule::NotFound,
            StatusCode::NOT_FOUND,
            "There is nothing with this id.",
        )
    }

    /// The object belongs to the service itself and cannot be changed.
    pub(super) fn service_owned() -> Self {
        Self::new(
            RefusalRule::OfTheService,
            StatusCode::FORBIDDEN,
            "The service's own application and scopes stay as they are.",
        )
    }

    pub(super) fn administrators_only(description: &'static str) -> Self {
        Self::new(
            RefusalRule::AdministratorsOnly,
            StatusCode::FORBIDDEN,
            description,
        )
    }
}

#[cfg(feature = "console")]
impl From<PasswordPolicyError> for Rejection {
    fn from(fault: PasswordPolicyError) -> Self {
        let rule = match fault {
            PasswordPolicyError::TooShort { at_least } => {
                format!("must have at least {at_least} characters").into()
            }
            PasswordPolicyError::IsEmail => Cow::Borrowed("must not be the e-mail address"),
            PasswordPolicyError::IsName => {
                Cow::Borrowed("must not be the name of the school or the service")
            }
            PasswordPolicyError::TooCommon => Cow::Borrowed("must not be among the usual ones"),
            PasswordPolicyError::NotAllowed => Cow::Borrowed("is not allowed here"),
            PasswordPolicyError::Busy => Cow::Borrowed("could not be checked now"),
        };
        Self::new(
            RefusalRule::FieldInvalid,
            StatusCode::BAD_REQUEST,
            format!("The field password {rule}."),
        )
        .with_field("password")
    }
}

#[cfg(feature = "console")]
impl From<PasswordPolicyError> for ManagementError {
    fn from(fault: PasswordPolicyError) -> Self {
        Self::Password(fault)
    }
}

impl From<Rejection> for ManagementError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<StorageError> for ManagementError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
