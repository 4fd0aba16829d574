use std::fmt;

use crate::domain::Invalid;

/// Why a web interface could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConfigError {
    /// The address is not a public one.
    Address(Invalid),
    /// The address of the data API is not a public one.
    DataAddress(Invalid),
    /// The name of the site is not one line.
    Site(Invalid),
    /// There is no such time zone.
    UnknownTimeZone(String),
    /// A lifetime is out of range.
    Lifetime(Invalid),
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
