//! Changes since a cursor, so that a client can mirror a list without full reads.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::domain::{InvalidValue, Record};
use crate::store::DatasetVersion;

/// Position of a client in the changes of a list: all changes before a version, and of the records
/// that changed in that version those up to an id.
///
/// Its text form is opaque; clients only send it back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    version: DatasetVersion,
    id: i64,
}

impl Cursor {
    /// A cursor after this record among those that changed in this version.
    pub const fn new(version: DatasetVersion, id: i64) -> Self {
        Self { version, id }
    }

    /// The version that the cursor reaches.
    pub const fn version(self) -> DatasetVersion {
        self.version
    }

    /// The last returned record of those that changed in that version.
    pub const fn id(self) -> i64 {
        self.id
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatasetVersion {
            lineage,
            number,
            mark,
        } = self.version;
        write!(f, "{lineage:x}-{number:x}-{mark:x}-{:x}", self.id)
    }
}

impl FromStr for Cursor {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const REFUSED: InvalidValue = InvalidValue::new("must be a cursor");
        let numbers: Vec<u64> = text
            .split('-')
            .map_while(|part| u64::from_str_radix(part, 16).ok())
            .collect();
        let (version, id) = match numbers[..] {
            [lineage, number, mark, id] => (
                DatasetVersion {
                    lineage,
                    number,
                    mark,
                },
                id,
            ),
            // The old format, without a mark. No version has the mark 0, so the client has to start
            // over.
            [lineage, number, id] => (
                DatasetVersion {
                    lineage,
                    number,
                    mark: 0,
                },
                id,
            ),
            _ => return Err(REFUSED),
        };
        // A cursor has one spelling only.
        let spelled = numbers
            .iter()
            .map(|number| format!("{number:x}"))
            .collect::<Vec<_>>()
            .join("-");
        if spelled == text {
            Ok(Self {
                version,
                id: id.cast_signed(),
            })
        } else {
            Err(REFUSED)
        }
    }
}

/// Outcome of a query for changes.
#[derive(Debug, Clone)]
#[must_use]
pub enum Delta<T> {
    /// The changes since the cursor.
    Changes(Changes<T>),
    /// The cursor belongs to another directory or to an unknown version. The client has to start
    /// over without a cursor.
    CursorUnknown,
}

/// The changes that a query returned. A record that changed several times is returned once, in its
/// current state.
#[derive(Debug, Clone)]
pub struct Changes<T> {
    /// Number of all records that changed since the cursor, including those not returned yet.
    pub total: u64,
    /// Changed records that match the query, in their current state.
    pub records: Vec<Arc<Record<T>>>,
    /// Ids of records that were deleted or do not match the query.
    pub deleted: Vec<i64>,
    /// The cursor for the next query.
    pub next: Cursor,
}

impl<T> Changes<T> {
    /// Whether further changes follow these.
    pub fn has_more(&self) -> bool {
        self.total > (self.records.len() + self.deleted.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cursor_has_one_spelling() {
        let cursor = Cursor::new(
            DatasetVersion {
                lineage: 0xabc,
                number: 16,
                mark: 0xf,
            },
            i64::MAX,
        );
        assert_eq!(cursor.to_string(), "abc-10-f-7fffffffffffffff");
        for text in [
            "",
            "0",
            "abc-10",
            "ABC-10-f-1",
            "0abc-10-f-1",
            "+abc-10-f-1",
            "abc-10-f-1-",
            "abc-10-f-1-1",
            " abc-10-f-1",
            "abc--f-1",
        ] {
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
