use std::fmt;

use aws_lc_rs::hmac;
use base64ct::{Base64Unpadded, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

use crate::domain::Invalid;

/// The one secret that a host configures: 256 random bits, from which every other long-lived secret is derived or encrypted.
///
/// Whoever has it can read the signing keys of a stolen database; whoever loses it loses those keys and every refresh token.
///
/// ```
/// use lyceum::crypto::MasterKey;
///
/// // As `openssl rand -base64 32` prints it.
/// let key = MasterKey::from_base64("Wq0cYw0e3cGSCcD8oTtqJsCkS2bOa+YyTwYrJjkyIbk=")?;
/// assert_eq!(format!("{key:?}"), "MasterKey(..)");
/// assert!(MasterKey::from_base64("too short").is_err());
/// # Ok::<(), lyceum::domain::Invalid>(())
/// ```
#[derive(Clone)]
pub struct MasterKey(Zeroizing<[u8; 32]>);

impl MasterKey {
    /// A key from its 32 bytes, which must be random.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// A key from its base64 in either alphabet: 43 characters, or 44 with the padding.
    ///
    /// # Errors
    /// When the text is not the base64 of 32 bytes in its one canonical spelling.
    pub fn from_base64(text: &str) -> Result<Self, Invalid> {
        const REFUSED: Invalid = Invalid::new("must be the base64 of 32 bytes");
        let digits = if text.len() == 44 { text.strip_suffix('=').ok_or(REFUSED)? } else { text };
        let mut bytes = Zeroizing::new([0; 32]);
        let decoded = Base64Unpadded::decode(digits, bytes.as_mut_slice())
            .map(<[u8]>::len)
            .or_else(|_| Base64UrlUnpadded::decode(digits, bytes.as_mut_slice()).map(<[u8]>::len));
        if decoded == Ok(32) { Ok(Self(bytes)) } else { Err(REFUSED) }
    }

    /// A secret for one purpose: HMAC-SHA256 of the label. Secrets of different labels say nothing about each other, and a label is
    /// never changed once something was made with it.
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, self.0.as_slice()), purpose.as_bytes());
        let mut secret = Zeroizing::new([0; 32]);
        secret.copy_from_slice(tag.as_ref());
        secret
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_from_either_alphabet_with_or_without_padding() {
        let bytes = [0xFB; 32];
        let standard = Base64Unpadded::encode_string(&bytes);
        let url = Base64UrlUnpadded::encode_string(&bytes);
        assert_ne!(standard, url);
        for text in [&standard, &url, &format!("{standard}="), &format!("{url}=")] {
            assert_eq!(*MasterKey::from_base64(text).unwrap().0, bytes, "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let text = Base64Unpadded::encode_string(&[0xFB; 32]);
        let unused_bits_set = format!("{}t", &text[..42]);
        let mixed = text.replacen('+', "-", 1);
        for text in ["", "=", &text[..42], &format!("{text}A"), &format!("{text}=="), &format!(" {text}"), &mixed, &unused_bits_set] {
            assert!(MasterKey::from_base64(text).is_err(), "{text:?} was accepted");
        }
    }

    #[test]
    fn each_purpose_and_each_key_has_secrets_of_its_own() {
        let key = MasterKey::from_bytes([1; 32]);
        assert_eq!(key.derive("one"), key.derive("one"));
        assert_ne!(key.derive("one"), key.derive("two"));
        assert_ne!(key.derive("one"), MasterKey::from_bytes([2; 32]).derive("one"));
    }
}
