use std::sync::Arc;

use smol_str::SmolStr;

use crate::domain::Invalid;

/// The words that a field can have, under the name that OpenAPI gives them.
///
/// ```
/// use lyceum::directory::Words;
///
/// let kinds = Words::new("RoomKind", ["CLASSROOM", "WORKSHOP"]);
/// assert!(kinds.contains("WORKSHOP") && !kinds.contains("workshop"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    name: &'static str,
    words: Arc<[SmolStr]>,
}

impl Words {
    /// These words in their order.
    pub fn new<W: Into<SmolStr>>(name: &'static str, words: impl IntoIterator<Item = W>) -> Self {
        Self { name, words: words.into_iter().map(Into::into).collect() }
    }

    /// Whether the word is one of these.
    pub fn contains(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    /// The words in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(SmolStr::as_str)
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// The word of this spelling.
    pub(crate) fn parse(&self, text: &str) -> Result<SmolStr, Invalid> {
        let known = self.words.iter().find(|word| *word == text).cloned();
        known.ok_or_else(|| Invalid::owned(format!("must be one of {}", self.iter().collect::<Vec<_>>().join(", "))))
    }
}
