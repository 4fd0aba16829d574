//! Public keys as JSON Web Keys (RFC 7517).

mod wire;

use base64ct::{Base64UrlUnpadded, Encoding};
use jsonwebtoken::jwk::{
    AlgorithmParameters, CommonParameters, EllipticCurve, EllipticCurveKeyParameters,
    EllipticCurveKeyType, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse, RSAKeyParameters, RSAKeyType,
};
use sha2::{Digest, Sha256};

use super::{KeyError, Signer};
use crate::domain::KeyId;
use wire::{EcMembers, RsaMembers};

/// Returns the published key set, with the keys in the given order (RFC 7517 §5).
pub fn jwk_set<'a>(signers: impl IntoIterator<Item = &'a dyn Signer>) -> JwkSet {
    JwkSet {
        keys: signers
            .into_iter()
            .map(|signer| signer.public_jwk().clone())
            .collect(),
    }
}

/// Returns the id of a key: the SHA-256 of its required members in canonical order (RFC 7638 §3).
///
/// # Errors
/// If it is neither an RSA key nor a key on a NIST curve.
pub fn thumbprint(key: &Jwk) -> Result<KeyId, KeyError> {
    let members = match &key.algorithm {
        AlgorithmParameters::RSA(key) => serde_json::to_vec(&RsaMembers {
            e: &key.e,
            kty: "RSA",
            n: &key.n,
        }),
        AlgorithmParameters::EllipticCurve(key) => serde_json::to_vec(&EcMembers {
            crv: &key.curve,
            kty: "EC",
            x: &key.x,
            y: &key.y,
        }),
        _ => return Err(KeyError::Malformed),
    };
    let digest = Sha256::digest(members.map_err(|_| KeyError::Failed)?);
    Base64UrlUnpadded::encode_string(&digest)
        .parse()
        .map_err(|_| KeyError::Failed)
}

/// The public JWK of an RSA key, from its modulus and exponent without leading zeros.
pub(crate) fn rsa(modulus: &[u8], exponent: &[u8]) -> Jwk {
    Jwk {
        common: common(KeyAlgorithm::RS256),
        algorithm: AlgorithmParameters::RSA(RSAKeyParameters {
            key_type: RSAKeyType::RSA,
            n: Base64UrlUnpadded::encode_string(modulus),
            e: Base64UrlUnpadded::encode_string(exponent),
        }),
    }
}

/// The public JWK of a P-256 key, from its coordinates.
pub(crate) fn p256(x: &[u8; 32], y: &[u8; 32]) -> Jwk {
    Jwk {
        common: common(KeyAlgorithm::ES256),
        algorithm: AlgorithmParameters::EllipticCurve(EllipticCurveKeyParameters {
            key_type: EllipticCurveKeyType::EC,
            curve: EllipticCurve::P256,
            x: Base64UrlUnpadded::encode_string(x),
            y: Base64UrlUnpadded::encode_string(y),
        }),
    }
}

/// Sets `kid` to the thumbprint. Returns the id and the key.
pub(crate) fn with_key_id(mut key: Jwk) -> Result<(KeyId, Jwk), KeyError> {
    let id = thumbprint(&key)?;
    key.common.key_id = Some(id.as_str().to_owned());
    Ok((id, key))
}

fn common(algorithm: KeyAlgorithm) -> CommonParameters {
    CommonParameters {
        public_key_use: Some(PublicKeyUse::Signature),
        key_algorithm: Some(algorithm),
        ..CommonParameters::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::fixtures::rfc_vectors;

    #[test]
    fn the_thumbprint_of_rfc_7638_section_3_1_holds() {
        let key: Jwk = serde_json::from_str(rfc_vectors::RFC_7638_KEY).unwrap();
        assert_eq!(
            thumbprint(&key).unwrap().as_str(),
            "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
        );
    }

    #[test]
    fn a_key_that_no_algorithm_here_uses_has_no_thumbprint() {
        let key: Jwk = serde_json::from_str(r#"{"kty":"oct","k":"AAAA"}"#).unwrap();
        assert_eq!(thumbprint(&key), Err(KeyError::Malformed));
    }

    // Proves: spec 3.18
    #[test]
    fn a_published_key_has_its_use_algorithm_and_id_and_no_private_part() {
        let signers = [rfc_vectors::rs256_signer(), rfc_vectors::es256_signer()];
        let set = serde_json::to_value(jwk_set(signers.iter().map(|signer| &**signer))).unwrap();
        let names =
            |key: &serde_json::Value| key.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let (rsa, p256) = (&set["keys"][0], &set["keys"][1]);
        let mut expected = ["use", "alg", "kid", "kty", "n", "e"];
        expected.sort_unstable();
        let mut found = names(rsa);
        found.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(
            (&rsa["use"], &rsa["alg"], &rsa["kty"], &rsa["e"]),
            (
                &"sig".into(),
                &"RS256".into(),
                &"RSA".into(),
                &"AQAB".into()
            )
        );
        assert_eq!(rsa["n"], rfc_vectors::RFC_7515_A2_N);
        assert_eq!(rsa["kid"], signers[0].key_id().as_str());
        let mut expected = ["use", "alg", "kid", "kty", "crv", "x", "y"];
        expected.sort_unstable();
        let mut found = names(p256);
        found.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(
            (&p256["alg"], &p256["crv"]),
            (&"ES256".into(), &"P-256".into())
        );
        assert_eq!(
            (&p256["x"], &p256["y"]),
            (
                &rfc_vectors::RFC_7515_A3_X.into(),
                &rfc_vectors::RFC_7515_A3_Y.into()
            )
        );
    }
}
