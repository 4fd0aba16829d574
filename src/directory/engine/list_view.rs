use std::fmt;
use std::sync::Arc;

use super::indexed_list::{IndexedList, QueryableList, ResultSet};
use crate::directory::delta::{Changes, Delta};
use crate::directory::resource::{ParameterReader, Query, QueryError};
use crate::directory::version_history::History;
use crate::domain::{Date, Page};

/// A list of a snapshot with the type of its records.
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
    pub(in crate::directory) list: &'a IndexedList<T>,
    pub(in crate::directory) history: History<'a>,
}

impl<'a, T: PartialEq + Send + Sync + 'static> ListView<'a, T> {
    /// Returns the number of records.
    pub fn len(self) -> usize {
        self.list.len()
    }

    /// Whether there are no records.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the record with this id.
    pub fn get(self, id: i64) -> Option<&'a T> {
        self.list.get(id).map(|record| record.value())
    }

    /// Returns the shared record with this id.
    #[cfg(feature = "auth-server")]
    pub(crate) fn record(self, id: i64) -> Option<&'a Arc<crate::domain::Record<T>>> {
        self.list.get(id)
    }

    /// Iterates over all records in the order of their ids.
    pub fn iter(self) -> impl Iterator<Item = &'a T> {
        self.list.values()
    }

    /// Returns the id after the highest one that a record of the list has or ever had: the id of a
    /// new record, if it is written with [`write_if`](crate::directory::Directory::write_if) and
    /// the version of the snapshot. `None` if no id is left.
    #[cfg(feature = "import")]
    pub fn next_id(self) -> Option<i64> {
        self.list.highest_id().unwrap_or(0).checked_add(1)
    }

    /// Returns the ids of the records that changed after the version `number`, also of removed ones.
    #[cfg(feature = "import")]
    pub(crate) fn changed_after(self, number: u64) -> impl Iterator<Item = i64> {
        self.list.changed_after(number)
    }

    /// Parses a query from decoded names and values of parameters, as in a request to the data API.
    ///
    /// # Errors
    /// When a parameter is unknown, is given twice, or has a value that breaks its rule.
    pub fn query(self, parameters: &[(&str, &str)]) -> Result<Query, QueryError> {
        let mut reader = ParameterReader::from_pairs(parameters)?;
        // Paged lists do not use the date.
        let query = self.list.definition().parse(&mut reader, Date::MIN)?;
        reader.finish(false)?;
        Ok(query)
    }

    /// Returns the page that the query requests; an empty one for a query for changes.
    ///
    /// # Panics
    /// When the query is of another list.
    pub fn page(self, query: &Query) -> Page<'a, T> {
        match self
            .list
            .select(query, self.history)
            .filter(|_| !query.is_for_changes())
        {
            Some(found) => Page {
                total: found.total,
                items: found
                    .positions
                    .iter()
                    .map(|at| &**self.list.record(*at))
                    .collect(),
            },
            None => Page {
                total: 0,
                items: Vec::new(),
            },
        }
    }

    /// Returns the changes of a query with `updatedSince`; [`Delta::CursorUnknown`] if its cursor
    /// is unknown or the query is for a page.
    ///
    /// To mirror a list, a client follows [`Changes::next`] until there are no more changes, stores
    /// the records and removes the deleted ids. A record counts as changed when anything that it
    /// shows changes, including related records.
    ///
    /// # Panics
    /// When the query is of another list.
    pub fn changes(self, query: &Query) -> Delta<T> {
        let Some(ResultSet {
            total,
            positions,
            changes: Some(changes),
        }) = self.list.select(query, self.history)
        else {
            return Delta::CursorUnknown;
        };
        let records = positions
            .iter()
            .map(|at| Arc::clone(self.list.record(*at)))
            .collect();
        Delta::Changes(Changes {
            total,
            records,
            deleted: changes.deleted,
            next: changes.next,
        })
    }
}

impl<T> Clone for ListView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ListView<'_, T> {}

/// Omits the records, which are personal data.
impl<T> fmt::Debug for ListView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListView").finish_non_exhaustive()
    }
}
