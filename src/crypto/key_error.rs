use std::fmt;

/// Reason why a signing key could not be created or used. For logs: it contains no key material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyError {
    /// The stored key was sealed under another master key, belongs to another key id, or is
    /// damaged.
    Unsealing,
    /// The bytes are not a key of the algorithm: RSA of 2048 to 8192 bits for RS256, P-256 for
    /// ES256.
    Malformed,
    /// The key is valid, but its thumbprint differs from the id of its record.
    WrongId,
    /// The cryptographic library failed.
    Failed,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unsealing => "the signing key cannot be decrypted with this master key",
            Self::Malformed => "the signing key does not fit its algorithm: RSA of 2048 to 8192 bits for RS256, P-256 for ES256",
            Self::WrongId => "the signing key does not match the id of its record",
            Self::Failed => "the signing key could not be created or used",
        })
    }
}

impl std::error::Error for KeyError {}
