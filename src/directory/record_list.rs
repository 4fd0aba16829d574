use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

use super::engine::{IndexedList, QueryableList, RecordChange};
use super::resource::{Resource, ResourceDefinition};
use super::version_history::{History, KnownVersions};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::InvalidValue;
use crate::store::DatasetVersion;

/// Number of versions whose changes are stored, so that a list that changes every second does not
/// grow without bound.
const MAX_VERSIONS: u64 = 10_000;

/// A list of the host's own records in memory, for
/// [`DataApiBuilder::resource`](crate::http::data_api::DataApiBuilder::resource).
///
/// The host passes all records to [`replace`](Self::replace), at the start and whenever they have
/// changed. Requests are served from memory and never wait for the host's source. Changes are found
/// by comparison, so that clients can follow them with `updatedSince`. Before the first call,
/// requests get 503.
///
/// Cursors and entity tags are valid in this process only, and cursors for the last 10,000 changes.
/// After a restart and on another node `updatedSince` is refused, and the client starts over at 0.
/// Behind several nodes, route a client to the same one.
///
/// ```
/// use lyceum::directory::{Field, Object, RecordList, Resource};
///
/// #[derive(PartialEq)]
/// struct Room {
///     id: i64,
///     name: String,
/// }
///
/// type F = Field<Room>;
/// let fields = [F::id("id", |room| room.id), F::text("name", |room| Some(&room.name)).sort("NAME")];
/// let rooms = RecordList::new(Resource::new("rooms", "/v1/rooms", "ROOM_READ".parse()?, Object::new("Room", "A room.", fields)))?;
/// rooms.replace([Room { id: 1, name: "Studio".to_owned() }])?;
/// assert_eq!(rooms.len(), 1);
/// # Ok::<_, lyceum::domain::InvalidValue>(())
/// ```
pub struct RecordList<T> {
    id: fn(&T) -> i64,
    current: ArcSwap<RecordListSnapshot<T>>,
    /// Serializes the calls of `replace`.
    write_lock: Mutex<()>,
    resource: Arc<Resource<T>>,
}

struct RecordListSnapshot<T> {
    list: IndexedList<T>,
    version: DatasetVersion,
    known_versions: KnownVersions,
}

/// A [`RecordList`] without the type of its records.
pub(crate) trait AnyRecordList: Send + Sync {
    fn definition(&self) -> &ResourceDefinition;

    /// Returns the current version of the list.
    fn snapshot(&self) -> Arc<dyn ListSnapshot>;
}

/// A list in one version.
pub(crate) trait ListSnapshot: Send + Sync {
    fn list(&self) -> &dyn QueryableList;

    fn version(&self) -> DatasetVersion;

    fn history(&self) -> History<'_>;
}

impl<T: PartialEq + Send + Sync + 'static> RecordList<T> {
    /// Creates a list that is not filled yet.
    ///
    /// # Errors
    /// When the records have no [id](super::Field::id), names of fields, parameters or orders are
    /// used twice, or a field has a filter or an order that its type does not support.
    pub fn new(resource: Resource<T>) -> Result<Self, InvalidValue> {
        if let Some(error) = resource.validation_error() {
            return Err(error);
        }
        let id = resource
            .id()
            .ok_or(InvalidValue::new("must have a field for the id"))?;
        let mut lineage = [0; 8];
        SystemEntropy.fill(&mut lineage);
        let version = DatasetVersion {
            lineage: u64::from_be_bytes(lineage),
            number: 0,
            mark: 0,
        };
        let resource = Arc::new(resource);
        let list = IndexedList::new(Arc::clone(&resource));
        let first = RecordListSnapshot {
            list,
            version,
            known_versions: KnownVersions::default().with_later([(0, 0)]),
        };
        Ok(Self {
            id,
            current: ArcSwap::from_pointee(first),
            write_lock: Mutex::default(),
            resource,
        })
    }

    /// Replaces all records. A request sees either the old or the new records.
    ///
    /// # Errors
    /// When an id is not above 0, or two records have the same id. The list is then unchanged.
    pub fn replace(&self, records: impl IntoIterator<Item = T>) -> Result<(), InvalidValue> {
        let mut records: Vec<T> = records.into_iter().collect();
        records.sort_by_key(self.id);
        let ids: Vec<i64> = records.iter().map(self.id).collect();
        if ids.first().is_some_and(|first| *first < 1) {
            return Err(InvalidValue::new("must have ids above 0"));
        }
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(InvalidValue::new("must have a different id in each record"));
        }
        let _guard = self
            .write_lock
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let before = self.current.load_full();
        let number = before.version.number + 1;
        let entry = |id, value| RecordChange {
            id,
            changed: number,
            value,
        };
        let is_same = |id: i64, record: &T| {
            before
                .list
                .get(id)
                .is_some_and(|before| before.value() == record)
        };
        let removed = before
            .list
            .values()
            .map(self.id)
            .filter(|id| ids.binary_search(id).is_err())
            .map(|id| entry(id, None));
        let changed = ids
            .iter()
            .zip(records)
            .filter(|(id, record)| !is_same(**id, record))
            .map(|(id, record)| entry(*id, Some(record)));
        let mut entries: Vec<RecordChange<T>> = removed.chain(changed).collect();
        if entries.is_empty() && before.version.number > 0 {
            return Ok(());
        }
        entries.sort_by_key(|entry| entry.id);
        let version = DatasetVersion {
            number,
            ..before.version
        };
        let oldest = number.saturating_sub(MAX_VERSIONS);
        let mut list = before.list.with_changes(entries.into_iter());
        list.forget_removed(oldest);
        let known_versions = before
            .known_versions
            .starting_at(oldest)
            .with_later([(number, 0)]);
        self.current.store(Arc::new(RecordListSnapshot {
            list,
            version,
            known_versions,
        }));
        Ok(())
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.current.load().list.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: PartialEq + Send + Sync + 'static> AnyRecordList for RecordList<T> {
    fn definition(&self) -> &ResourceDefinition {
        self.resource.definition()
    }

    fn snapshot(&self) -> Arc<dyn ListSnapshot> {
        self.current.load_full()
    }
}

impl<T: PartialEq + Send + Sync + 'static> ListSnapshot for RecordListSnapshot<T> {
    fn list(&self) -> &dyn QueryableList {
        &self.list
    }

    fn version(&self) -> DatasetVersion {
        self.version
    }

    fn history(&self) -> History<'_> {
        History {
            current: self.version,
            versions: &self.known_versions,
        }
    }
}

impl<T> fmt::Debug for RecordList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordList").finish_non_exhaustive()
    }
}
