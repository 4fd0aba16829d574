use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;

#[cfg(feature = "console")]
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

/// A refusal. Its constructors are the rows of [`ErrorReason`](super::ErrorReason).
#[derive(Debug)]
pub(crate) struct Rejection {
    pub(crate) status: StatusCode,
    /// The word in responses.
    pub(crate) reason: &'static str,
    /// For the audit log, and for the texts of pages.
    pub(crate) rule: RefusalRule,
    /// An English sentence in ASCII.
    pub(crate) description: Cow<'static, str>,
    /// The field at fault, by its name in the management JSON.
    pub(crate) field: Option<&'static str>,
    /// Time to wait, if the refusal is temporary.
    pub(crate) retry_after: Option<Duration>,
}

impl Rejection {
    pub(super) fn from_row(
        status: StatusCode,
        reason: &'static str,
        rule: RefusalRule,
        description: Cow<'static, str>,
    ) -> Self {
        Self {
            status,
            reason,
            rule,
            description,
            field: None,
            retry_after: None,
        }
    }

    pub(super) fn with_parameter(self, name: &'static str) -> Self {
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
}

#[cfg(feature = "console")]
impl From<PasswordPolicyError> for Rejection {
    fn from(fault: PasswordPolicyError) -> Self {
        let rule = match fault {
            PasswordPolicyError::TooShort { at_least } => {
                InvalidValue::from_string(format!("must have at least {at_least} characters"))
            }
            PasswordPolicyError::IsEmail => InvalidValue::new("must not be the e-mail address"),
            PasswordPolicyError::IsName => {
                InvalidValue::new("must not be the name of the school or the service")
            }
            PasswordPolicyError::TooCommon => InvalidValue::new("must not be among the usual ones"),
            PasswordPolicyError::NotAllowed => InvalidValue::new("is not allowed here"),
            PasswordPolicyError::Busy => InvalidValue::new("could not be checked now"),
        };
        Self::invalid("password", &rule)
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
