//! What somebody saw before they decided. A form sends its digest along, so that nothing is done to what has become something else meanwhile.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use super::form::Form;
use super::views::HiddenInput;

/// The field of the forms.
pub(super) const SEEN: &str = "seen";

/// The digest of what a page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen(String);

impl Seen {
    pub(super) fn of(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            let part = part.as_ref();
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Self(Base64UrlUnpadded::encode_string(&digest.finalize()))
    }

    /// Whether whoever sent the form saw this.
    pub(super) fn is_in(&self, form: &Form<'_>) -> bool {
        form.field(SEEN) == Some(&*self.0)
    }

    /// What the form sends along.
    pub(super) fn input(&self) -> HiddenInput {
        HiddenInput { name: SEEN.to_owned(), value: self.0.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parts_are_something_else() {
        let of = |parts: &[&str]| Seen::of(parts);
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        for parts in [&["b", "a"][..], &["ab"], &["a"], &["a", "b", ""], &["", "ab"]] {
            assert_ne!(of(parts), of(&["a", "b"]), "{parts:?}");
        }
    }
}
