use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use crate::domain::{HistoryEntry, PageRequest, StudentId, Timestamp, Year, YearTurnRecord};
use crate::store::{
    DatasetVersion, DeletedHistory, DirectoryRows, DirectoryWrite, Erasure, HistoryChange,
    HistoryFilter, Paged, SchoolHistoryStore, StorageError, TurnedRecords,
};

/// Enrollments that have ended, and the turns of the school year. Its lock is taken after that of
/// the directory.
#[derive(Default)]
pub(super) struct SchoolHistory {
    entries: BTreeMap<(StudentId, u64), HistoryEntry>,
    turns: BTreeMap<u64, YearTurnRecord>,
    turned: BTreeMap<u64, TurnedRecords>,
    erasures: BTreeMap<(Timestamp, StudentId), Erasure>,
}

impl SchoolHistory {
    fn write(&mut self, change: &HistoryChange) {
        if let Some((turn, undo)) = &change.undone
            && let Some(record) = self.turns.get_mut(turn)
        {
            record.undone = Some(undo.clone());
            self.entries
                .retain(|(student, version), _| version != turn || change.kept.contains(student));
        }
        let entries = change.entries.iter();
        self.entries
            .extend(entries.map(|entry| ((entry.student, entry.version), entry.clone())));
        if let Some((turn, turned)) = &change.turn {
            self.turns.insert(turn.version, turn.clone());
            self.turned.insert(turn.version, turned.clone());
        }
    }

    /// Whether a turn exists and was not undone.
    fn can_undo(&self, turn: u64) -> bool {
        self.turns
            .get(&turn)
            .is_some_and(|turn| turn.undone.is_none())
    }
}

/// The items of a page.
fn page_of<T: Clone>(items: &[&T], page: PageRequest) -> Paged<T> {
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    Paged {
        total: items.len() as u64,
        items: items
            .iter()
            .skip(offset)
            .take(page.size() as usize)
            .map(|item| T::clone(item))
            .collect(),
    }
}

#[async_trait]
impl SchoolHistoryStore for MemoryStore {
    async fn write_directory_with_history(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
        history: Arc<HistoryChange>,
    ) -> Result<DirectoryWrite, StorageError> {
        let mut directory = write_lock(&self.directory);
        let mut stored = write_lock(&self.school_history);
        let is_possible = |(turn, _): &(u64, _)| stored.can_undo(*turn);
        if !history.undone.as_ref().is_none_or(is_possible) {
            return Ok(DirectoryWrite::Conflict);
        }
        let outcome = directory.write(expected, &change);
        if outcome == DirectoryWrite::Written {
            stored.write(&history);
        }
        Ok(outcome)
    }

    async fn year_turns(&self, limit: u32) -> Result<Vec<YearTurnRecord>, StorageError> {
        let stored = read_lock(&self.school_history);
        let newest_first = stored.turns.values().rev();
        Ok(newest_first.take(limit as usize).cloned().collect())
    }

    async fn turned_records(&self, turn: u64) -> Result<TurnedRecords, StorageError> {
        let stored = read_lock(&self.school_history);
        Ok(stored.turned.get(&turn).cloned().unwrap_or_default())
    }

    async fn school_history(
        &self,
        filter: HistoryFilter,
        page: PageRequest,
    ) -> Result<Paged<HistoryEntry>, StorageError> {
        let stored = read_lock(&self.school_history);
        let entries = stored.entries.values();
        let mut entries: Vec<&HistoryEntry> =
            entries.filter(|entry| filter.matches(entry)).collect();
        entries.sort_by_key(|entry| {
            let class = (entry.grade, entry.class_num, entry.number);
            (Reverse(entry.year), class, entry.student, entry.version)
        });
        Ok(page_of(&entries, page))
    }

    async fn delete_old_history(
        &self,
        before: Year,
        turned_until: Timestamp,
    ) -> Result<DeletedHistory, StorageError> {
        let mut stored = write_lock(&self.school_history);
        let SchoolHistory {
            entries,
            turns,
            turned,
            ..
        } = &mut *stored;
        let years = entries.values().map(|entry| entry.year);
        let oldest_year = years.filter(|year| *year < before).min();
        let kept = entries.len();
        entries.retain(|_, entry| Some(entry.year) != oldest_year);
        let mut deleted = DeletedHistory {
            entries: (kept - entries.len()) as u64,
            turned: 0,
        };
        let is_past = |turn: &&u64| turns.get(turn).is_some_and(|turn| turn.at <= turned_until);
        if let Some(oldest) = turned.keys().find(is_past).copied()
            && let Some(records) = turned.remove(&oldest)
        {
            let students = records.students.iter();
            let sides = students.map(|student| 1 + usize::from(student.before.is_some()));
            deleted.turned = (sides.sum::<usize>() + records.leaders.len()) as u64;
        }
        Ok(deleted)
    }

    async fn erase_history(&self, erasure: Erasure) -> Result<Erasure, StorageError> {
        let mut stored = write_lock(&self.school_history);
        let kept = stored.entries.len();
        stored
            .entries
            .retain(|(student, _), _| *student != erasure.student);
        let entries = (kept - stored.entries.len()) as u64;
        for turned in stored.turned.values_mut() {
            turned
                .students
                .retain(|turned| turned.student != erasure.student);
            turned
                .leaders
                .retain(|(_, leader)| *leader != erasure.student);
        }
        let has_rows =
            |turned: &TurnedRecords| !turned.students.is_empty() || !turned.leaders.is_empty();
        stored.turned.retain(|_, turned| has_rows(turned));
        let erasure = Erasure { entries, ..erasure };
        stored
            .erasures
            .entry((erasure.at, erasure.student))
            .or_insert_with(|| erasure.clone());
        Ok(erasure)
    }

    async fn erasures(&self, page: PageRequest) -> Result<Paged<Erasure>, StorageError> {
        let stored = read_lock(&self.school_history);
        let newest_first: Vec<&Erasure> = stored.erasures.values().rev().collect();
        Ok(page_of(&newest_first, page))
    }
}
