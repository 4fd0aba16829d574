//! Encryption of what a browser keeps from one request to the next: AES-256-GCM under a key derived
//! from the master key, for one owner and a limited time. No store has it.
//!
//! A sealed file is a field of the page that shows what the file would change, for its user. A sealed
//! secret is a cookie for the page that shows it once, for its session.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64ct::{Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

use super::{Entropy, KeyError, MasterKey};
use crate::domain::Timestamp;

/// Version of the layout: this byte, the second of the expiry, the nonce, the ciphertext, the tag.
const VERSION: u8 = 1;
/// Bytes before the nonce.
const HEADER: usize = 1 + 8;

/// Seals one kind of contents.
pub(crate) struct Seal {
    /// The first secret seals. The others open what was sealed under other master keys.
    secrets: Vec<Zeroizing<[u8; 32]>>,
}

/// Reasons why sealed contents are not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SealError {
    /// Their time is over.
    Expired,
    /// They were sealed for another owner or purpose, or are damaged.
    Invalid,
}

impl Seal {
    /// The seal of uploaded files, of all servers with this master key.
    pub(crate) fn of_uploads(master: &MasterKey) -> Self {
        Self::new(master, "uploaded files")
    }

    /// The seal of what cookies carry to the next page.
    pub(crate) fn of_cookies(master: &MasterKey) -> Self {
        Self::new(master, "sealed cookies")
    }

    /// Derives the keys for a purpose from the master key.
    fn new(master: &MasterKey, purpose: &str) -> Self {
        let mut secrets = vec![master.derive(purpose)];
        for (secret, _) in master.derive_secondary(purpose) {
            secrets.push(secret);
        }
        Self { secrets }
    }

    /// Encrypts contents for an owner, as text.
    pub(crate) fn seal(
        &self,
        owner: &[u8],
        expires_at: Timestamp,
        contents: &[u8],
        entropy: &dyn Entropy,
    ) -> Result<String, KeyError> {
        let nonce: [u8; NONCE_LEN] = entropy.bytes();
        let mut header = vec![VERSION];
        header.extend(expires_at.seconds().to_be_bytes());
        let mut buffer = contents.to_vec();
        let aad = Aad::from(additional_data(&header, owner));
        cipher(&self.secrets[0])?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut buffer)
            .map_err(|_| KeyError::Failed)?;
        let sealed = [&header, nonce.as_slice(), &buffer].concat();
        Ok(Base64UrlUnpadded::encode_string(&sealed))
    }

    /// Decrypts contents of this owner.
    pub(crate) fn open(
        &self,
        owner: &[u8],
        now: Timestamp,
        sealed: &str,
    ) -> Result<Vec<u8>, SealError> {
        let sealed = Base64UrlUnpadded::decode_vec(sealed).map_err(|_| SealError::Invalid)?;
        let (header, rest) = sealed
            .split_first_chunk::<HEADER>()
            .ok_or(SealError::Invalid)?;
        let (&nonce, ciphertext) = rest
            .split_first_chunk::<NONCE_LEN>()
            .ok_or(SealError::Invalid)?;
        let (&version, &seconds) = (
            &header[0],
            header.last_chunk::<8>().ok_or(SealError::Invalid)?,
        );
        if version != VERSION {
            return Err(SealError::Invalid);
        }
        for secret in &self.secrets {
            let Ok(cipher) = cipher(secret) else {
                continue;
            };
            let mut buffer = ciphertext.to_vec();
            let aad = Aad::from(additional_data(header, owner));
            let nonce = Nonce::assume_unique_for_key(nonce);
            if let Ok(contents) = cipher.open_in_place(nonce, aad, &mut buffer) {
                let length = contents.len();
                buffer.truncate(length);
                return if now < Timestamp::from_seconds(i64::from_be_bytes(seconds)) {
                    Ok(buffer)
                } else {
                    Err(SealError::Expired)
                };
            }
        }
        Err(SealError::Invalid)
    }
}

fn cipher(secret: &[u8; 32]) -> Result<LessSafeKey, KeyError> {
    let key = UnboundKey::new(&AES_256_GCM, secret);
    key.map(LessSafeKey::new).map_err(|_| KeyError::Failed)
}

fn additional_data(header: &[u8], owner: &[u8]) -> Vec<u8> {
    [header, owner].concat()
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seal").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::SystemEntropy;

    const LATER: Timestamp = Timestamp::from_seconds(3600);
    const NOW: Timestamp = Timestamp::from_seconds(3599);

    #[test]
    fn sealed_contents_open_for_their_owner_and_purpose_until_they_expire() {
        let seal = Seal::of_uploads(&MasterKey::from_bytes([5; 32]));
        let (mine, theirs) = (b"mine", b"theirs");
        let sealed = seal.seal(mine, LATER, b"name\n", &SystemEntropy).unwrap();
        assert_eq!(seal.open(mine, NOW, &sealed).unwrap(), b"name\n");
        assert_eq!(seal.open(mine, LATER, &sealed), Err(SealError::Expired));
        assert_eq!(seal.open(theirs, NOW, &sealed), Err(SealError::Invalid));
        let other = Seal::of_uploads(&MasterKey::from_bytes([6; 32]));
        assert_eq!(other.open(mine, NOW, &sealed), Err(SealError::Invalid));
        let other = Seal::of_cookies(&MasterKey::from_bytes([5; 32]));
        assert_eq!(other.open(mine, NOW, &sealed), Err(SealError::Invalid));
    }

    #[test]
    fn damaged_ones_and_a_later_expiry_do_not_open() {
        let seal = Seal::of_uploads(&MasterKey::from_bytes([5; 32]));
        let mine = b"mine";
        let sealed = seal.seal(mine, LATER, b"name\n", &SystemEntropy).unwrap();
        for text in ["", "x", "!", &sealed[1..], &sealed[..20]] {
            assert_eq!(
                seal.open(mine, NOW, text),
                Err(SealError::Invalid),
                "{text}"
            );
        }
        let bytes = Base64UrlUnpadded::decode_vec(&sealed).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let text = Base64UrlUnpadded::encode_string(&damaged);
            assert_eq!(seal.open(mine, NOW, &text), Err(SealError::Invalid), "{at}");
        }
    }
}
