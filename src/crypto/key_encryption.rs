//! Encryption of stored private keys: AES-256-GCM under a key derived from the master key, with the
//! key's id as additional data.
//!
//! The layout is one version byte, 12 bytes of nonce, the ciphertext and 16 bytes of tag.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use super::master_key::SecondaryRole;
use super::{Entropy, KeyError, MasterKey};
use crate::domain::{KeyId, SealedKey};

/// Version of the layout.
const VERSION: u8 = 1;
/// Purpose for which the encryption key is derived from the master key.
const PURPOSE: &str = "signing keys at rest";

/// Encrypts a private key.
pub(crate) fn seal(
    id: &KeyId,
    private: &[u8],
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<SealedKey, KeyError> {
    let nonce: [u8; NONCE_LEN] = entropy.bytes();
    // The capacity includes the tag, so that a growing buffer leaves no copy of the plaintext.
    let mut buffer = Zeroizing::new(Vec::with_capacity(private.len() + AES_256_GCM.tag_len()));
    buffer.extend_from_slice(private);
    cipher(&master.derive(PURPOSE))?
        .seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(id.as_str()),
            &mut *buffer,
        )
        .map_err(|_| KeyError::Failed)?;
    Ok(SealedKey::from_bytes(
        [&[VERSION], nonce.as_slice(), &buffer].concat(),
    ))
}

/// Decrypts a private key.
pub(crate) fn unseal(
    id: &KeyId,
    sealed: &SealedKey,
    master: &MasterKey,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    unseal_by_any(id, sealed, master).map(|(private, _)| private)
}

/// Encrypts a private key again if it was encrypted under a former master key; `None` otherwise.
pub(crate) fn reseal(
    id: &KeyId,
    sealed: &SealedKey,
    entropy: &dyn Entropy,
    master: &MasterKey,
) -> Result<Option<SealedKey>, KeyError> {
    match unseal_by_any(id, sealed, master)? {
        (private, Some(SecondaryRole::Former)) => seal(id, &private, entropy, master).map(Some),
        _ => Ok(None),
    }
}

/// Decrypts the private key. Also returns the role of the master key used, unless it is the
/// primary.
fn unseal_by_any(
    id: &KeyId,
    sealed: &SealedKey,
    master: &MasterKey,
) -> Result<(Zeroizing<Vec<u8>>, Option<SecondaryRole>), KeyError> {
    let decrypted = decrypt(id, sealed, &cipher(&master.derive(PURPOSE))?);
    if decrypted != Err(KeyError::Unsealing) {
        return decrypted.map(|private| (private, None));
    }
    for (secret, role) in master.derive_secondary(PURPOSE) {
        if let Ok(private) = decrypt(id, sealed, &cipher(&secret)?) {
            return Ok((private, Some(role)));
        }
    }
    Err(KeyError::Unsealing)
}

fn decrypt(
    id: &KeyId,
    sealed: &SealedKey,
    cipher: &LessSafeKey,
) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let (&version, rest) = sealed.as_bytes().split_first().ok_or(KeyError::Unsealing)?;
    let (&nonce, ciphertext) = rest
        .split_first_chunk::<NONCE_LEN>()
        .ok_or(KeyError::Unsealing)?;
    if version != VERSION {
        return Err(KeyError::Unsealing);
    }
    let mut buffer = Zeroizing::new(ciphertext.to_vec());
    let length = cipher
        .open_in_place(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(id.as_str()),
            &mut buffer,
        )
        .map_err(|_| KeyError::Unsealing)?
        .len();
    buffer.truncate(length);
    Ok(buffer)
}

fn cipher(secret: &[u8; 32]) -> Result<LessSafeKey, KeyError> {
    let key = UnboundKey::new(&AES_256_GCM, secret);
    key.map(LessSafeKey::new).map_err(|_| KeyError::Failed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::crypto::SystemEntropy;

    fn id(letter: char) -> KeyId {
        letter.to_string().repeat(43).parse().unwrap()
    }

    fn master() -> MasterKey {
        MasterKey::from_bytes([5; 32])
    }

    #[test]
    fn a_sealed_key_can_be_unsealed_and_is_not_readable() {
        let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap();
        assert_eq!(
            *unseal(&id('a'), &sealed, &master()).unwrap(),
            b"a private key"
        );
        assert!(
            !sealed
                .as_bytes()
                .windows(7)
                .any(|window| window == b"private")
        );
        assert_ne!(
            sealed,
            seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap(),
            "a nonce was used twice"
        );
    }

    #[test]
    fn another_master_key_or_another_id_does_not_open_it() {
        let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap();
        assert_eq!(
            unseal(&id('a'), &sealed, &MasterKey::from_bytes([6; 32])),
            Err(KeyError::Unsealing)
        );
        assert_eq!(
            unseal(&id('b'), &sealed, &master()),
            Err(KeyError::Unsealing)
        );
    }

    #[test]
    fn a_former_master_key_unseals_and_its_keys_are_sealed_again() {
        let [old, new] = [5, 6].map(|key| MasterKey::from_bytes([key; 32]));
        let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &old).unwrap();
        let both = new.clone().with_former(old.clone());
        assert_eq!(*unseal(&id('a'), &sealed, &both).unwrap(), b"a private key");
        let anew = reseal(&id('a'), &sealed, &SystemEntropy, &both)
            .unwrap()
            .expect("the key is sealed again");
        assert_eq!(*unseal(&id('a'), &anew, &new).unwrap(), b"a private key");
        assert_eq!(unseal(&id('a'), &anew, &old), Err(KeyError::Unsealing));
        assert_eq!(
            reseal(&id('a'), &anew, &SystemEntropy, &both),
            Ok(None),
            "a second time changes nothing"
        );
        // A node that has the next key leaves keys sealed under it unchanged.
        let before = old.with_next(new);
        assert_eq!(*unseal(&id('a'), &anew, &before).unwrap(), b"a private key");
        assert_eq!(reseal(&id('a'), &anew, &SystemEntropy, &before), Ok(None));
    }

    proptest! {
        #[test]
        fn a_damaged_key_does_not_open(at in any::<prop::sample::Index>(), bit in 0..8_u8, cut in any::<prop::sample::Index>()) {
            let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap();
            let mut bytes = sealed.as_bytes().to_vec();
            let shortened = SealedKey::from_bytes(bytes[..cut.index(bytes.len())].to_vec());
            prop_assert_eq!(unseal(&id('a'), &shortened, &master()), Err(KeyError::Unsealing));
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(unseal(&id('a'), &SealedKey::from_bytes(bytes), &master()), Err(KeyError::Unsealing));
        }
    }
}
