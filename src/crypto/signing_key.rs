use std::fmt;
use std::sync::Arc;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeyPair;
use p256::elliptic_curve::rand_core::{CryptoRng, Error, RngCore};
use rsa::RsaPrivateKey;
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey};

use super::{Entropy, KeyError, MasterKey, Signer, sealed, signer};
use crate::domain::{SealedKey, SigningAlgorithm, SigningKeyRecord, Timestamp};

const RSA_BITS: usize = 2048;

/// Makes a signing key, encrypted as a store keeps it: RSA of 2048 bits for RS256, P-256 for ES256.
///
/// An RSA key takes a good part of a second of computing; call it where that does not matter.
///
/// ```
/// use lyceum::crypto::{MasterKey, SystemEntropy, generate, open};
/// use lyceum::domain::{SigningAlgorithm, Timestamp};
///
/// let master = MasterKey::from_bytes([7; 32]);
/// let record = generate(SigningAlgorithm::Es256, 1, Timestamp::from_seconds(0), &SystemEntropy, &master)?;
/// assert_eq!(open(&record, &master)?.key_id(), &record.id);
/// assert!(open(&record, &MasterKey::from_bytes([8; 32])).is_err());
/// # Ok::<(), lyceum::crypto::KeyError>(())
/// ```
///
/// # Errors
/// [`KeyError::Failed`] when the cryptographic libraries refuse.
pub fn generate(
    algorithm: SigningAlgorithm,
    sequence: i64,
    at: Timestamp,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SigningKeyRecord, KeyError> {
    let mut randomness = Randomness(entropy);
    let pkcs8 = match algorithm {
        SigningAlgorithm::Rs256 => {
            RsaPrivateKey::new(&mut randomness, RSA_BITS).map_err(|_| KeyError::Failed)?.to_pkcs8_der().map_err(|_| KeyError::Failed)?
        }
        SigningAlgorithm::Es256 => p256::SecretKey::random(&mut randomness).to_pkcs8_der().map_err(|_| KeyError::Failed)?,
    };
    record(algorithm, pkcs8.as_bytes(), sequence, at, entropy, master)
}

/// Takes over a key that was made elsewhere: DER in PKCS #8, PKCS #1 (RSA) or SEC 1 (P-256). An RSA key has 2048 to 8192 bits, the sizes
/// that sign and verify here.
///
/// # Errors
/// [`KeyError::Malformed`] when it is not a key of the algorithm, such as an RSA key of less than 2048 bits.
pub fn import(
    algorithm: SigningAlgorithm,
    der: &[u8],
    sequence: i64,
    at: Timestamp,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SigningKeyRecord, KeyError> {
    match algorithm {
        SigningAlgorithm::Rs256 => {
            // The `rsa` crate would refuse more than 4096 bits, so the library that signs reads the key.
            let pair = KeyPair::from_pkcs8(der).or_else(|_| KeyPair::from_der(der)).map_err(|_| KeyError::Malformed)?;
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

/// Decrypts a key and makes it ready to sign.
///
/// # Errors
/// [`KeyError::Unsealing`] under other master keys or when the record is damaged.
pub fn open(record: &SigningKeyRecord, master: &MasterKey) -> Result<Arc<dyn Signer>, KeyError> {
    let pkcs8 = sealed::unseal(&record.id, &record.sealed, master)?;
    let signer = signer::from_pkcs8(record.algorithm, &pkcs8)?;
    if *signer.key_id() == record.id { Ok(signer) } else { Err(KeyError::WrongId) }
}

/// The key sealed anew under the present master key, if a former one sealed it.
pub(crate) fn reseal(record: &SigningKeyRecord, entropy: &dyn Entropy, master: &MasterKey) -> Result<Option<SealedKey>, KeyError> {
    sealed::reseal(&record.id, &record.sealed, entropy, master)
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
    let sealed = sealed::seal(&id, pkcs8, entropy, master)?;
    Ok(SigningKeyRecord { sequence, id, algorithm, sealed, created_at: at, revoked_at: None })
}

/// Our entropy under the trait that the key-making crates ask for.
struct Randomness<'a>(&'a dyn Entropy);

impl RngCore for Randomness<'_> {
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

impl CryptoRng for Randomness<'_> {}

impl fmt::Debug for Randomness<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomness(..)")
    }
}

#[cfg(test)]
mod tests {
    use p256::elliptic_curve::sec1::ToEncodedPoint;
    use rsa::pkcs1::EncodeRsaPrivateKey;

    use super::*;
    use crate::crypto::{ACCESS_TOKEN_TYPE, SystemEntropy, TokenVerifier, key_set, rsa_sizes, sign_token, vectors};

    const AT: Timestamp = Timestamp::from_seconds(1_790_000_000);

    fn master() -> MasterKey {
        MasterKey::from_bytes([3; 32])
    }

    #[test]
    fn a_generated_key_is_filed_under_its_thumbprint_and_opens_under_its_master_key_alone() {
        for algorithm in SigningAlgorithm::ALL.iter().copied() {
            let record = generate(algorithm, 4, AT, &SystemEntropy, &master()).unwrap();
            assert_eq!((record.sequence, record.algorithm, record.created_at), (4, algorithm, AT));
            let signer = open(&record, &master()).unwrap();
            assert_eq!((signer.key_id(), signer.algorithm()), (&record.id, algorithm));
            assert_eq!(crate::crypto::thumbprint(signer.public_jwk()).unwrap(), record.id);
            assert_eq!(open(&record, &MasterKey::from_bytes([4; 32])).unwrap_err(), KeyError::Unsealing);
        }
    }

    #[test]
    fn no_two_generated_keys_are_alike() {
        let make = || generate(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master()).unwrap();
        assert_ne!(make().id, make().id);
    }

    #[test]
    fn a_key_under_the_algorithm_or_id_of_another_is_refused() {
        let record = generate(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master()).unwrap();
        let confused = SigningKeyRecord { algorithm: SigningAlgorithm::Rs256, ..record.clone() };
        assert_eq!(open(&confused, &master()).unwrap_err(), KeyError::Malformed);
        let other = generate(SigningAlgorithm::Es256, 1, AT, &SystemEntropy, &master()).unwrap();
        let renamed = SigningKeyRecord { id: other.id.clone(), ..record.clone() };
        assert_eq!(open(&renamed, &master()).unwrap_err(), KeyError::Unsealing);
        let private = sealed::unseal(&record.id, &record.sealed, &master()).unwrap();
        let resealed = sealed::seal(&other.id, &private, &SystemEntropy, &master()).unwrap();
        assert_eq!(open(&SigningKeyRecord { sealed: resealed, ..renamed }, &master()).unwrap_err(), KeyError::WrongId);
    }

    #[test]
    fn a_key_from_elsewhere_is_read_in_each_of_its_formats() {
        let key = vectors::rsa_private_key();
        for der in [key.to_pkcs8_der().unwrap(), key.to_pkcs1_der().unwrap()] {
            let record = import(SigningAlgorithm::Rs256, der.as_bytes(), 1, AT, &SystemEntropy, &master()).unwrap();
            assert_eq!(record.id, *vectors::rs256_signer().key_id());
        }
        let key = vectors::p256_private_key();
        assert!(!key.public_key().to_encoded_point(false).is_identity());
        for der in [key.to_pkcs8_der().unwrap().as_bytes(), key.to_sec1_der().unwrap().as_slice()] {
            let record = import(SigningAlgorithm::Es256, der, 1, AT, &SystemEntropy, &master()).unwrap();
            assert_eq!(record.id, *vectors::es256_signer().key_id());
        }
    }

    /// Fails if any part of import, opening, signing, publishing or verifying has another bound than the rest.
    #[test]
    fn rsa_keys_of_2048_to_8192_bits_are_imported_sign_and_verify_and_others_are_refused() {
        let import = |der: &[u8]| import(SigningAlgorithm::Rs256, der, 1, AT, &SystemEntropy, &master());
        for key in rsa_sizes::KEYS {
            let result = import(&key.pkcs1());
            if !(2048..=8192).contains(&key.bits()) {
                assert_eq!(result, Err(KeyError::Malformed), "{} bits", key.bits());
                continue;
            }
            let signer = open(&result.unwrap(), &master()).unwrap();
            let claims = serde_json::json!({ "iat": 0, "exp": AT.seconds() });
            let token = sign_token(&*signer, ACCESS_TOKEN_TYPE, &claims).unwrap();
            let verifier = TokenVerifier::new(&key_set([&*signer]));
            let read: serde_json::Value = verifier.verify(&token, Timestamp::from_seconds(1)).unwrap();
            assert_eq!(read, claims, "{} bits", key.bits());
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for algorithm in SigningAlgorithm::ALL.iter().copied() {
            assert_eq!(import(algorithm, b"not a key", 1, AT, &SystemEntropy, &master()), Err(KeyError::Malformed));
        }
    }
}
