//! Private keys at rest: AES-256-GCM under a key that is derived from the master key, with the key's id as additional data.
//!
//! The layout is one version byte, 12 bytes of nonce, the ciphertext and 16 bytes of tag.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use super::{Entropy, KeyError, MasterKey};
use crate::domain::{KeyId, SealedKey};

const VERSION: u8 = 1;

/// Encrypts a private key.
pub(crate) fn seal(id: &KeyId, private: &[u8], entropy: &dyn Entropy, master: &MasterKey) -> Result<SealedKey, KeyError> {
    let nonce: [u8; NONCE_LEN] = entropy.bytes();
    // With room for the tag, so that the plaintext is never copied out of a buffer that grows.
    let mut text = Zeroizing::new(Vec::with_capacity(private.len() + AES_256_GCM.tag_len()));
    text.extend_from_slice(private);
    cipher(master)?
        .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(id.as_str()), &mut *text)
        .map_err(|_| KeyError::Failed)?;
    Ok(SealedKey::from_bytes([&[VERSION], nonce.as_slice(), &text].concat()))
}

/// Decrypts a private key.
pub(crate) fn unseal(id: &KeyId, sealed: &SealedKey, master: &MasterKey) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let (&version, rest) = sealed.as_bytes().split_first().ok_or(KeyError::Unsealing)?;
    let (&nonce, text) = rest.split_first_chunk::<NONCE_LEN>().ok_or(KeyError::Unsealing)?;
    if version != VERSION {
        return Err(KeyError::Unsealing);
    }
    let mut text = Zeroizing::new(text.to_vec());
    let length = cipher(master)?
        .open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(id.as_str()), &mut text)
        .map_err(|_| KeyError::Unsealing)?
        .len();
    text.truncate(length);
    Ok(text)
}

fn cipher(master: &MasterKey) -> Result<LessSafeKey, KeyError> {
    let key = UnboundKey::new(&AES_256_GCM, master.derive("signing keys at rest").as_slice());
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
    fn what_was_sealed_opens_again_and_does_not_show() {
        let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap();
        assert_eq!(*unseal(&id('a'), &sealed, &master()).unwrap(), b"a private key");
        assert!(!sealed.as_bytes().windows(7).any(|window| window == b"private"));
        assert_ne!(sealed, seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap(), "a nonce was used twice");
    }

    #[test]
    fn another_master_key_or_another_id_does_not_open_it() {
        let sealed = seal(&id('a'), b"a private key", &SystemEntropy, &master()).unwrap();
        assert_eq!(unseal(&id('a'), &sealed, &MasterKey::from_bytes([6; 32])), Err(KeyError::Unsealing));
        assert_eq!(unseal(&id('b'), &sealed, &master()), Err(KeyError::Unsealing));
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
