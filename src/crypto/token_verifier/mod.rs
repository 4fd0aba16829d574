mod verifying_key;

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::JwkSet;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ACCESS_TOKEN_TYPE;
use super::jose::{TimeBoundClaims, TimeClaims, UnverifiedHeader, UnverifiedKeySet, object};
use crate::domain::{KeyId, SigningAlgorithm, Timestamp};
use verifying_key::VerifyingKey;

const MAX_TOKEN_LENGTH: usize = 8 * 1024;
const MAX_SET_LENGTH: usize = 64 * 1024;

/// Verifies access tokens with a key set. The algorithm is that of the key, never that of the token
/// (RFC 8725 §3.1).
#[derive(Debug)]
pub struct TokenVerifier {
    keys: Vec<VerifyingKey>,
}

impl TokenVerifier {
    /// Creates a verifier from the RS256 and ES256 keys of a set. Others are ignored (RFC 7517 §5).
    pub fn new(keys: &JwkSet) -> Self {
        Self {
            keys: keys
                .keys
                .iter()
                .filter_map(VerifyingKey::from_jwk)
                .collect(),
        }
    }

    /// Creates a verifier from a fetched key set, JSON of at most 64 KiB.
    ///
    /// Ignores unsupported keys: other types, curves and algorithms, encryption keys, and keys
    /// without an id.
    ///
    /// # Errors
    /// If it is not a key set or contains no supported key. The caller should then continue to use
    /// the previous set.
    pub fn from_json(set: &[u8]) -> Result<Self, InvalidKeySet> {
        if set.len() > MAX_SET_LENGTH {
            return Err(InvalidKeySet::TooLong);
        }
        let set: UnverifiedKeySet = object(set).map_err(|_| InvalidKeySet::Malformed)?;
        let keys: Vec<_> = set
            .keys
            .into_iter()
            .filter_map(VerifyingKey::from_json)
            .collect();
        if keys.is_empty() {
            Err(InvalidKeySet::NoKey)
        } else {
            Ok(Self { keys })
        }
    }

    /// Whether the verifier has a key with this id.
    pub fn contains_key(&self, id: &KeyId) -> bool {
        self.keys.iter().any(|key| key.id == *id)
    }

    /// Returns the key id in a token's header, to find the key set that contains it. The token is
    /// not verified.
    ///
    /// # Errors
    /// If it is not a token, or its key id cannot be a thumbprint, so that no key set needs to be
    /// fetched.
    pub fn unverified_key_id(token: &str) -> Result<KeyId, InvalidToken> {
        UnverifiedToken::parse(token).map(|presented| presented.key)
    }

    /// Verifies the signature and validity period at `at` and returns the claims. The caller must
    /// check issuer and audience.
    ///
    /// The header only selects the key. `jwk`, `jku`, `x5u` and `x5c` are ignored.
    ///
    /// # Errors
    /// If the token is invalid in any way.
    pub fn verify<C: DeserializeOwned>(
        &self,
        token: &str,
        at: Timestamp,
    ) -> Result<C, InvalidToken> {
        let claims = self.verify_signature(&UnverifiedToken::parse(token)?)?;
        let _: TimeClaims = claims.validate(at)?;
        serde_json::from_slice(&claims.0).map_err(|_| InvalidToken::BadClaims)
    }

    /// Verifies the signature. The claims are not validated yet.
    pub(crate) fn verify_signature(
        &self,
        token: &UnverifiedToken<'_>,
    ) -> Result<SignedClaims, InvalidToken> {
        let key = self
            .keys
            .iter()
            .find(|key| key.id == token.key)
            .ok_or(InvalidToken::UnknownKey)?;
        if token.algorithm != Some(key.algorithm) {
            return Err(InvalidToken::WrongAlgorithm);
        }
        if !token.is_access_token {
            return Err(InvalidToken::WrongType);
        }
        if token.has_critical_extension {
            return Err(InvalidToken::UnknownExtension);
        }
        let (claims, signature) = (decoded(token.claims)?, decoded(token.signature)?);
        key.public
            .verify_sig(token.message.as_bytes(), &signature)
            .map_err(|_| InvalidToken::BadSignature)?;
        Ok(SignedClaims(claims))
    }
}

/// A parsed token whose signature is not verified.
#[derive(Debug)]
pub(crate) struct UnverifiedToken<'t> {
    /// The key id in the header.
    pub(crate) key: KeyId,
    algorithm: Option<SigningAlgorithm>,
    is_access_token: bool,
    has_critical_extension: bool,
    /// The signed part: the header and the claims.
    message: &'t str,
    claims: &'t str,
    signature: &'t str,
}

impl<'t> UnverifiedToken<'t> {
    /// Parses the token's header.
    ///
    /// # Errors
    /// If it is not a token, or its key id cannot be a thumbprint.
    pub(crate) fn parse(token: &'t str) -> Result<Self, InvalidToken> {
        let [header, claims, signature] = Self::parts(token)?;
        let message = &token[..header.len() + 1 + claims.len()];
        let header = decoded(header)?;
        let header: UnverifiedHeader<'_> = object(&header).map_err(|_| InvalidToken::Malformed)?;
        Ok(Self {
            key: header.kid.parse().map_err(|_| InvalidToken::UnknownKey)?,
            algorithm: SigningAlgorithm::ALL
                .iter()
                .copied()
                .find(|algorithm| algorithm.as_str() == header.alg),
            is_access_token: header.typ == ACCESS_TOKEN_TYPE,
            has_critical_extension: header.crit || header.b64,
            message,
            claims,
            signature,
        })
    }

    /// The encoded header, claims and signature.
    fn parts(token: &str) -> Result<[&str; 3], InvalidToken> {
        if token.len() > MAX_TOKEN_LENGTH {
            return Err(InvalidToken::Malformed);
        }
        let (header, rest) = token.split_once('.').ok_or(InvalidToken::Malformed)?;
        let (claims, signature) = rest.split_once('.').ok_or(InvalidToken::Malformed)?;
        Ok([header, claims, signature])
    }
}

/// Claims of a token with a verified signature, as JSON.
#[derive(Debug)]
pub(crate) struct SignedClaims(Vec<u8>);

impl SignedClaims {
    /// Parses the claims and checks the validity period at `at`.
    ///
    /// # Errors
    /// If the token is not valid at `at`, or a claim is missing or malformed.
    pub(crate) fn validate<'c, C: Deserialize<'c> + TimeBoundClaims>(
        &'c self,
        at: Timestamp,
    ) -> Result<C, InvalidToken> {
        let claims: C = object(&self.0).map_err(|_| InvalidToken::BadClaims)?;
        let (not_before, expires) = claims.validity_period();
        if at < not_before.timestamp() {
            return Err(InvalidToken::NotYetValid);
        }
        if at >= expires.timestamp() {
            return Err(InvalidToken::Expired);
        }
        Ok(claims)
    }
}

/// Reason why a token is invalid. For logs; the client only learns that it is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidToken {
    /// It is not three parts of base64url with a JSON header, or it is longer than 8 KiB.
    Malformed,
    /// No key of the set has its `kid`. A newer set may contain it.
    UnknownKey,
    /// Its `alg` differs from that of its key.
    WrongAlgorithm,
    /// Its `typ` is not `at+jwt`, so it is not an access token.
    WrongType,
    /// It requires an extension by `crit` or has `b64` (RFC 7797). No extension is supported.
    UnknownExtension,
    /// The signature does not match.
    BadSignature,
    /// A claim is missing or malformed.
    BadClaims,
    /// It is not valid yet (`nbf`).
    NotYetValid,
    /// It has expired (`exp`).
    Expired,
}

impl fmt::Display for InvalidToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the token is malformed",
            Self::UnknownKey => "the token's key is unknown",
            Self::WrongAlgorithm => "the token's algorithm differs from its key's",
            Self::WrongType => "the token is not an access token",
            Self::UnknownExtension => "the token requires an unsupported extension",
            Self::BadSignature => "the token's signature is wrong",
            Self::BadClaims => "a claim of the token is missing or malformed",
            Self::NotYetValid => "the token is not valid yet",
            Self::Expired => "the token has expired",
        })
    }
}

impl std::error::Error for InvalidToken {}

/// Reason why a key set is refused. For logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidKeySet {
    /// It is longer than 64 KiB.
    TooLong,
    /// It is not the JSON of RFC 7517 §5.
    Malformed,
    /// None of its keys is an RS256 or ES256 key with an id.
    NoKey,
}

impl fmt::Display for InvalidKeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the key set is longer than 64 KiB",
            Self::Malformed => "the key set is malformed",
            Self::NoKey => "the key set has no supported key",
        })
    }
}

impl std::error::Error for InvalidKeySet {}

fn decoded(part: &str) -> Result<Vec<u8>, InvalidToken> {
    BASE64_URL_SAFE_NO_PAD
        .decode(part)
        .map_err(|_| InvalidToken::Malformed)
}

#[cfg(test)]
mod tests;
