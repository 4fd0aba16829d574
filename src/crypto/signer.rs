use std::fmt::{self, Debug};
use std::sync::Arc;

use ::rsa::pkcs1::RsaPublicKey;
use ::rsa::pkcs1::der::Decode;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256,
};
use jsonwebtoken::jwk::Jwk;

use super::{KeyError, jwk};
use crate::domain::{KeyId, SigningAlgorithm};

/// A parsed private key that signs tokens.
pub trait Signer: Debug + Send + Sync + 'static {
    /// The key id in tokens and the key set.
    fn key_id(&self) -> &KeyId;

    /// The algorithm, which is fixed for a key.
    fn algorithm(&self) -> SigningAlgorithm;

    /// Signs a message, in the form of RFC 7518 §3.3 or §3.4.
    ///
    /// # Errors
    /// If the cryptographic library fails.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError>;

    /// The public key, with `use`, `alg` and `kid`.
    fn public_jwk(&self) -> &Jwk;
}

/// Reason why signing failed. For logs.
#[derive(Debug)]
pub enum SigningError {
    /// The header or the claims cannot be serialized as JSON.
    Unserializable(serde_json::Error),
    /// The cryptographic library failed.
    Refused,
}

impl fmt::Display for SigningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unserializable(_) => "the token cannot be serialized as JSON",
            Self::Refused => "the token could not be signed",
        })
    }
}

impl std::error::Error for SigningError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unserializable(source) => Some(source),
            Self::Refused => None,
        }
    }
}

/// Creates a signer from a private key in PKCS #8.
pub(crate) fn from_pkcs8(
    algorithm: SigningAlgorithm,
    pkcs8: &[u8],
) -> Result<Arc<dyn Signer>, KeyError> {
    Ok(match algorithm {
        SigningAlgorithm::Rs256 => Arc::new(Rs256::from_pkcs8(pkcs8)?),
        SigningAlgorithm::Es256 => Arc::new(Es256::from_pkcs8(pkcs8)?),
    })
}

/// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
struct Rs256 {
    id: KeyId,
    pair: rsa::KeyPair,
    public: Jwk,
}

impl Rs256 {
    fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, KeyError> {
        let pair = rsa::KeyPair::from_pkcs8(pkcs8).map_err(|_| KeyError::Malformed)?;
        // The numbers are taken from the DER, because `rsa::RsaPublicKey` rejects more than 4096
        // bits.
        let numbers =
            RsaPublicKey::from_der(pair.public_key().as_ref()).map_err(|_| KeyError::Malformed)?;
        let (id, public) = jwk::with_key_id(jwk::rsa(
            numbers.modulus.as_bytes(),
            numbers.public_exponent.as_bytes(),
        ))?;
        Ok(Self { id, pair, public })
    }
}

impl Signer for Rs256 {
    fn key_id(&self) -> &KeyId {
        &self.id
    }

    fn algorithm(&self) -> SigningAlgorithm {
        SigningAlgorithm::Rs256
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair
            .sign(
                &RSA_PKCS1_SHA256,
                &SystemRandom::new(),
                message,
                &mut signature,
            )
            .map_err(|_| SigningError::Refused)?;
        Ok(signature)
    }

    fn public_jwk(&self) -> &Jwk {
        &self.public
    }
}

/// ECDSA on P-256 with SHA-256, with a signature of two 32-byte numbers (RFC 7518 §3.4).
struct Es256 {
    id: KeyId,
    pair: EcdsaKeyPair,
    public: Jwk,
}

impl Es256 {
    fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, KeyError> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8)
            .map_err(|_| KeyError::Malformed)?;
        let (x, y) = coordinates(pair.public_key().as_ref()).ok_or(KeyError::Malformed)?;
        let (id, public) = jwk::with_key_id(jwk::p256(x, y))?;
        Ok(Self { id, pair, public })
    }
}

impl Signer for Es256 {
    fn key_id(&self) -> &KeyId {
        &self.id
    }

    fn algorithm(&self) -> SigningAlgorithm {
        SigningAlgorithm::Es256
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
        let signature = self
            .pair
            .sign(&SystemRandom::new(), message)
            .map_err(|_| SigningError::Refused)?;
        Ok(signature.as_ref().to_vec())
    }

    fn public_jwk(&self) -> &Jwk {
        &self.public
    }
}

/// The coordinates of an uncompressed point (SEC 1 §2.3.3).
fn coordinates(point: &[u8]) -> Option<(&[u8; 32], &[u8; 32])> {
    let (x, y) = point.strip_prefix(&[4])?.split_first_chunk()?;
    Some((x, y.try_into().ok()?))
}

macro_rules! named_by_id {
    ($($name:ident),+) => {$(
        impl Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({}, ..)"), self.id)
            }
        }
    )+};
}

named_by_id!(Rs256, Es256);

#[cfg(test)]
mod tests {
    use base64ct::{Base64UrlUnpadded, Encoding};

    use crate::crypto::fixtures::rfc_vectors;

    // Proves: threats 32
    #[test]
    fn the_signature_of_rfc_7515_appendix_a_2_is_made_to_the_byte() {
        let (message, signature) = rfc_vectors::RFC_7515_A2_TOKEN.rsplit_once('.').unwrap();
        let made = rfc_vectors::rs256_signer()
            .sign(message.as_bytes())
            .unwrap();
        assert_eq!(Base64UrlUnpadded::encode_string(&made), signature);
    }

    #[test]
    fn an_es256_signature_has_64_bytes_whatever_its_numbers() {
        let signer = rfc_vectors::es256_signer();
        for number in 0..600_u32 {
            assert_eq!(signer.sign(&number.to_be_bytes()).unwrap().len(), 64);
        }
    }

    #[test]
    fn a_signer_prints_its_id_and_nothing_else() {
        let signer = rfc_vectors::es256_signer();
        assert_eq!(
            format!("{signer:?}"),
            format!("Es256({}, ..)", signer.key_id())
        );
    }
}
