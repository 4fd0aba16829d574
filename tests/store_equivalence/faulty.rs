//! Stores with a planted fault, which loses, mixes up or alters records. The comparisons must
//! notice each.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;
use lyceum::testing::conformance::{self, StoreUnderTest};

use crate::comparison::{compare_responses, follow_changes};

/// Planted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    ForgetsAChange,
    TellsAnOldRecord,
    ForgetsRemovals,
    LoadsARemovedRecord,
    ForgetsAParticipant,
    ForgetsALeader,
    CutsTextAtAControlCharacter,
    IgnoresBlanksAtTheEnd,
    TakesIdsInAnyCase,
    TellsTheVersionBefore,
    TellsAWrongTimeOfTheChange,
    LeavesChangesOutBehindTheFirstTen,
}

/// Memory store with a fault.
#[derive(Debug)]
struct FaultyStore {
    store: MemoryStore,
    fault: Option<Fault>,
    /// Students as they were first read.
    told: Mutex<HashMap<StudentId, Student>>,
    /// Version before the present one.
    before: Mutex<Option<DatasetVersion>>,
}

type StorageResult<T> = Result<T, StorageError>;

impl FaultyStore {
    fn with(fault: Option<Fault>) -> Arc<Self> {
        Arc::new(Self {
            store: MemoryStore::new(),
            fault,
            told: Mutex::default(),
            before: Mutex::default(),
        })
    }

    async fn delegate(&self, _: &str) -> StorageResult<&MemoryStore> {
        Ok(&self.store)
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Returns the rows as they are read after `rows` are written.
    fn kept(&self, mut rows: DirectoryRows) -> DirectoryRows {
        for project in rows
            .projects
            .iter_mut()
            .filter_map(|row| row.value.as_mut())
        {
            if self.has(Fault::ForgetsAParticipant) {
                project.participants.pop_last();
            }
            if self.has(Fault::CutsTextAtAControlCharacter) {
                project.description = project
                    .description
                    .split(char::is_control)
                    .next()
                    .unwrap_or_default()
                    .parse()
                    .unwrap();
            }
        }
        for club in rows
            .clubs
            .iter_mut()
            .filter_map(|row| row.value.as_mut())
            .filter(|_| self.has(Fault::ForgetsALeader))
        {
            club.leader = None;
        }
        for event in rows
            .events
            .iter_mut()
            .filter(|_| self.has(Fault::TakesIdsInAnyCase))
        {
            event.id = event.id.to_lowercase();
            if let Some(value) = &mut event.value {
                value.id = event.id.parse().unwrap();
            }
        }
        if self.has(Fault::TakesIdsInAnyCase) {
            rows.events.sort_by(|one, other| one.id.cmp(&other.id));
            rows.events.dedup_by(|one, other| one.id == other.id);
        }
        for lesson in rows
            .lessons
            .iter_mut()
            .filter(|_| self.has(Fault::IgnoresBlanksAtTheEnd))
        {
            let trimmed: ShortText = lesson.id.trim_end().parse().unwrap();
            lesson.id = trimmed.to_string();
            if let Some(value) = &mut lesson.value {
                value.id = trimmed;
            }
        }
        rows
    }
}

fn told_before(row: &mut DirectoryRow<StudentId, Student>, told: &mut HashMap<StudentId, Student>) {
    if let Some(student) = &mut row.value {
        *student = told
            .entry(row.id)
            .or_insert_with(|| student.clone())
            .clone();
    }
}

#[async_trait]
impl DirectoryStore for FaultyStore {
    async fn directory_version(&self) -> StorageResult<DatasetVersion> {
        let present = self.store.directory_version().await?;
        let before = *self.before.lock().unwrap();
        Ok(if self.has(Fault::TellsTheVersionBefore) {
            before.unwrap_or(present)
        } else {
            present
        })
    }

    async fn load_directory(&self) -> StorageResult<DirectoryRows> {
        let mut rows = self.store.load_directory().await?;
        if self.has(Fault::LoadsARemovedRecord) {
            let told = self.told.lock().unwrap();
            for row in rows.students.iter_mut().filter(|row| row.value.is_none()) {
                row.value = told.get(&row.id).cloned();
            }
        }
        Ok(self.kept(rows))
    }

    async fn directory_changes(
        &self,
        since: DatasetVersion,
    ) -> StorageResult<Option<DirectoryRows>> {
        let Some(mut rows) = self.store.directory_changes(since).await? else {
            return Ok(None);
        };
        if self.has(Fault::ForgetsAChange) {
            rows.students.pop();
        }
        if self.has(Fault::LeavesChangesOutBehindTheFirstTen) {
            rows.projects.truncate(10);
        }
        if self.has(Fault::TellsAnOldRecord) {
            let mut told = self.told.lock().unwrap();
            rows.students
                .iter_mut()
                .for_each(|row| told_before(row, &mut told));
        }
        if self.has(Fault::ForgetsRemovals) {
            rows.students.retain(|row| row.value.is_some());
        }
        if self.has(Fault::TellsAWrongTimeOfTheChange) {
            rows.students.iter_mut().for_each(|row| row.changed = 1);
        }
        Ok(Some(self.kept(rows)))
    }

    async fn write_directory(
        &self,
        expected: DatasetVersion,
        change: Arc<DirectoryRows>,
    ) -> StorageResult<DirectoryWrite> {
        *self.before.lock().unwrap() = Some(expected);
        if self.has(Fault::LoadsARemovedRecord) {
            let mut told = self.told.lock().unwrap();
            told.extend(
                change
                    .students
                    .iter()
                    .filter_map(|row| row.value.clone())
                    .map(|student| (student.id, student)),
            );
        }
        self.store.write_directory(expected, change).await
    }
}

impl StoreClock for FaultyStore {}

delegate!(AccountStore for FaultyStore);
delegate!(ApiKeyStore for FaultyStore);
delegate!(ClientLookup for FaultyStore);
delegate!(ClientRegistry for FaultyStore);
delegate!(GrantStore for FaultyStore);
delegate!(ConsentStore for FaultyStore);
delegate!(UserSessionStore for FaultyStore);
delegate!(SigningKeyStore for FaultyStore);
delegate!(AuditStore for FaultyStore);
delegate!(RateLimiter for FaultyStore);

/// Returns the first conformance case of the directory that a store with this fault fails. Later
/// ones may wait for a version that never comes.
fn failed_case(fault: Option<Fault>) -> Option<&'static str> {
    let fails = |case: &&str| {
        let store = StoreUnderTest::new(FaultyStore::with(fault));
        catch_unwind(AssertUnwindSafe(|| conformance::run_case(case, store))).is_err()
    };
    conformance::case_names()
        .filter(|case| case.starts_with("directory::"))
        .find(fails)
}

/// Runs the comparison and returns the message of its panic as an error.
fn comparison(fault: Option<Fault>) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let comparing = || {
        for seed in 1..=8 {
            runtime
                .block_on(compare_responses(
                    FaultyStore::with(fault),
                    seed,
                    super::BATCHES,
                ))
                .unwrap();
        }
    };
    catch_unwind(AssertUnwindSafe(comparing)).map_err(|panic| *panic.downcast().unwrap())
}

macro_rules! detects {
    ($($test:ident: $fault:ident differs at $address:literal;)+) => {$(
        #[test]
        fn $test() {
            let difference = comparison(Some(Fault::$fault)).expect_err("the comparison does not notice");
            assert!(difference.contains($address), "{difference}");
            assert!(failed_case(Some(Fault::$fault)).is_some(), "the conformance suite does not notice");
        }
    )+};
}

detects! {
    a_store_must_tell_every_change: ForgetsAChange differs at "/v1/";
    a_store_must_tell_records_as_they_are_now: TellsAnOldRecord differs at "/v1/";
    a_store_must_tell_of_removed_records: ForgetsRemovals differs at "/v1/";
    a_store_must_not_load_removed_records: LoadsARemovedRecord differs at "/v1/";
    a_store_must_name_every_participant: ForgetsAParticipant differs at "/v1/projects";
    a_store_must_keep_the_leader_of_a_club: ForgetsALeader differs at "/v1/clubs";
    a_store_must_keep_all_lines_of_a_text: CutsTextAtAControlCharacter differs at "/v1/projects";
    a_store_must_tell_blanks_at_the_end_apart: IgnoresBlanksAtTheEnd differs at "/v1/neis/timetables";
    a_store_must_tell_the_case_of_ids_apart: TakesIdsInAnyCase differs at "/v1/neis/schedules";
    a_store_must_tell_its_present_version: TellsTheVersionBefore differs at "/v1/";
    a_store_must_tell_long_lists_of_changes_in_full: LeavesChangesOutBehindTheFirstTen differs at "/v1/projects";
}

#[test]
fn a_store_without_a_fault_gives_the_same_bytes() {
    comparison(None).unwrap();
    assert_eq!(failed_case(None), None);
}

/// The lists are right in this case, and copies of them are not.
#[test]
fn a_store_must_keep_the_version_in_which_a_record_changed() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let following = |fault| {
        let following = || {
            runtime
                .block_on(follow_changes(FaultyStore::with(fault), 1, 200))
                .map(drop)
                .unwrap()
        };
        catch_unwind(AssertUnwindSafe(following))
            .map_err(|panic| *panic.downcast::<String>().unwrap())
    };
    following(None).unwrap();
    let difference =
        following(Some(Fault::TellsAWrongTimeOfTheChange)).expect_err("the copies are right");
    assert!(difference.contains("/v1/students"), "{difference}");
    assert!(failed_case(Some(Fault::TellsAWrongTimeOfTheChange)).is_some());
}
