use std::fmt;

use aws_lc_rs::hmac;
use base64ct::{Base64Unpadded, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

use super::Entropy;
use crate::domain::InvalidValue;

/// Example master keys of this documentation, in base64.
const DOCUMENTED_EXAMPLES: [&str; 1] = ["Wq0cYw0e3cGSCcD8oTtqJsCkS2bOa+YyTwYrJjkyIbk"];

/// The one secret that a host configures: 256 random bits. Every other long-lived secret is derived
/// from it or encrypted with it.
///
/// With the master key, signing keys can be read from a stolen database. If it is lost, these keys
/// and all refresh tokens are lost. A server cannot be built with a key that is not random: one
/// repeated byte, or an example of this documentation.
///
/// Additional master keys for decryption and verification allow a change without downtime: see
/// [`with_former`](Self::with_former).
///
/// ```
/// use lyceum::crypto::MasterKey;
///
/// // As `openssl rand -base64 32` prints it.
/// let key = MasterKey::from_base64("Wq0cYw0e3cGSCcD8oTtqJsCkS2bOa+YyTwYrJjkyIbk=")?;
/// assert_eq!(format!("{key:?}"), "MasterKey(..)");
/// assert!(MasterKey::from_base64("too short").is_err());
/// # Ok::<(), lyceum::domain::InvalidValue>(())
/// ```
#[derive(Clone)]
pub struct MasterKey {
    secret: Secret,
    /// Keys used only to decrypt and verify.
    secondary: Vec<(Secret, SecondaryRole)>,
}

type Secret = Zeroizing<[u8; 32]>;

/// Role of a secondary master key, which only decrypts and verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecondaryRole {
    /// The previous master key. Its sealed data is sealed again under the current one.
    Former,
    /// The future master key, which other nodes may use already.
    Next,
}

impl MasterKey {
    /// Creates a key from 32 bytes, which must be random.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self {
            secret: Zeroizing::new(bytes),
            secondary: Vec::new(),
        }
    }

    /// Generates a key. The host must store it to use it again after a restart.
    pub fn generate(entropy: &dyn Entropy) -> Self {
        Self::from_bytes(entropy.bytes())
    }

    /// Parses a key in either base64 alphabet: 43 characters, or 44 with padding.
    ///
    /// # Errors
    /// If the text is not the canonical base64 of 32 bytes.
    pub fn from_base64(text: &str) -> Result<Self, InvalidValue> {
        const REFUSED: InvalidValue = InvalidValue::new("must be the base64 of 32 bytes");
        let digits = if text.len() == 44 {
            text.strip_suffix('=').ok_or(REFUSED)?
        } else {
            text
        };
        let mut bytes = Zeroizing::new([0; 32]);
        let decoded = Base64Unpadded::decode(digits, bytes.as_mut_slice())
            .map(<[u8]>::len)
            .or_else(|_| Base64UrlUnpadded::decode(digits, bytes.as_mut_slice()).map(<[u8]>::len));
        if decoded == Ok(32) {
            Ok(Self {
                secret: bytes,
                secondary: Vec::new(),
            })
        } else {
            Err(REFUSED)
        }
    }

    /// Adds `former`, the previous master key. Refresh tokens, forms and signing keys made under it
    /// stay usable, and signing keys that it sealed are sealed again under this key. Nothing else
    /// is created under it.
    ///
    /// During a rolling restart the remaining nodes only have `former`. Restart them first with
    /// [`with_next`](Self::with_next), so that every node accepts what the others create:
    /// `docs/operations.md` lists the steps.
    ///
    /// ```
    /// use lyceum::crypto::{MasterKey, SystemEntropy, generate_signing_key, open_signing_key};
    /// use lyceum::domain::{SigningAlgorithm, Timestamp};
    ///
    /// let (old, new) = (MasterKey::generate(&SystemEntropy), MasterKey::generate(&SystemEntropy));
    /// let key = generate_signing_key(SigningAlgorithm::Es256, 1, Timestamp::from_seconds(0), &SystemEntropy, &old)?;
    /// assert!(open_signing_key(&key, &new).is_err());
    /// assert!(open_signing_key(&key, &new.with_former(old)).is_ok());
    /// # Ok::<(), lyceum::crypto::KeyError>(())
    /// ```
    #[must_use]
    pub fn with_former(self, former: Self) -> Self {
        self.with(former, SecondaryRole::Former)
    }

    /// Adds `next`, the future master key, so that this node accepts what other nodes create under
    /// it. Nothing is created or sealed under it here.
    #[must_use]
    pub fn with_next(self, next: Self) -> Self {
        self.with(next, SecondaryRole::Next)
    }

    fn with(mut self, other: Self, kind: SecondaryRole) -> Self {
        self.secondary.push((other.secret, kind));
        self.secondary.extend(other.secondary);
        self
    }

    /// Checks that the primary key is strong. Secondary keys are not checked, so that a service can
    /// rotate away from a weak key; see [`has_weak_secondary`](Self::has_weak_secondary).
    pub(crate) fn check(&self) -> Result<(), InvalidValue> {
        if is_weak(&self.secret) {
            return Err(InvalidValue::new(
                "must be 32 random bytes, not one byte repeated or the example of the documentation",
            ));
        }
        Ok(())
    }

    /// Whether a secondary key is not random. It is still used to decrypt and verify.
    pub(crate) fn has_weak_secondary(&self) -> bool {
        self.secondary.iter().any(|(secret, _)| is_weak(secret))
    }

    /// Whether there is a former master key, under which signing keys may be sealed.
    pub(crate) fn has_former(&self) -> bool {
        self.secondary
            .iter()
            .any(|(_, role)| *role == SecondaryRole::Former)
    }

    /// Derives a secret for one purpose: HMAC-SHA256 of the purpose's text. Secrets of different
    /// purposes are independent. The text must never change once it is used.
    pub(crate) fn derive(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        derive(&self.secret, purpose)
    }

    /// The secrets of the secondary keys for one purpose.
    pub(super) fn derive_secondary(
        &self,
        purpose: &str,
    ) -> impl Iterator<Item = (Zeroizing<[u8; 32]>, SecondaryRole)> {
        self.secondary
            .iter()
            .map(move |(secret, role)| (derive(secret, purpose), *role))
    }

    /// The HMAC keys for one purpose: first the primary one, which creates, then the secondary
    /// ones.
    pub(super) fn hmac_keys(&self, purpose: &str) -> Vec<hmac::Key> {
        let others = self.derive_secondary(purpose).map(|(secret, _)| secret);
        [self.derive(purpose)]
            .into_iter()
            .chain(others)
            .map(|secret| hmac::Key::new(hmac::HMAC_SHA256, secret.as_slice()))
            .collect()
    }
}

/// Whether the key is guessable or published in the documentation.
fn is_weak(secret: &Secret) -> bool {
    let is_printed = DOCUMENTED_EXAMPLES
        .iter()
        .any(|text| MasterKey::from_base64(text).is_ok_and(|printed| printed.secret == *secret));
    is_printed || secret.iter().all(|byte| *byte == secret[0])
}

fn derive(secret: &Secret, purpose: &str) -> Zeroizing<[u8; 32]> {
    let tag = hmac::sign(
        &hmac::Key::new(hmac::HMAC_SHA256, secret.as_slice()),
        purpose.as_bytes(),
    );
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
            assert_eq!(
                *MasterKey::from_base64(text).unwrap().secret,
                bytes,
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let text = Base64Unpadded::encode_string(&[0xFB; 32]);
        let unused_bits_set = format!("{}t", &text[..42]);
        let mixed = text.replacen('+', "-", 1);
        for text in [
            "",
            "=",
            &text[..42],
            &format!("{text}A"),
            &format!("{text}=="),
            &format!(" {text}"),
            &mixed,
            &unused_bits_set,
        ] {
            assert!(
                MasterKey::from_base64(text).is_err(),
                "{text:?} was accepted"
            );
        }
    }

    #[test]
    fn a_key_that_is_not_random_is_refused_and_may_still_be_a_former_one() {
        for weak in [[0; 32], [7; 32], [255; 32]] {
            assert!(MasterKey::from_bytes(weak).check().is_err(), "{weak:?}");
            let left = MasterKey::from_bytes([[1; 16], [2; 16]].concat().try_into().unwrap())
                .with_former(MasterKey::from_bytes(weak));
            assert_eq!(left.check(), Ok(()));
        }
        assert_eq!(
            MasterKey::generate(&crate::crypto::SystemEntropy).check(),
            Ok(())
        );
    }

    /// Fails if the documentation contains an example key that is not refused.
    #[test]
    fn every_key_that_the_documentation_prints_is_refused() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = vec![root.join("README.md")];
        let mut folders = vec![root.join("docs"), root.join("src"), root.join("examples")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
            {
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
            for printed in text
                .split("MasterKey::from_base64(\"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next())
            {
                // Keys refused as malformed are fine, too.
                let Ok(key) = MasterKey::from_base64(printed) else {
                    continue;
                };
                assert!(key.check().is_err(), "{printed} in {}", file.display());
                seen += 1;
            }
        }
        assert!(seen > 0, "no key was found");
    }

    #[test]
    fn each_purpose_and_each_key_has_secrets_of_its_own() {
        let key = MasterKey::from_bytes([1; 32]);
        assert_eq!(key.derive("one"), key.derive("one"));
        assert_ne!(key.derive("one"), key.derive("two"));
        assert_ne!(
            key.derive("one"),
            MasterKey::from_bytes([2; 32]).derive("one")
        );
    }
}
