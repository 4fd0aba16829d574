//! What changed since a reader last looked, so that a mirror can follow without full reads.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::DatasetVersion;
use crate::domain::{Invalid, PageRequest, Record};

/// Which changes a reader wants to be told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChangesQuery<F> {
    /// Up to where the reader has been told before. `None` is from the beginning, which tells every record there is.
    pub since: Option<Cursor>,
    /// Which records the reader wants.
    pub filter: F,
    /// How many changes to tell at most, 1–1000.
    pub size: u32,
}

impl<F> ChangesQuery<F> {
    /// The same for the records that another filter finds.
    pub fn of<G>(self, filter: G) -> ChangesQuery<G> {
        ChangesQuery { since: self.since, filter, size: self.size }
    }

    /// How many changes a store tells: never more than 1000.
    pub fn most(&self) -> usize {
        self.size.min(PageRequest::MAX_SIZE) as usize
    }

    /// Where a store begins to tell when it is in this state, or `None` if it is not the one that gave the cursor: the cursor is of another
    /// lineage, or of a state that is still to come.
    pub fn start(&self, present: DatasetVersion) -> Option<Cursor> {
        let beginning = Cursor { version: DatasetVersion { number: 0, ..present }, id: 0 };
        let start = self.since.unwrap_or(beginning);
        (start.version.lineage == present.lineage && start.version.number <= present.number).then_some(start)
    }
}

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
        write!(f, "{:x}-{:x}-{:x}", self.version.lineage, self.version.number, self.id)
    }
}

impl FromStr for Cursor {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        const REFUSED: Invalid = Invalid::new("must be a cursor");
        let numbers: Vec<u64> = text.split('-').map_while(|part| u64::from_str_radix(part, 16).ok()).collect();
        let [lineage, number, id] = numbers[..] else { return Err(REFUSED) };
        let cursor = Self { version: DatasetVersion { lineage, number, mark: 0 }, id: id.cast_signed() };
        // A cursor has one spelling.
        if cursor.to_string() == text { Ok(cursor) } else { Err(REFUSED) }
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
    /// What a store tells in the state `present`: `told` are the versions and ids of the first of `total` changes after `start`, in ascending
    /// order, and `find` gives the record of an id if it is there and wanted.
    pub fn new(
        present: DatasetVersion,
        start: Cursor,
        total: u64,
        told: &[(u64, i64)],
        mut find: impl FnMut(i64) -> Option<Arc<Record<T>>>,
    ) -> Self {
        let last = told.last().map_or(start, |(number, id)| Cursor { version: DatasetVersion { number: *number, ..present }, id: *id });
        // When all is told, so is everything up to the present state.
        let next = if told.len() as u64 == total { Cursor { version: present, id: i64::MAX } } else { last };
        let mut changes = Self { total, records: Vec::with_capacity(told.len()), gone: Vec::new(), next };
        for (_, id) in told {
            match find(*id) {
                Some(record) => changes.records.push(record),
                None => changes.gone.push(*id),
            }
        }
        changes
    }

    /// Whether there is more to be told after these.
    pub fn more(&self) -> bool {
        self.total > (self.records.len() + self.gone.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn version(lineage: u64, number: u64) -> DatasetVersion {
        DatasetVersion { lineage, number, mark: 0 }
    }

    #[test]
    fn a_cursor_has_one_spelling() {
        let cursor = Cursor::new(version(0xabc, 16), i64::MAX);
        assert_eq!(cursor.to_string(), "abc-10-7fffffffffffffff");
        for text in ["", "0", "abc-10", "ABC-10-1", "0abc-10-1", "+abc-10-1", "abc-10-1-", "abc-10-1-1", " abc-10-1", "abc--1", "abc-10--1"]
        {
            assert!(text.parse::<Cursor>().is_err(), "{text:?}");
        }
        assert!("abc-10-10000000000000000".parse::<Cursor>().is_err());
    }

    #[test]
    fn a_cursor_of_another_lineage_or_of_the_future_is_unknown() {
        let start = |since: Option<Cursor>| ChangesQuery { since, filter: (), size: 1 }.start(version(7, 5));
        assert_eq!(start(None), Some(Cursor::new(version(7, 0), 0)));
        for (lineage, number, known) in [(7, 5, true), (7, 0, true), (7, 6, false), (8, 5, false), (0, 0, false)] {
            let cursor = Cursor::new(version(lineage, number), 3);
            assert_eq!(start(Some(cursor)), Some(cursor).filter(|_| known), "{cursor}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_cursor_is_read_back(lineage in any::<u64>(), number in any::<u64>(), id in any::<i64>()) {
            let cursor = Cursor::new(version(lineage, number), id);
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
        }

        #[test]
        fn arbitrary_text_is_a_cursor_or_not(text in any::<String>()) {
            let _ = text.parse::<Cursor>();
        }
    }
}
