use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId};
use crate::store::{Advance, DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore, StorageError};

/// The records of the directory, and the ids of removed ones.
pub(super) struct DirectoryRecords {
    version: DatasetVersion,
    /// The mark of every version by its number.
    marks: BTreeMap<u64, u64>,
    students: Table<StudentId, Student>,
    clubs: Table<ClubId, Club>,
    projects: Table<ProjectId, Project>,
    meals: Table<String, Meal>,
    events: Table<String, SchoolEvent>,
    lessons: Table<String, Lesson>,
}

/// For each id the number of the version in which the record last changed, and the record unless it was removed.
type Table<I, T> = BTreeMap<I, (u64, Option<T>)>;

impl DirectoryRecords {
    /// Whether the directory is or was at this version.
    fn has(&self, version: DatasetVersion) -> bool {
        version.lineage == self.version.lineage && self.marks.get(&version.number) == Some(&version.mark)
    }

    /// The rows that changed after the version `number`, or all rows.
    fn rows(&self, number: Option<u64>) -> DirectoryRows {
        DirectoryRows {
            version: self.version,
            marks: self.marks.iter().map(|(of, mark)| (*of, *mark)).filter(|(of, _)| number.is_none_or(|number| *of > number)).collect(),
            students: changed(&self.students, number),
            clubs: changed(&self.clubs, number),
            projects: changed(&self.projects, number),
            meals: changed(&self.meals, number),
            events: changed(&self.events, number),
            lessons: changed(&self.lessons, number),
        }
    }

    fn write(&mut self, expected: DatasetVersion, change: &DirectoryRows) -> Advance {
        if self.version != expected {
            return Advance::Outdated;
        }
        self.version = change.version;
        self.marks.insert(change.version.number, change.version.mark);
        put(&mut self.students, &change.students);
        put(&mut self.clubs, &change.clubs);
        put(&mut self.projects, &change.projects);
        put(&mut self.meals, &change.meals);
        put(&mut self.events, &change.events);
        put(&mut self.lessons, &change.lessons);
        Advance::Written
    }
}

fn changed<I: Ord + Clone, T: Clone>(table: &Table<I, T>, after: Option<u64>) -> Vec<DirectoryRow<I, T>> {
    let rows = table.iter().filter(|(_, (changed, _))| after.is_none_or(|number| *changed > number));
    rows.map(|(id, (changed, value))| DirectoryRow { id: id.clone(), changed: *changed, value: value.clone() }).collect()
}

fn put<I: Ord + Clone, T: Clone>(table: &mut Table<I, T>, rows: &[DirectoryRow<I, T>]) {
    table.extend(rows.iter().map(|row| (row.id.clone(), (row.changed, row.value.clone()))));
}

impl Default for DirectoryRecords {
    /// No records, in a lineage of its own. The standard library's hashers begin with random keys.
    fn default() -> Self {
        let random = || RandomState::new().hash_one(());
        let version = DatasetVersion { lineage: random(), number: 0, mark: random() };
        Self {
            version,
            marks: BTreeMap::from([(version.number, version.mark)]),
            students: Table::new(),
            clubs: Table::new(),
            projects: Table::new(),
            meals: Table::new(),
            events: Table::new(),
            lessons: Table::new(),
        }
    }
}

#[async_trait]
impl DirectoryStore for MemoryStore {
    async fn directory_version(&self) -> Result<DatasetVersion, StorageError> {
        Ok(reading(&self.directory).version)
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        Ok(reading(&self.directory).rows(None))
    }

    async fn directory_changes(&self, since: DatasetVersion) -> Result<Option<DirectoryRows>, StorageError> {
        let records = reading(&self.directory);
        Ok(records.has(since).then(|| records.rows(Some(since.number))))
    }

    async fn write_directory(&self, expected: DatasetVersion, change: Arc<DirectoryRows>) -> Result<Advance, StorageError> {
        Ok(writing(&self.directory).write(expected, &change))
    }
}
