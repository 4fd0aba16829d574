use std::fmt;

use serde::{Serialize, Serializer};

use crate::crypto::Entropy;

/// Id of a request in responses, logs and events: 10 characters that are hard to confuse.
/// Independent of any id that the client sends.
///
/// ```
/// use lyceum::crypto::SystemEntropy;
/// use lyceum::http::audit::RequestId;
///
/// let id = RequestId::new(&SystemEntropy);
/// assert_eq!(id.as_str().len(), 10);
/// assert_eq!(id.to_string(), id.as_str());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId([u8; 10]);

/// Digits and lower-case letters without i, l, o and u.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl RequestId {
    /// Creates a random id of 50 bits.
    pub fn new(entropy: &dyn Entropy) -> Self {
        Self(
            entropy
                .bytes()
                .map(|byte: u8| LETTERS[usize::from(byte % 32)]),
        )
    }

    /// Whether a text may be an id, by its length and its letters.
    #[cfg(feature = "console")]
    pub(crate) fn is_well_formed(text: &str) -> bool {
        text.len() == 10 && text.bytes().all(|letter| LETTERS.contains(&letter))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Always(u8);

    impl Entropy for Always {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn every_byte_becomes_a_letter() {
        let ids: std::collections::HashSet<String> = (0..=255)
            .map(|byte| RequestId::new(&Always(byte)).to_string())
            .collect();
        assert_eq!(ids.len(), 32);
        assert!(
            ids.iter()
                .all(|id| id.len() == 10 && !id.contains(['i', 'l', 'o', 'u'])),
            "{ids:?}"
        );
    }
}
