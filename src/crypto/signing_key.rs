use std::fmt;
use std::sync::Arc;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeyPair;
use p256::elliptic_curve::rand_core::{CryptoRng, Error, RngCore};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey};

use super::{Entropy, KeyError, MasterKey, Signer, key_encryption, signer};
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord, Timestamp};

const RSA_BITS: usize = 2048;

/// Generates a signing key, sealed for storage: RSA of 2048 bits for RS256, P-256 for ES256.
///
/// Generating an RSA key takes a large part of a second of CPU time.
///
/// ```
/// use lyceum::crypto::{MasterKey, SystemEntropy, generate_signing_key, open_signing_key};
/// use lyceum::domain::{SigningAlgorithm, Timestamp};
///
/// let master = MasterKey::from_bytes([7; 32]);
/// let record = generate_signing_key(SigningAlgorithm::Es256, 1, Timestamp::from_seconds(0), &SystemEntropy, &master)?;
/// assert_eq!(open_signing_key(&record, &master)?.key_id(), &record.id);
/// assert!(open_signing_key(&record, &MasterKey::from_bytes([8; 32])).is_err());
/// # Ok::<(), lyceum::crypto::KeyError>(())
/// ```
///
/// # Errors
/// [`KeyError::Failed`] if a cryptographic library fails.
pub fn generate_signing_key(
    algorithm: SigningAlgorithm,
    sequence: i64,
    at: Timestamp,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SigningKeyRecord, KeyError> {
    let mut rng = EntropyRng(entropy);
    let pkcs8 = match algorithm {
        SigningAlgorithm::Rs256 => RsaPrivateKey::new(&mut rng, RSA_BITS)
            .map_err(|_| KeyError::Failed)?
            .to_pkcs8_der()
            .map_err(|_| KeyError::Failed)?,
        SigningAlgorithm::Es256 => p256::SecretKey::random(&mut rng)
            .to_pkcs8_der()
            .map_err(|_| KeyError::Failed)?,
    };
    record(algorithm, pkcs8.as_bytes(), sequence, at, entropy, master)
}

/// Imports a key generated elsewhere: DER in PKCS #8, PKCS #1 (RSA) or SEC 1 (P-256). An RSA key
/// must have 2048 to 8192 bits.
///
/// # Errors
/// [`KeyError::Malformed`] if it is not a key of the algorithm, such as an RSA key of less than
/// 2048 bits.
pub fn import_signing_key(
    algorithm: SigningAlgorithm,
    der: &[u8],
    sequence: i64,
    at: Timestamp,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SigningKeyRecord, KeyError> {
    match algorithm {
        SigningAlgorithm::Rs256 => {
            // The `rsa` crate rejects more than 4096 bits, so the signing library parses the key.
            let pair = KeyPair::from_pkcs8(der)
                .or_else(|_| KeyPair::from_der(der))
                .map_err(|_| KeyError::Malformed)?;
            let pkcs8: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError::Malformed)?;
            record(algorithm, pkcs8.as_ref(), sequence, at, entropy, master)
        }
        SigningAlgorithm::Es256 => {
            let key = p256::SecretKey::from_pkcs8_der(der)
                .or_else(|_| p256::SecretKey::from_sec1_der(der).map_err(|_| KeyError::Malformed))
                .map_err(|_| KeyError::Malformed)?;
            let pkcs8 = key.to_pkcs8_der().map_err(|_| KeyError::Malformed)?;
            record(algorithm, pkcs8.as_bytes(), sequence, at, entropy, master)
        }
    }
}

/// Decrypts a key for signing.
///
/// # Errors
/// [`KeyError::Unsealing`] with other master keys or if the record is damaged.
pub fn open_signing_key(
    record: &SigningKeyRecord,
    master: &MasterKey,
) -> Result<Arc<dyn Signer>, KeyError> {
    let pkcs8 = key_encryption::unseal(&record.id, &record.sealed, master)?;
    let signer = signer::from_pkcs8(record.algorithm, &pkcs8)?;
    if *signer.key_id() == record.id {
        Ok(signer)
    } else {
        Err(KeyError::WrongId)
    }
}

/// Seals the key under the current master key if a former one sealed it.
pub(crate) fn reseal_signing_key(
    record: &SigningKeyRecord,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<Option<SealedKey>, KeyError> {
    key_encryption::reseal(&record.id, &record.sealed, entropy, master)
}

fn record(
    algorithm: SigningAlgorithm,
    pkcs8: &[u8],
    sequence: i64,
    at: Timestamp,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SigningKeyRecord, KeyError> {
    let id = signer::from_pkcs8(algorithm, pkcs8)?.key_id().clone();
    let sealed = key_encryption::seal(&id, pkcs8, entropy, master)?;
    Ok(SigningKeyRecord {
        sequence,
        id,
        algorithm,
        sealed,
        created_at: at,
        revoked_at: None,
    })
}

/// Adapts [`Entropy`] to the trait of the key generation crates.
struct EntropyRng<'a>(&'a dyn Entropy);

impl RngCore for EntropyRng<'_> {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(self.0.bytes())
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes(self.0.bytes())
    }

    fn fill_bytes(&mut self, buffer: &mut [u8]) {
        self.0.fill(buffer);
    }

    fn try_fill_bytes(&mut self, buffer: &mut [u8]) -> Result<(), Error> {
        self.0.fill(buffer);
        Ok(())
    }
}

impl CryptoRng for EntropyRng<'_> {}

impl fmt::Debug for EntropyRng<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EntropyRng(..)")
    }
}

#[cfg(test)]
mod tests {
    use p256::elliptic_curve::sec1::ToEncodedPoint;
    use rsa::pkcs1::EncodeRsaPrivateKey;

    use super::*;
    use crate::crypto::{
        ACCESS_TOKEN_TYPE, SystemEntropy, TokenVerifier, fixtures::rfc_vectors,
        fixtures::sized_rsa_keys, jwk_set, sign_token,
    };

    const AT: Timestamp = Timestamp::from_seconds(1_790_000_000);

    fn master() -> MasterKey {
        MasterKey::from_bytes([3; 32])
    }

    #[test]
    fn a_generated_key_is_filed_under_its_thumbprint_and_opens_under_its_master_key_alone() {
        for algorithm in SigningAlgorithm::ALL.iter().copied() {
            let record = generate_signing_key(algorithm, 4, AT, &SystemEntropy, &master()).unwrap();
            assert_eq!(
                (record.sequence, record.algorithm, record.created_at),
                (4, algorithm, AT)
            );
            let signer = open_signing_key(&record, &master()).unwrap();
            assert_eq!(
                (signer.key_id(), signer.algorithm()),
                (&record.id, algorithm)
            );
            assert_eq!(
                crate::crypto::thumbprint(signer.public_jwk()).unwrap(),
                record.id
            );
            assert_eq!(
                open_signing_key(&record, &MasterKey::from_bytes([4; 32])).unwrap_err(),
                KeyError::Unsealing
            );
        }
    }

    #[test]
    fn no_two_generated_keys_are_alike() {
        let make = || {
            generate_signing_key(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master()).unwrap()
        };
        assert_ne!(make().id, make().id);
    }

    #[test]
    fn a_key_under_the_algorithm_or_id_of_another_is_refused() {
        let record =
            generate_signing_key(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master())
                .unwrap();
        let confused = SigningKeyRecord {
            algorithm: SigningAlgorithm::Rs256,
            ..record.clone()
        };
        assert_eq!(
            open_signing_key(&confused, &master()).unwrap_err(),
            KeyError::Malformed
        );
        let other = generate_signing_key(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master())
            .unwrap();
        let renamed = SigningKeyRecord {
            id: other.id.clone(),
            ..record.clone()
        };
        assert_eq!(
            open_signing_key(&renamed, &master()).unwrap_err(),
            KeyError::Unsealing
        );
        let private = key_encryption::unseal(&record.id, &record.sealed, &master()).unwrap();
        let resealed =
            key_encryption::seal(&other.id, &private, &SystemEntropy, &master()).unwrap();
        assert_eq!(
            open_signing_key(
                &SigningKeyRecord {
                    sealed: resealed,
                    ..renamed
                },
                &master()
            )
            .unwrap_err(),
            KeyError::WrongId
        );
    }

    #[test]
    fn a_key_from_elsewhere_is_read_in_each_of_its_formats() {
        let key = rfc_vectors::rsa_private_key();
        for der in [key.to_pkcs8_der().unwrap(), key.to_pkcs1_der().unwrap()] {
            let record = import_signing_key(
                SigningAlgorithm::Rs256,
                der.as_bytes(),
                1,
                AT,
                &SystemEntropy,
                &master(),
            )
            .unwrap();
            assert_eq!(record.id, *rfc_vectors::rs256_signer().key_id());
        }
        let key = rfc_vectors::p256_private_key();
        assert!(!key.public_key().to_encoded_point(false).is_identity());
        for der in [
            key.to_pkcs8_der().unwrap().as_bytes(),
            key.to_sec1_der().unwrap().as_slice(),
        ] {
            let record = import_signing_key(
                SigningAlgorithm::Es256,
                der,
                1,
                AT,
                &SystemEntropy,
                &master(),
            )
            .unwrap();
            assert_eq!(record.id, *rfc_vectors::es256_signer().key_id());
        }
    }

    /// Fails if import, decryption, signing, publication and verification accept different key
    /// sizes.
    #[test]
    fn rsa_keys_of_2048_to_8192_bits_are_imported_sign_and_verify_and_others_are_refused() {
        let import = |der: &[u8]| {
            import_signing_key(
                SigningAlgorithm::Rs256,
                der,
                1,
                AT,
                &SystemEntropy,
                &master(),
            )
        };
        for key in sized_rsa_keys::KEYS {
            let result = import(&key.pkcs1());
            if !(2048..=8192).contains(&key.bits()) {
                assert_eq!(result, Err(KeyError::Malformed), "{} bits", key.bits());
                continue;
            }
            let signer = open_signing_key(&result.unwrap(), &master()).unwrap();
            let claims = serde_json::json!({ "iat": 0, "exp": AT.seconds() });
            let token = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims).unwrap();
            let verifier = TokenVerifier::new(&jwk_set([&*signer]));
            let read: serde_json::Value =
                verifier.verify(&token, Timestamp::from_seconds(1)).unwrap();
            assert_eq!(read, claims, "{} bits", key.bits());
        }
    }

    #[test]
    fn bytes_that_are_no_key_are_refused() {
        for algorithm in SigningAlgorithm::ALL.iter().copied() {
            assert_eq!(
                import_signing_key(algorithm, b"not a key", 1, AT, &SystemEntropy, &master()),
                Err(KeyError::Malformed)
            );
        }
    }
}
