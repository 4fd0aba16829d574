use smol_str::SmolStr;

use crate::directory::changes::Cursor;
use crate::domain::{DateRange, Direction, Needle, PageRequest};

/// What a reader asks of a list: which records, and which part of them. [`ListView::query`](crate::directory::ListView::query) makes it of parameters.
///
/// Queries that mean the same are equal, however they were spelled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    pub(crate) list: &'static str,
    /// For each parameter of the list its value, if there is one to compare with.
    pub(crate) values: Box<[Option<Value>]>,
    /// The words whose records are left out, by the list's [`Resource::excluding`](super::Resource::excluding).
    pub(crate) excluded: Box<[SmolStr]>,
    /// The value of the list's [`Resource::switch`](super::Resource::switch).
    pub(crate) switch: bool,
    pub(crate) request: Request,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(i64),
    Word(SmolStr),
    Search(Needle),
    Flag(bool),
}

/// Which part of what the filters find is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Request {
    /// A page in one of the list's orders; without one it is that of the ids.
    Page { sort: Option<usize>, direction: Direction, page: PageRequest },
    /// What changed since the cursor, or all from the beginning, and how many changes at most.
    Changes { since: Option<Cursor>, size: u32 },
    /// The records of these days.
    Days(DateRange),
}

impl Query {
    /// Where the reader goes on, if that is what it asks.
    pub(crate) const fn cursor(&self) -> Option<Cursor> {
        match self.request {
            Request::Changes { since, .. } => since,
            Request::Page { .. } | Request::Days(_) => None,
        }
    }

    /// Whether what has changed is asked for.
    pub(crate) const fn is_for_changes(&self) -> bool {
        matches!(self.request, Request::Changes { .. })
    }
}
