//! The fields of a record as a form showed them, so that a change in between is found field by
//! field.

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::http::console::form::Form;
use crate::http::console::form::version::VERSION_FIELD;
use crate::http::console::views::HiddenInput;

/// The values of a form, each with the name of its column.
pub(super) type Values = Vec<(&'static str, String)>;

/// Short digests of the values, in the order of the columns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen(Vec<String>);

impl Seen {
    pub(super) fn new(values: &Values) -> Self {
        Self(values.iter().map(digest).collect())
    }

    /// The digests that the form sent; those of no values if it sent none.
    pub(super) fn from_form(form: &Form<'_>) -> Self {
        let sent = form.field(VERSION_FIELD).unwrap_or_default();
        Self(sent.split('.').map(str::to_owned).collect())
    }

    /// Whether the value at this position is another one now.
    pub(super) fn differs(&self, index: usize, value: &(&'static str, String)) -> bool {
        self.0.get(index) != Some(&digest(value))
    }

    pub(super) fn hidden_input(&self) -> HiddenInput {
        HiddenInput {
            name: VERSION_FIELD.to_owned(),
            value: self.0.join("."),
        }
    }
}

/// Browsers send line ends as CRLF.
pub(super) fn normalize(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn digest((column, value): &(&'static str, String)) -> String {
    let digest = Sha256::digest(format!("{column}\n{}", normalize(value)));
    Base64UrlUnpadded::encode_string(&digest[..6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_differs_from_another_one_and_not_from_other_line_ends() {
        let seen = Seen::new(&vec![("name", "a\nb".to_owned()), ("email", String::new())]);
        assert!(!seen.differs(0, &("name", "a\r\nb".to_owned())));
        assert!(seen.differs(0, &("name", "a\nc".to_owned())));
        assert!(!seen.differs(1, &("email", String::new())));
        assert!(seen.differs(2, &("email", String::new())));
    }
}
