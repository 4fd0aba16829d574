use std::fmt;
use std::str::FromStr;

use crate::domain::{InvalidValue, Timestamp, string_enum};

string_enum! {
    /// Algorithm that signs tokens (RFC 7518 §3.1).
    SigningAlgorithm {
        /// RSA with PKCS #1 v1.5 and SHA-256.
        Rs256 = "RS256",
        /// ECDSA on P-256 with SHA-256.
        Es256 = "ES256",
    }
}

/// The id of a signing key: its RFC 7638 thumbprint, 43 characters of base64url.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(Box<str>);

impl KeyId {
    /// The id, as in the `kid` of tokens and key sets.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyId {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let shape = text.len() == 43
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if shape {
            Ok(Self(text.into()))
        } else {
            Err(InvalidValue::new(
                "must be a thumbprint of 43 characters of base64url",
            ))
        }
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A private key encrypted under the master key. `Debug` omits it.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedKey(Vec<u8>);

impl SealedKey {
    /// Wraps bytes that were sealed or loaded from a store.
    pub const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes for storage.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SealedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedKey(..)")
    }
}

/// A stored signing key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKeyRecord {
    /// The position in the order of creation, from 1. It is unique, so when two nodes create the
    /// next key at once, only one of them succeeds.
    pub sequence: i64,
    /// The id.
    pub id: KeyId,
    /// The algorithm, which never changes.
    pub algorithm: SigningAlgorithm,
    /// The private key, encrypted.
    pub sealed: SealedKey,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}
