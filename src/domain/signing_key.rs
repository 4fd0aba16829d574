use std::fmt;
use std::str::FromStr;

use crate::domain::{Invalid, Timestamp, vocabulary};

vocabulary! {
    /// How a token is signed (RFC 7518 §3.1).
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
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let shape = text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if shape { Ok(Self(text.into())) } else { Err(Invalid::new("must be a thumbprint of 43 characters of base64url")) }
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A private key that has been encrypted under the master key. Without that it is worth nothing, but it is not printed either.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedKey(Vec<u8>);

impl SealedKey {
    /// What the wrapping made, or a store kept.
    pub const fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes to keep.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SealedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedKey(..)")
    }
}

/// A signing key as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKeyRecord {
    /// Which key it is in the order of their making, from 1. Two nodes that make the next key at once meet here, and one of them wins.
    pub sequence: i64,
    /// The id.
    pub id: KeyId,
    /// The algorithm, which is fixed with the key.
    pub algorithm: SigningAlgorithm,
    /// The private key, encrypted.
    pub sealed: SealedKey,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was taken out of use before its time, if it was.
    pub revoked_at: Option<Timestamp>,
}
