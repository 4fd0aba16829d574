use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
};
use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse,
};

use super::decoded;
use crate::domain::{KeyId, SigningAlgorithm};

/// A parsed key of the set.
#[derive(Debug)]
pub(super) struct VerifyingKey {
    pub(super) id: KeyId,
    pub(super) algorithm: SigningAlgorithm,
    pub(super) public: ParsedPublicKey,
}

impl VerifyingKey {
    /// Parses one element of a set; `None` if the key is unsupported.
    pub(super) fn from_json(key: serde_json::Value) -> Option<Self> {
        Self::from_jwk(&serde_json::from_value(key).ok()?)
    }

    pub(super) fn from_jwk(key: &Jwk) -> Option<Self> {
        let id = key.common.key_id.as_ref()?.parse().ok()?;
        if key
            .common
            .public_key_use
            .as_ref()
            .is_some_and(|purpose| *purpose != PublicKeyUse::Signature)
        {
            return None;
        }
        if key
            .common
            .key_operations
            .as_ref()
            .is_some_and(|operations| !operations.contains(&KeyOperations::Verify))
        {
            return None;
        }
        let (algorithm, expected, public) = match &key.algorithm {
            AlgorithmParameters::RSA(key) => {
                let numbers = RsaPublicKeyComponents {
                    n: decoded(&key.n).ok()?,
                    e: decoded(&key.e).ok()?,
                };
                let public = numbers
                    .to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256)
                    .ok()?;
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
        (stated == expected).then_some(Self {
            id,
            algorithm,
            public,
        })
    }
}
