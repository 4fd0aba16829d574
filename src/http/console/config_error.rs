use std::fmt;

use crate::domain::InvalidValue;

/// Invalid setting of a [`Console`](super::Console).
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigError {
    /// The address is not a valid public address.
    Address(InvalidValue),
    /// The address of the data API is not a valid public address.
    DataAddress(InvalidValue),
    /// The name of the site is not one line.
    Site(InvalidValue),
    /// The time zone is unknown.
    UnknownTimeZone(String),
    /// A lifetime is out of range.
    Lifetime(InvalidValue),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(reason) => write!(f, "the address {reason}"),
            Self::DataAddress(reason) => write!(f, "the address of the data API {reason}"),
            Self::Site(reason) => write!(f, "the name of the site {reason}"),
            Self::UnknownTimeZone(name) => write!(f, "there is no time zone {name:?}"),
            Self::Lifetime(reason) => write!(f, "a lifetime {reason}"),
        }
    }
}

impl std::error::Error for ConfigError {}
