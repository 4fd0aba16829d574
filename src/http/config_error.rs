use std::{fmt, io};

use crate::crypto::KeyError;
use crate::domain::InvalidValue;
use crate::store::StorageError;

/// Error in the configuration of a service, found by its builder.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigError {
    /// The issuer is not a valid public URL.
    Issuer(InvalidValue),
    /// The master key is not random.
    MasterKey(InvalidValue),
    /// The public URL of the data API is invalid.
    PublicUrl(InvalidValue),
    /// The address of the console is not a valid public address.
    ConsoleAddress(InvalidValue),
    /// The address of the data API in the console is not a valid public address.
    DataAddress(InvalidValue),
    /// The URL of the login page is not a valid public URL.
    ExternalLogin(InvalidValue),
    /// The URL of the documentation is not a valid public URL.
    Documentation(InvalidValue),
    /// The data API's public URL or the authorization service's URL cannot be published.
    ProtectedResource(InvalidValue),
    /// The path or name of a host's list is taken or invalid.
    Resource {
        /// The path of the list.
        path: &'static str,
        /// The rule that it breaks.
        rule: InvalidValue,
    },
    /// A part of the service was asked for whose store is missing.
    MissingStore {
        /// The part.
        part: &'static str,
        /// The method of a builder that sets the store.
        method: &'static str,
    },
    /// A part of the [`Branding`](crate::http::Branding) cannot be shown.
    Branding {
        /// The part.
        setting: &'static str,
        /// The rule that it breaks.
        rule: InvalidValue,
    },
    /// The time zone is unknown.
    UnknownTimeZone(String),
    /// A lifetime is out of range.
    Lifetime(InvalidValue),
    /// The TTL of key owner checks is too long.
    KeyOwnerCheckTtl(InvalidValue),
    /// The limits on login attempts allow none.
    LoginLimits(InvalidValue),
    /// The limits on records are too low for any user to sign in.
    UserLimits(InvalidValue),
    /// argon2id does not support this hashing cost.
    HashingCost(InvalidValue),
    /// The threads that hash passwords could not be started.
    Threads(io::Error),
    /// A signing key could not be generated or opened, most likely because the stored keys were
    /// sealed under another master key.
    SigningKey(KeyError),
    /// The storage could not answer.
    Storage(StorageError),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Issuer(reason) => write!(f, "the issuer {reason}"),
            Self::MasterKey(reason) => write!(f, "the master key {reason}"),
            Self::PublicUrl(reason) => write!(f, "the public URL {reason}"),
            Self::ConsoleAddress(reason) => write!(f, "the address {reason}"),
            Self::DataAddress(reason) => write!(f, "the address of the data API {reason}"),
            Self::ExternalLogin(reason) => write!(f, "the address of the login page {reason}"),
            Self::Documentation(reason) => write!(f, "the address of the documentation {reason}"),
            Self::ProtectedResource(reason) => {
                write!(f, "each address of the protected resource {reason}")
            }
            Self::Resource { path, rule } => write!(f, "the list at {path} {rule}"),
            Self::MissingStore { part, method } => {
                write!(f, "{part} needs the store of `{method}`")
            }
            Self::Branding { setting, rule } => write!(f, "the {setting} {rule}"),
            Self::UnknownTimeZone(name) => write!(f, "there is no time zone {name:?}"),
            Self::Lifetime(reason) => write!(f, "a lifetime {reason}"),
            Self::KeyOwnerCheckTtl(reason) => write!(
                f,
                "the time for which answers about owners of keys hold {reason}"
            ),
            Self::LoginLimits(reason) => write!(f, "the limits on attempts to sign in {reason}"),
            Self::UserLimits(reason) => write!(f, "a limit on the records of a user {reason}"),
            Self::HashingCost(reason) => write!(f, "the cost of hashing {reason}"),
            Self::Threads(_) => f.write_str("the threads that hash passwords could not be started"),
            Self::SigningKey(error) => error.fmt(f),
            Self::Storage(_) => f.write_str("the storage could not answer"),
        }
    }
}

impl std::error::Error for ConfigError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Threads(error) => Some(error),
            Self::SigningKey(error) => Some(error),
            Self::Storage(error) => Some(error),
            _ => None,
        }
    }
}

impl From<StorageError> for ConfigError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
