use std::fmt;
use std::sync::Arc;

use super::list::{List, Listed, Selected};
use crate::directory::changes::{Changes, Delta};
use crate::directory::history::History;
use crate::directory::resource::{ParameterReader, Query, QueryError};
use crate::domain::{Date, Page};

/// A list of a snapshot, typed by its records.
///
/// ```
/// # use std::sync::Arc;
/// # use lyceum::directory::Directory;
/// # use lyceum::store::memory::MemoryStore;
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let directory = Directory::open(Arc::new(MemoryStore::new())).await?;
/// let snapshot = directory.snapshot().await?;
/// let students = snapshot.students();
/// let second_grade = students.query(&[("grade", "2"), ("sortBy", "NAME")])?;
/// assert_eq!(students.page(&second_grade).total, 0);
/// # Ok::<_, Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
pub struct ListView<'a, T> {
    pub(in crate::directory) list: &'a List<T>,
    pub(in crate::directory) history: History<'a>,
}

impl<'a, T: PartialEq + Send + Sync + 'static> ListView<'a, T> {
    /// How many records there are.
    pub fn len(self) -> usize {
        self.list.len()
    }

    /// Whether there are no records.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The query that parameters make: names and values as a request to the data API has them, decoded.
    ///
    /// # Errors
    /// When a parameter is unknown, is given twice, or has a value that breaks its rule.
    pub fn query(self, parameters: &[(&str, &str)]) -> Result<Query, QueryError> {
        let mut given = ParameterReader::decoded(parameters)?;
        // No list in pages asks what day it is.
        let query = self.list.definition().parse(&mut given, Date::MIN)?;
        given.finish(false)?;
        Ok(query)
    }

    /// The page that the query asks for; an empty one if it asks for changes.
    ///
    /// # Panics
    /// When the query is of another list.
    pub fn page(self, query: &Query) -> Page<'a, T> {
        match self.list.select(query, self.history).filter(|_| !query.is_for_changes()) {
            Some(found) => Page { total: found.total, items: found.positions.iter().map(|at| &**self.list.record(*at)).collect() },
            None => Page { total: 0, items: Vec::new() },
        }
    }

    /// The changes that the query asks for, with `updatedSince`; [`Delta::CursorUnknown`] also for a query that asks for a page.
    ///
    /// A reader that goes on from each [`Changes::next`] until there is no more, stores the records and deletes what is gone, has then everything
    /// that the filter finds. A record has changed when anything that it shows has, also of the records that it shows.
    ///
    /// # Panics
    /// When the query is of another list.
    pub fn changes(self, query: &Query) -> Delta<T> {
        let Some(Selected { total, positions, changes: Some(changes) }) = self.list.select(query, self.history) else {
            return Delta::CursorUnknown;
        };
        let records = positions.iter().map(|at| Arc::clone(self.list.record(*at))).collect();
        Delta::Told(Changes { total, records, gone: changes.gone, next: changes.next })
    }
}

impl<T> Clone for ListView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListView<'_, T> {}

/// Nothing of the records, for they are about people.
impl<T> fmt::Debug for ListView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListView").finish_non_exhaustive()
    }
}
