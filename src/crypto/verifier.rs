use std::fmt;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use base64ct::{Base64UrlUnpadded, Encoding};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse};
use serde::de::DeserializeOwned;

use super::ACCESS_TOKEN_TYPE;
use super::wire::{PresentedHeader, Times, object};
use crate::domain::{KeyId, SigningAlgorithm, Timestamp};

const MAX_LENGTH: usize = 8 * 1024;

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

    /// The claims of a token that one of the keys signed and that holds at `at`. Its issuer and audience are for the caller to check.
    ///
    /// Nothing in the token is believed before its signature is: its header only says which key to try. `jwk`, `jku`, `x5u` and `x5c`
    /// are not looked at.
    ///
    /// # Errors
    /// When anything is wrong with it.
    pub fn verify<C: DeserializeOwned>(&self, token: &str, at: Timestamp) -> Result<C, TokenRejected> {
        if token.len() > MAX_LENGTH {
            return Err(TokenRejected::Malformed);
        }
        let (message, signature) = token.rsplit_once('.').ok_or(TokenRejected::Malformed)?;
        let (header, claims) = message.split_once('.').ok_or(TokenRejected::Malformed)?;
        let [header, claims, signature] = [decoded(header)?, decoded(claims)?, decoded(signature)?];

        let header: PresentedHeader = object(&header).map_err(|_| TokenRejected::Malformed)?;
        let key = self.key(&header)?;
        key.public.verify_sig(message.as_bytes(), &signature).map_err(|_| TokenRejected::BadSignature)?;

        let times: Times = object(&claims).map_err(|_| TokenRejected::BadClaims)?;
        if at.seconds() < times.nbf {
            return Err(TokenRejected::NotYetValid);
        }
        if at.seconds() >= times.exp {
            return Err(TokenRejected::Expired);
        }
        serde_json::from_slice(&claims).map_err(|_| TokenRejected::BadClaims)
    }

    fn key(&self, header: &PresentedHeader) -> Result<&VerifyingKey, TokenRejected> {
        let id: KeyId = header.kid.parse().map_err(|_| TokenRejected::UnknownKey)?;
        let key = self.keys.iter().find(|key| key.id == id).ok_or(TokenRejected::UnknownKey)?;
        if header.alg != key.algorithm.as_str() {
            return Err(TokenRejected::WrongAlgorithm);
        }
        if header.typ != ACCESS_TOKEN_TYPE {
            return Err(TokenRejected::WrongType);
        }
        if header.crit {
            return Err(TokenRejected::UnknownExtension);
        }
        Ok(key)
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
    /// It demands an extension by `crit`, and none is known here.
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

/// One key of the set, parsed.
#[derive(Debug)]
struct VerifyingKey {
    id: KeyId,
    algorithm: SigningAlgorithm,
    public: ParsedPublicKey,
}

impl VerifyingKey {
    fn from_jwk(key: &Jwk) -> Option<Self> {
        let id = key.common.key_id.as_ref()?.parse().ok()?;
        if key.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
            return None;
        }
        let (algorithm, expected, public) = match &key.algorithm {
            AlgorithmParameters::RSA(key) => {
                let numbers = RsaPublicKeyComponents { n: decoded(&key.n).ok()?, e: decoded(&key.e).ok()? };
                let public = numbers.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256).ok()?;
                (SigningAlgorithm::Rs256, KeyAlgorithm::RS256, public)
            }
            AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
                let point = [vec![4], decoded(&key.x).ok()?, decoded(&key.y).ok()?].concat();
                let public = ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).ok()?;
                (SigningAlgorithm::Es256, KeyAlgorithm::ES256, public)
            }
            _ => return None,
        };
        let stated = key.common.key_algorithm.unwrap_or(expected);
        (stated == expected).then_some(Self { id, algorithm, public })
    }
}

fn decoded(part: &str) -> Result<Vec<u8>, TokenRejected> {
    Base64UrlUnpadded::decode_vec(part).map_err(|_| TokenRejected::Malformed)
}

#[cfg(test)]
mod tests;
