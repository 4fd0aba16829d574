use std::path::PathBuf;
use std::{fmt, io};

use crate::domain::Timestamp;

/// Error of the files of [`Certificates`](super::Certificates). It names the file and shows nothing
/// of its content.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Users outside of the group of the key's file have access to it.
    KeyOpenToOthers {
        /// The file.
        file: PathBuf,
        /// The permissions, such as 0o644.
        mode: u32,
    },
    /// A file is not PEM, or a certificate or key in it is malformed or not supported.
    Malformed {
        /// The file.
        file: PathBuf,
    },
    /// The file of the chain has no certificate.
    NoCertificate {
        /// The file.
        file: PathBuf,
    },
    /// The file of the key has no private key, or an encrypted one.
    NoKey {
        /// The file.
        file: PathBuf,
    },
    /// The key is not that of the first certificate in the chain.
    KeyMismatch {
        /// The file of the chain.
        chain: PathBuf,
        /// The file of the key.
        key: PathBuf,
    },
    /// A certificate has expired.
    Expired {
        /// The file of the chain.
        file: PathBuf,
        /// The time until which it was valid.
        not_after: Timestamp,
    },
    /// A certificate is not valid yet, or the clock is behind.
    NotYetValid {
        /// The file of the chain.
        file: PathBuf,
        /// The time from which it is valid.
        not_before: Timestamp,
    },
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, error } => {
                write!(f, "{} cannot be read: {error}", file.display())
            }
            Self::KeyOpenToOthers { file, mode } => write!(
                f,
                "the private key {} is open to other users (mode {mode:04o}); allow its owner and group at most: chmod 640",
                file.display()
            ),
            Self::Malformed { file } => write!(
                f,
                "{} is not PEM, or what it has is malformed or not supported",
                file.display()
            ),
            Self::NoCertificate { file } => write!(f, "{} has no certificate", file.display()),
            Self::NoKey { file } => write!(
                f,
                "{} has no private key, or an encrypted one",
                file.display()
            ),
            Self::KeyMismatch { chain, key } => write!(
                f,
                "the private key {} is not that of the first certificate in {}",
                key.display(),
                chain.display()
            ),
            Self::Expired { file, not_after } => {
                write!(
                    f,
                    "a certificate in {} expired at {not_after}",
                    file.display()
                )
            }
            Self::NotYetValid { file, not_before } => write!(
                f,
                "a certificate in {} is not valid before {not_before}",
                file.display()
            ),
        }
    }
}

impl std::error::Error for CertificateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            _ => None,
        }
    }
}
