use std::{fmt, io};

use crate::crypto::KeyError;
use crate::domain::InvalidValue;
use crate::store::StorageError;

/// Error in the configuration of an authorization server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigError {
    /// The issuer is not a valid public URL.
    Issuer(InvalidValue),
    /// The master key is not random.
    MasterKey(InvalidValue),
    /// The URL of the login page is not a valid public URL.
    ExternalLogin(InvalidValue),
    /// The URL of the documentation is not a valid public URL.
    Documentation(InvalidValue),
    /// A lifetime is out of range.
    Lifetime(InvalidValue),
    /// The limits on login attempts allow none.
    LoginLimits(InvalidValue),
    /// The caps are too low for any user to sign in.
    Caps(InvalidValue),
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
            Self::ExternalLogin(reason) => write!(f, "the address of the login page {reason}"),
            Self::Documentation(reason) => write!(f, "the address of the documentation {reason}"),
            Self::Lifetime(reason) => write!(f, "a lifetime {reason}"),
            Self::LoginLimits(reason) => write!(f, "the limits on attempts to sign in {reason}"),
            Self::Caps(reason) => write!(f, "a cap {reason}"),
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
