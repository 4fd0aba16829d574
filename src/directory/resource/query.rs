use smol_str::SmolStr;

use crate::directory::delta::Cursor;
use crate::domain::{DateRange, PageRequest, SearchTerm, SortDirection};

/// A query of a list: which records, and which part of them.
/// [`ListView::query`](crate::directory::ListView::query) parses it from parameters.
///
/// Queries with the same meaning are equal, regardless of their spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Query {
    pub(crate) list: &'static str,
    /// The filters, in the order of the list's parameters; `None` if there is no filter.
    pub(crate) values: Box<[Option<FilterValue>]>,
    /// The values whose records are excluded by the list's
    /// [`Resource::exclusion_flags`](super::Resource::exclusion_flags).
    pub(crate) excluded_values: Box<[SmolStr]>,
    /// The value of the list's [`Resource::render_flag`](super::Resource::render_flag).
    pub(crate) render_flag: bool,
    pub(crate) kind: QueryKind,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum FilterValue {
    Number(i64),
    Enum(SmolStr),
    Search(SearchTerm),
    Boolean(bool),
}

/// The requested part of the matching records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum QueryKind {
    /// A page in one of the list's orders, or in id order without one.
    Page {
        sort: Option<usize>,
        direction: SortDirection,
        page: PageRequest,
    },
    /// At most `size` records that changed since the cursor, or since the beginning without one.
    Changes { since: Option<Cursor>, size: u32 },
    /// The records of these days.
    Days(DateRange),
}

impl Query {
    /// Returns the cursor of a query for changes.
    pub(crate) const fn cursor(&self) -> Option<Cursor> {
        match self.kind {
            QueryKind::Changes { since, .. } => since,
            QueryKind::Page { .. } | QueryKind::Days(_) => None,
        }
    }

    /// Whether the query is for changes.
    pub(crate) const fn is_for_changes(&self) -> bool {
        matches!(self.kind, QueryKind::Changes { .. })
    }
}
