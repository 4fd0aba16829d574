//! Texts in several languages.

use serde::Serialize;

/// Field for a text in a language.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TranslationField {
    /// Language tag.
    pub(crate) code: &'static str,
    /// Name of the language in itself.
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

/// A text in a language.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TranslationRow {
    /// Name or tag of the language.
    pub(crate) language: String,
    pub(crate) text: String,
}
