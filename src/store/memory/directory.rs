use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use crate::domain::{
    Club, ClubId, Lesson, Meal, Project, ProjectId, SchoolEvent, Student, StudentId,
};
use crate::store::{
    DatasetVersion, DirectoryRow, DirectoryRows, DirectoryStore, DirectoryWrite, StorageError,
};

/// The records of the directory, and the ids of removed ones.
pub(super) struct DirectoryRecords {
    version: DatasetVersion,
    /// The mark of each version, by its number.
    marks: BTreeMap<u64, u64>,
    students: Table<StudentId, Student>,
    clubs: Table<ClubId, Club>,
    projects: Table<ProjectId, Project>,
    meals: Table<String, Meal>,
    events: Table<String, SchoolEvent>,
    lessons: Table<String, Lesson>,
}

/// For each id the number of the version in which the record last changed, and the record unless it
/// was removed.
type Table<I, T> = BTreeMap<I, (u64, Option<T>)>;

impl DirectoryRecords {
    /// Whether the directory is or was at this version.
    fn has_version(&self, version: DatasetVersion) -> bool {
        version.lineage == self.version.lineage
            && self.marks.get(&version.number) == Some(&version.mark)
    }

    /// The rows that changed after the version `number`, or all rows.
    fn rows(&self, number: Option<u64>) -> DirectoryRows {
        DirectoryRows {
            version: self.version,
            marks: self
                .marks
                .iter()
                .map(|(version, mark)| (*version, *mark))
                .filter(|(version, _)| number.is_none_or(|number| *version > number))
                .collect(),
            students: rows_changed_after(&self.students, number),
            clubs: rows_changed_after(&self.clubs, number),
            projects: rows_changed_after(&self.projects, number),
            meals: rows_changed_after(&self.meals, number),
            events: rows_changed_after(&self.events, number),
            lessons: rows_changed_after(&self.lessons, number),
        }
    }

    pub(super) fn write(
        &mut self,
        expected: DatasetVersion,
        change: &DirectoryRows,
    ) -> DirectoryWrite {
        if self.version != expected {
            return DirectoryWrite::Conflict;
        }
        self.version = change.version;
        self.marks
            .insert(change.version.number, change.version.mark);
        upsert(&mut self.students, &change.students);
        upsert(&mut self.clubs, &change.clubs);
        upsert(&mut self.projects, &change.projects);
        upsert(&mut self.meals, &change.meals);
        upsert(&mut self.events, &change.events);
        upsert(&mut self.lessons, &change.lessons);
        DirectoryWrite::Written
    }
}

fn rows_changed_after<I: Ord + Clone, T: Clone>(
    table: &Table<I, T>,
    after: Option<u64>,
) -> Vec<DirectoryRow<I, T>> {
    let rows = table
        .iter()
        .filter(|(_, (changed, _))| after.is_none_or(|number| *changed > number));
    rows.map(|(id, (changed, value))| DirectoryRow {
        id: id.clone(),
        changed: *changed,
        value: value.clone(),
    })
    .collect()
}

fn upsert<I: Ord + Clone, T: Clone>(table: &mut Table<I, T>, rows: &[DirectoryRow<I, T>]) {
    table.extend(
        rows.iter()
            .map(|row| (row.id.clone(), (row.changed, row.value.clone()))),
    );
}

impl Default for DirectoryRecords {
    /// No records, with a random lineage: the standard library's hashers start with random keys.
    fn default() -> Self {
        let random = || RandomState::new().hash_one(());
        let version = DatasetVersion {
            lineage: random(),
            number: 0,
            mark: random(),
        };
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
        Ok(read_lock(&self.directory).version)
    }

    async fn load_directory(&self) -> Result<DirectoryRows, StorageError> {
        Ok(read_lock(&self.directory).rows(None))
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> Result<Option<DirectoryRows>, StorageError> {
        let records = read_lock(&self.directory);
        Ok(records
            .has_version(since)
            .then(|| records.rows(Some(since.number))))
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> Result<DirectoryWrite, StorageError> {
        Ok(write_lock(&self.directory).write(expected, &change))
    }
}
