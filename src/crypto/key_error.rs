use std::fmt;

/// Why a signing key could not be made or used. It is for the log: it names no key material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyError {
    /// The key at rest was sealed under another master key, belongs to another key id, or is damaged.
    Unsealing,
    /// The bytes are not a key of the algorithm: RSA of 2048 to 8192 bits for RS256, P-256 for ES256.
    Malformed,
    /// The key is sound, but its thumbprint is not the id that it is filed under.
    WrongId,
    /// The cryptographic library refused to do its work.
    Failed,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsealing => "the signing key does not open under this master key",
            Self::Malformed => "the signing key is not one of its algorithm: RSA of 2048 to 8192 bits for RS256, P-256 for ES256",
            Self::WrongId => "the signing key has another id than its record",
            Self::Failed => "the signing key could not be made",
        })
    }
}

impl std::error::Error for KeyError {}
