use std::fmt;

use aws_lc_rs::hmac;
use base64ct::{Base64Unpadded, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

use super::Entropy;
use crate::domain::Invalid;

/// The master keys that this documentation prints as examples, in base64.
const PRINTED: [&str; 1] = ["Wq0cYw0e3cGSCcD8oTtqJsCkS2bOa+YyTwYrJjkyIbk"];

/// The one secret that a host configures: 256 random bits, from which every other long-lived secret is derived or encrypted.
///
/// Whoever has it can read the signing keys of a stolen database; whoever loses it loses those keys and every refresh token. A server
/// refuses to be built with a key that is not random: one byte repeated, or an example of this documentation.
///
/// Other master keys can be given for opening only, so that a service changes its master key without a gap: see
/// [`with_former`](Self::with_former).
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
pub struct MasterKey {
    secret: Secret,
    /// Keys for opening only.
    others: Vec<(Secret, Other)>,
}

type Secret = Zeroizing<[u8; 32]>;

/// What a master key for opening only is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    /// It was the master key before: what it sealed is sealed anew.
    Former,
    /// It is going to be the master key: other nodes may use it already.
    Next,
}

impl MasterKey {
    /// A key from its 32 bytes, which must be random.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self { secret: Zeroizing::new(bytes), others: Vec::new() }
    }

    /// A new key. It is lost with the process: a service keeps its key where it finds it again.
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self::from_bytes(entropy.bytes())
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
        if decoded == Ok(32) { Ok(Self { secret: bytes, others: Vec::new() }) } else { Err(REFUSED) }
    }

    /// This key, which also opens what was made under `former`, the master key until now: refresh tokens, forms and signing keys. Rows that
    /// `former` sealed are sealed anew under this key. Nothing else is made under it.
    ///
    /// While nodes are restarted one by one, the others still have `former` alone. Restart them before with
    /// [`with_next`](Self::with_next), so that each opens what the others make: `docs/operations.md` has the steps.
    ///
    /// ```
    /// use lyceum::crypto::{MasterKey, SystemEntropy, generate, open};
    /// use lyceum::domain::{SigningAlgorithm, Timestamp};
    ///
    /// let (old, new) = (MasterKey::generate(&SystemEntropy), MasterKey::generate(&SystemEntropy));
    /// let key = generate(SigningAlgorithm::Es256, 1, Timestamp::from_seconds(0), &SystemEntropy, &old)?;
    /// assert!(open(&key, &new).is_err());
    /// assert!(open(&key, &new.with_former(old)).is_ok());
    /// # Ok::<(), lyceum::crypto::KeyError>(())
    /// ```
    #[must_use]
    pub fn with_former(self, former: Self) -> Self {
        self.with(former, Other::Former)
    }

    /// This key, which also opens what other nodes make under `next`, the master key that is to follow. Nothing is made or sealed anew under
    /// that one here.
    #[must_use]
    pub fn with_next(self, next: Self) -> Self {
        self.with(next, Other::Next)
    }

    fn with(mut self, other: Self, kind: Other) -> Self {
        self.others.push((other.secret, kind));
        self.others.extend(other.others);
        self
    }

    /// Whether the key can be what a service makes its secrets from. Keys for opening only are not refused, so a service can rotate away from a
    /// weak key; [`has_weak_other`](Self::has_weak_other) tells of them.
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if is_weak(&self.secret) {
            return Err(Invalid::new("must be 32 random bytes, not one byte repeated or the example of the documentation"));
        }
        Ok(())
    }

    /// Whether one of the keys for opening only is not random. What is made under it opens all the same.
    pub(crate) fn has_weak_other(&self) -> bool {
        self.others.iter().any(|(secret, _)| is_weak(secret))
    }

    /// Whether a signing key may be sealed under a former master key.
    pub(crate) fn has_former(&self) -> bool {
        self.others.iter().any(|(_, kind)| *kind == Other::Former)
    }

    /// A secret for one purpose: HMAC-SHA256 of the label. Secrets of different labels say nothing about each other, and a label is
    /// never changed once something was made with it.
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        derive(&self.secret, purpose)
    }

    /// The secrets for one purpose of the keys that are for opening only.
    pub(super) fn derive_others(&self, purpose: &str) -> impl Iterator<Item = (Zeroizing<[u8; 32]>, Other)> {
        self.others.iter().map(move |(secret, kind)| (derive(secret, purpose), *kind))
    }

    /// The HMAC keys for one purpose: that of this key first, which makes, and those of the keys that are for opening only.
    pub(super) fn hmac_keys(&self, purpose: &str) -> Vec<hmac::Key> {
        let others = self.derive_others(purpose).map(|(secret, _)| secret);
        [self.derive(purpose)].into_iter().chain(others).map(|secret| hmac::Key::new(hmac::HMAC_SHA256, secret.as_slice())).collect()
    }
}

/// Whether anyone could guess the key or read it in the documentation.
fn is_weak(secret: &Secret) -> bool {
    let is_printed = PRINTED.iter().any(|text| MasterKey::from_base64(text).is_ok_and(|printed| printed.secret == *secret));
    is_printed || secret.iter().all(|byte| *byte == secret[0])
}

fn derive(secret: &Secret, purpose: &str) -> Zeroizing<[u8; 32]> {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_slice()), purpose.as_bytes());
    let mut derived = Zeroizing::new([0; 32]);
    derived.copy_from_slice(tag.as_ref());
    derived
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
            assert_eq!(*MasterKey::from_base64(text).unwrap().secret, bytes, "{text}");
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
    fn a_key_that_is_not_random_is_refused_and_may_still_be_a_former_one() {
        for weak in [[0; 32], [7; 32], [255; 32]] {
            assert!(MasterKey::from_bytes(weak).check().is_err(), "{weak:?}");
            let left = MasterKey::from_bytes([[1; 16], [2; 16]].concat().try_into().unwrap()).with_former(MasterKey::from_bytes(weak));
            assert_eq!(left.check(), Ok(()));
        }
        assert_eq!(MasterKey::generate(&crate::crypto::SystemEntropy).check(), Ok(()));
    }

    /// Fails if the documentation prints another key than those that are refused.
    #[test]
    fn every_key_that_the_documentation_prints_is_refused() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = vec![root.join("README.md")];
        let mut folders = vec![root.join("docs"), root.join("src"), root.join("examples")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                match entry.extension().and_then(|extension| extension.to_str()) {
                    Some("md" | "rs") => files.push(entry),
                    _ if entry.is_dir() => folders.push(entry),
                    _ => {}
                }
            }
        }
        let mut seen = 0;
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            for printed in text.split("MasterKey::from_base64(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                // Those that are refused as malformed are fine, too.
                let Ok(key) = MasterKey::from_base64(printed) else { continue };
                assert!(key.check().is_err(), "{printed} in {}", file.display());
                seen += 1;
            }
        }
        assert!(seen > 0, "nothing was looked at");
    }

    #[test]
    fn each_purpose_and_each_key_has_secrets_of_its_own() {
        let key = MasterKey::from_bytes([1; 32]);
        assert_eq!(key.derive("one"), key.derive("one"));
        assert_ne!(key.derive("one"), key.derive("two"));
        assert_ne!(key.derive("one"), MasterKey::from_bytes([2; 32]).derive("one"));
    }
}
