//! Version of the state that a page showed. The form sends its digest, so that a change in between
//! is detected.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::http::console::form::Form;
use crate::http::console::views::HiddenInput;

/// Name of the hidden field.
pub(crate) const VERSION_FIELD: &str = "seen";

/// Digest of the state that a page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormVersion(String);

impl FormVersion {
    pub(crate) fn from_parts(parts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            let part = part.as_ref();
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Self(Base64UrlUnpadded::encode_string(&digest.finalize()))
    }

    /// The version that a form was made from.
    pub(crate) fn from_form(form: &Form<'_>) -> Self {
        Self(form.field(VERSION_FIELD).unwrap_or_default().to_owned())
    }

    /// Whether the form was made from this version.
    pub(crate) fn matches(&self, form: &Form<'_>) -> bool {
        form.field(VERSION_FIELD) == Some(&*self.0)
    }

    /// Hidden field with the version.
    pub(crate) fn hidden_input(&self) -> HiddenInput {
        HiddenInput {
            name: VERSION_FIELD.to_owned(),
            value: self.0.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parts_are_something_else() {
        let version = |parts: &[&str]| FormVersion::from_parts(parts);
        assert_eq!(version(&["a", "b"]), version(&["a", "b"]));
        for parts in [
            &["b", "a"][..],
            &["ab"],
            &["a"],
            &["a", "b", ""],
            &["", "ab"],
        ] {
            assert_ne!(version(parts), version(&["a", "b"]), "{parts:?}");
        }
    }
}
