use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;

use super::engine::{Entry, List, Listed};
use super::history::{History, Marks};
use super::resource::{Definition, Resource};
use crate::crypto::{Entropy, SystemEntropy};
use crate::domain::Invalid;
use crate::store::DatasetVersion;

/// How many versions are known, so that a list that changes every second for years does not fill the memory.
const MAX_VERSIONS: u64 = 10_000;

/// A list of the host's own in memory, for [`DataApiBuilder::resource`](crate::http::data_api::DataApiBuilder::resource).
///
/// The host gives all records with [`replace`](Self::replace), at the start and whenever they have changed, from whatever source it has. Requests
/// are answered from memory and never wait for the source. What changed is found by comparison, so that readers can follow with `updatedSince`.
/// Before the first call, requests get 503. Cursors and tags are valid in this process only, and cursors for the last 10,000 changes: after a restart
/// and on another node `updatedSince` is refused, and the reader starts again at 0. Behind several nodes, send a reader to the same one.
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
/// # Ok::<_, lyceum::domain::Invalid>(())
/// ```
pub struct RecordList<T> {
    id: fn(&T) -> i64,
    present: ArcSwap<OwnVersion<T>>,
    /// Held while a version is made: each begins where the one before ended.
    turn: Mutex<()>,
    resource: Arc<Resource<T>>,
}

struct OwnVersion<T> {
    list: List<T>,
    version: DatasetVersion,
    marks: Marks,
}

/// A list of the host's own, whatever its records are.
pub(crate) trait OwnList: Send + Sync {
    fn definition(&self) -> &Definition;

    /// The list as it is now.
    fn present(&self) -> Arc<dyn ListVersion>;
}

/// A list in one version.
pub(crate) trait ListVersion: Send + Sync {
    fn list(&self) -> &dyn Listed;

    fn version(&self) -> DatasetVersion;

    fn history(&self) -> History<'_>;
}

impl<T: PartialEq + Send + Sync + 'static> RecordList<T> {
    /// A list that has not been filled yet.
    ///
    /// # Errors
    /// When the records have no [id](super::Field::id), names of fields, parameters or orders are used twice, or a field has a filter or an order
    /// that it cannot have.
    pub fn new(resource: Resource<T>) -> Result<Self, Invalid> {
        if let Some(problem) = resource.problem() {
            return Err(problem);
        }
        let id = resource.id().ok_or(Invalid::new("must have a field for the id"))?;
        let mut lineage = [0; 8];
        SystemEntropy.fill(&mut lineage);
        let version = DatasetVersion { lineage: u64::from_be_bytes(lineage), number: 0, mark: 0 };
        let resource = Arc::new(resource);
        let list = List::new(Arc::clone(&resource));
        let present = OwnVersion { list, version, marks: Marks::default().and([(0, 0)]) };
        Ok(Self { id, present: ArcSwap::from_pointee(present), turn: Mutex::default(), resource })
    }

    /// Replaces all records. Readers see either the old or the new ones, never a mix.
    ///
    /// # Errors
    /// When an id is not above 0, or two records have the same one. Nothing is changed then.
    pub fn replace(&self, records: impl IntoIterator<Item = T>) -> Result<(), Invalid> {
        let mut records: Vec<T> = records.into_iter().collect();
        records.sort_by_key(self.id);
        let ids: Vec<i64> = records.iter().map(self.id).collect();
        if ids.first().is_some_and(|first| *first < 1) {
            return Err(Invalid::new("must have ids above 0"));
        }
        if ids.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Invalid::new("must have a different id in each record"));
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.present.load_full();
        let number = before.version.number + 1;
        let entry = |id, value| Entry { id, changed: number, value };
        let is_same = |id: i64, record: &T| before.list.get(id).is_some_and(|before| before.value() == record);
        let gone = before.list.values().map(self.id).filter(|id| ids.binary_search(id).is_err()).map(|id| entry(id, None));
        let changed = ids.iter().zip(records).filter(|(id, record)| !is_same(**id, record)).map(|(id, record)| entry(*id, Some(record)));
        let mut entries: Vec<Entry<T>> = gone.chain(changed).collect();
        if entries.is_empty() && before.version.number > 0 {
            return Ok(());
        }
        entries.sort_by_key(|entry| entry.id);
        let version = DatasetVersion { number, ..before.version };
        let oldest = number.saturating_sub(MAX_VERSIONS);
        let mut list = before.list.after(entries.into_iter());
        list.forget_removed(oldest);
        let marks = before.marks.since(oldest).and([(number, 0)]);
        self.present.store(Arc::new(OwnVersion { list, version, marks }));
        Ok(())
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.present.load().list.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: PartialEq + Send + Sync + 'static> OwnList for RecordList<T> {
    fn definition(&self) -> &Definition {
        self.resource.definition()
    }

    fn present(&self) -> Arc<dyn ListVersion> {
        self.present.load_full()
    }
}

impl<T: PartialEq + Send + Sync + 'static> ListVersion for OwnVersion<T> {
    fn list(&self) -> &dyn Listed {
        &self.list
    }

    fn version(&self) -> DatasetVersion {
        self.version
    }

    fn history(&self) -> History<'_> {
        History { present: self.version, marks: &self.marks }
    }
}

impl<T> fmt::Debug for RecordList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordList").finish_non_exhaustive()
    }
}
