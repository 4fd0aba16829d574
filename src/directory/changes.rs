//! What changed since a reader last looked, so that a mirror can follow without full reads.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::domain::{Invalid, Record};
use crate::store::DatasetVersion;

/// Up to where a reader has been told what changed: everything before a state, and of the changes that led to that state those of records up
/// to an id.
///
/// It is printed as text of which nobody needs to know more than that it can be sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    version: DatasetVersion,
    id: i64,
}

impl Cursor {
    /// After the record with this id among those that changed in this state.
    pub const fn new(version: DatasetVersion, id: i64) -> Self {
        Self { version, id }
    }

    /// The state up to which it reaches.
    pub const fn version(self) -> DatasetVersion {
        self.version
    }

    /// The last record that was told of those that changed in the state.
    pub const fn id(self) -> i64 {
        self.id
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatasetVersion { lineage, number, mark } = self.version;
        write!(f, "{lineage:x}-{number:x}-{mark:x}-{:x}", self.id)
    }
}

impl FromStr for Cursor {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        const REFUSED: Invalid = Invalid::new("must be a cursor");
        let numbers: Vec<u64> = text.split('-').map_while(|part| u64::from_str_radix(part, 16).ok()).collect();
        let (version, id) = match numbers[..] {
            [lineage, number, mark, id] => (DatasetVersion { lineage, number, mark }, id),
            // Cursors of versions before marks existed: no version has the mark 0, so readers are told to begin anew.
            [lineage, number, id] => (DatasetVersion { lineage, number, mark: 0 }, id),
            _ => return Err(REFUSED),
        };
        // A cursor has one spelling.
        let spelled = numbers.iter().map(|number| format!("{number:x}")).collect::<Vec<_>>().join("-");
        if spelled == text { Ok(Self { version, id: id.cast_signed() }) } else { Err(REFUSED) }
    }
}

/// What became of a question for changes.
#[derive(Debug, Clone)]
#[must_use]
pub enum Delta<T> {
    /// What changed since.
    Told(Changes<T>),
    /// The cursor is not of this directory, or of a state that it never had; the reader has to start again from the beginning.
    CursorUnknown,
}

/// What changed, as far as the question wanted to be told. A record that changed several times is told once, as it is now.
#[derive(Debug, Clone)]
pub struct Changes<T> {
    /// How many records have changed since, these and those that are still to be told.
    pub total: u64,
    /// Those that are wanted, as they are now.
    pub records: Vec<Arc<Record<T>>>,
    /// The ids of those that are not there any more, or are not wanted.
    pub gone: Vec<i64>,
    /// Where to go on.
    pub next: Cursor,
}

impl<T> Changes<T> {
    /// Whether there is more to be told after these.
    pub fn more(&self) -> bool {
        self.total > (self.records.len() + self.gone.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cursor_has_one_spelling() {
        let cursor = Cursor::new(DatasetVersion { lineage: 0xabc, number: 16, mark: 0xf }, i64::MAX);
        assert_eq!(cursor.to_string(), "abc-10-f-7fffffffffffffff");
        for text in
            ["", "0", "abc-10", "ABC-10-f-1", "0abc-10-f-1", "+abc-10-f-1", "abc-10-f-1-", "abc-10-f-1-1", " abc-10-f-1", "abc--f-1"]
        {
            assert!(text.parse::<Cursor>().is_err(), "{text:?}");
        }
        assert!("abc-10-f-10000000000000000".parse::<Cursor>().is_err());
    }

    proptest! {
        #[test]
        fn a_printed_cursor_is_read_back(lineage in any::<u64>(), number in any::<u64>(), mark in any::<u64>(), id in any::<i64>()) {
            let cursor = Cursor::new(DatasetVersion { lineage, number, mark }, id);
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn arbitrary_text_is_a_cursor_or_not(text in any::<String>()) {
            let _ = text.parse::<Cursor>();
        }
    }
}
