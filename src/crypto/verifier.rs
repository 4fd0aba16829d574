mod key;

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::JwkSet;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ACCESS_TOKEN_TYPE;
use super::wire::{BoundedClaims, PresentedHeader, PresentedSet, Times, object};
use crate::domain::{KeyId, SigningAlgorithm, Timestamp};
use key::VerifyingKey;

const MAX_LENGTH: usize = 8 * 1024;
const MAX_SET_LENGTH: usize = 64 * 1024;

/// Checks access tokens against a key set. The algorithm comes with the key, never with the token (RFC 8725 §3.1).
#[derive(Debug)]
pub struct TokenVerifier {
    keys: Vec<VerifyingKey>,
}

impl TokenVerifier {
    /// A verifier for the RS256 and ES256 keys of a set. Others are left out, as RFC 7517 §5 asks.
    pub fn new(keys: &JwkSet) -> Self {
        Self { keys: keys.keys.iter().filter_map(VerifyingKey::from_jwk).collect() }
    }

    /// A verifier for the keys of a set that came from outside, as JSON of at most 64 KiB.
    ///
    /// What is not understood is left out key by key: other types, curves and algorithms, keys for encryption, keys without an id.
    ///
    /// # Errors
    /// When it is not a key set, or none of its keys can check a token: then something else answered, and what was known before is better.
    pub fn from_json(set: &[u8]) -> Result<Self, KeySetRejected> {
        if set.len() > MAX_SET_LENGTH {
            return Err(KeySetRejected::TooLong);
        }
        let set: PresentedSet = object(set).map_err(|_| KeySetRejected::Malformed)?;
        let keys: Vec<_> = set.keys.into_iter().filter_map(VerifyingKey::from_json).collect();
        if keys.is_empty() { Err(KeySetRejected::NoKey) } else { Ok(Self { keys }) }
    }

    /// Whether one of the keys has this id.
    pub fn knows(&self, id: &KeyId) -> bool {
        self.keys.iter().any(|key| key.id == *id)
    }

    /// The key that a token names, in order to find the set that has it. Nothing of the token is proven.
    ///
    /// # Errors
    /// When it is no token, or what it names cannot be a key: no set in the world is worth asking for.
    pub fn key_named_by(token: &str) -> Result<KeyId, TokenRejected> {
        PresentedToken::read(token).map(|presented| presented.key)
    }

    /// The claims of a token that one of the keys signed and that holds at `at`. Its issuer and audience are for the caller to check.
    ///
    /// Nothing in the token is believed before its signature is: its header only says which key to try. `jwk`, `jku`, `x5u` and `x5c`
    /// are not looked at.
    ///
    /// # Errors
    /// When anything is wrong with it.
    pub fn verify<C: DeserializeOwned>(&self, token: &str, at: Timestamp) -> Result<C, TokenRejected> {
        let claims = self.signed_claims(&PresentedToken::read(token)?)?;
        let _: Times = claims.read(at)?;
        serde_json::from_slice(&claims.0).map_err(|_| TokenRejected::BadClaims)
    }

    /// The claims of a token that one of the keys signed. Whether they hold is not known yet.
    pub(crate) fn signed_claims(&self, token: &PresentedToken<'_>) -> Result<SignedClaims, TokenRejected> {
        let key = self.keys.iter().find(|key| key.id == token.key).ok_or(TokenRejected::UnknownKey)?;
        if token.algorithm != Some(key.algorithm) {
            return Err(TokenRejected::WrongAlgorithm);
        }
        if !token.is_access_token {
            return Err(TokenRejected::WrongType);
        }
        if token.has_extension {
            return Err(TokenRejected::UnknownExtension);
        }
        let (claims, signature) = (decoded(token.claims)?, decoded(token.signature)?);
        key.public.verify_sig(token.message.as_bytes(), &signature).map_err(|_| TokenRejected::BadSignature)?;
        Ok(SignedClaims(claims))
    }
}

/// A token that was taken apart once. Nothing of it is proven.
#[derive(Debug)]
pub(crate) struct PresentedToken<'t> {
    /// The id of the key that it names.
    pub(crate) key: KeyId,
    algorithm: Option<SigningAlgorithm>,
    is_access_token: bool,
    has_extension: bool,
    /// What is signed: the header and the claims.
    message: &'t str,
    claims: &'t str,
    signature: &'t str,
}

impl<'t> PresentedToken<'t> {
    /// Reads the header.
    ///
    /// # Errors
    /// When it is no token, or what it names cannot be a key.
    pub(crate) fn read(token: &'t str) -> Result<Self, TokenRejected> {
        let [header, claims, signature] = Self::parts(token)?;
        let message = &token[..header.len() + 1 + claims.len()];
        let header = decoded(header)?;
        let header: PresentedHeader<'_> = object(&header).map_err(|_| TokenRejected::Malformed)?;
        Ok(Self {
            key: header.kid.parse().map_err(|_| TokenRejected::UnknownKey)?,
            algorithm: SigningAlgorithm::ALL.iter().copied().find(|algorithm| algorithm.as_str() == header.alg),
            is_access_token: header.typ == ACCESS_TOKEN_TYPE,
            has_extension: header.crit || header.b64,
            message,
            claims,
            signature,
        })
    }

    /// Header, claims and signature, still encoded.
    fn parts(token: &str) -> Result<[&str; 3], TokenRejected> {
        if token.len() > MAX_LENGTH {
            return Err(TokenRejected::Malformed);
        }
        let (header, rest) = token.split_once('.').ok_or(TokenRejected::Malformed)?;
        let (claims, signature) = rest.split_once('.').ok_or(TokenRejected::Malformed)?;
        Ok([header, claims, signature])
    }
}

/// The claims of a token whose signature is good, as JSON.
#[derive(Debug)]
pub(crate) struct SignedClaims(Vec<u8>);

impl SignedClaims {
    /// The claims, if they hold at `at`.
    ///
    /// # Errors
    /// When they do not, or lack something.
    pub(crate) fn read<'c, C: Deserialize<'c> + BoundedClaims>(&'c self, at: Timestamp) -> Result<C, TokenRejected> {
        let claims: C = object(&self.0).map_err(|_| TokenRejected::BadClaims)?;
        let (not_before, expires) = claims.bounds();
        if at < not_before.timestamp() {
            return Err(TokenRejected::NotYetValid);
        }
        if at >= expires.timestamp() {
            return Err(TokenRejected::Expired);
        }
        Ok(claims)
    }
}

/// Why a token does not hold. It is for the log; whoever sent the token is told only that it is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRejected {
    /// It is not three parts of base64url with a JSON header, or it is longer than 8 KiB.
    Malformed,
    /// No key of the set has its `kid`. A newer set may.
    UnknownKey,
    /// Its `alg` is not the one of its key.
    WrongAlgorithm,
    /// Its `typ` is not `at+jwt`, so it was made for something else.
    WrongType,
    /// It demands an extension by `crit` or has `b64` (RFC 7797), and none is known here.
    UnknownExtension,
    /// Its key did not sign it.
    BadSignature,
    /// Its claims are missing or of the wrong type.
    BadClaims,
    /// It holds only later (`nbf`).
    NotYetValid,
    /// It does not hold any more (`exp`).
    Expired,
}

impl fmt::Display for TokenRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the token is malformed",
            Self::UnknownKey => "the token's key is unknown",
            Self::WrongAlgorithm => "the token's algorithm is not its key's",
            Self::WrongType => "the token is not an access token",
            Self::UnknownExtension => "the token demands an unknown extension",
            Self::BadSignature => "the token's signature is wrong",
            Self::BadClaims => "the token's claims are missing or of the wrong type",
            Self::NotYetValid => "the token is not valid yet",
            Self::Expired => "the token has expired",
        })
    }
}

impl std::error::Error for TokenRejected {}

/// Why a key set is not taken. It is for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySetRejected {
    /// It is longer than 64 KiB.
    TooLong,
    /// It is not the JSON of RFC 7517 §5.
    Malformed,
    /// None of its keys is an RS256 or ES256 key with an id.
    NoKey,
}

impl fmt::Display for KeySetRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the key set is longer than 64 KiB",
            Self::Malformed => "the key set is malformed",
            Self::NoKey => "the key set has no key that can check a token",
        })
    }
}

impl std::error::Error for KeySetRejected {}

fn decoded(part: &str) -> Result<Vec<u8>, TokenRejected> {
    BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenRejected::Malformed)
}

#[cfg(test)]
mod tests;
