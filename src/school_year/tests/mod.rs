mod erasure;
mod failures;
mod numbers;
mod repeats;
mod retention;
mod turn;
mod undo;
mod years;

use std::sync::Arc;

use super::*;
use crate::directory::{DirectoryChange, ListView, WriteOutcome};
use crate::domain::{
    EnrolledRole, EnrollmentEnd, EnrollmentStatus, HistoryEntry, PageRequest, RecordKind, Student,
    StudentProfile, StudentRole, SubjectId,
};
use crate::import::{ApplyOutcome, Export, Import};
use crate::store::memory::MemoryStore;
use crate::store::{HistoryFilter, SchoolHistoryStore};
use crate::testing::ManualClock;

const STUDENTS: &str = "\
id,name,sex,email,grade,classNum,number,major,dormitoryRoom,role
,김하늘,WOMAN,haneul@school.example,3,3,7,AI,415,STUDENT_COUNCIL
,이바다,MAN,bada@school.example,2,3,8,AI,,STUDENT_COUNCIL
,박산,MAN,san@school.example,1,1,1,SMART_IOT,,
";

const CLUBS: &str = "\
name,type,foundedYear,leader.email,participants
반딧불,MAJOR_CLUB,2021,haneul@school.example,bada@school.example
돋움,AUTONOMOUS_CLUB,2022,bada@school.example,haneul@school.example
";

const CSV: FileFormat = FileFormat::Csv;

/// A school of three grades, with the store of its history and a clock.
struct School {
    store: Arc<MemoryStore>,
    directory: Directory,
    clock: ManualClock,
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

/// Noon in Korea.
fn noon(day: &str) -> Timestamp {
    let day: jiff::civil::Date = day.parse().unwrap();
    let noon = day.at(3, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC);
    Timestamp::from_seconds(noon.unwrap().timestamp().as_second())
}

impl School {
    fn new() -> Self {
        let school = Self::empty();
        school.import(RecordKind::Students, STUDENTS);
        school.import(RecordKind::Clubs, CLUBS);
        school
    }

    fn empty() -> Self {
        let clock = ManualClock::new(noon("2027-02-08"));
        let store = Arc::new(MemoryStore::new());
        let directory = Directory::builder_with_history(store.clone())
            .clock(Arc::new(clock.clone()))
            .open();
        Self {
            store,
            directory: block_on(directory).unwrap(),
            clock,
        }
    }

    fn now(&self) -> Timestamp {
        crate::clock::Clock::now(&self.clock)
    }

    fn import(&self, kind: RecordKind, file: &str) {
        let plan = block_on(Import::new(kind).partial().plan(&self.directory, file)).unwrap();
        let outcome = block_on(plan.apply(&self.directory)).unwrap();
        assert!(matches!(outcome, ApplyOutcome::Applied(_)), "{outcome:?}");
    }

    fn plan(&self, turn: &YearTurn) -> YearPlan {
        block_on(turn.plan(&self.directory, self.now())).unwrap()
    }

    fn turn(&self, turn: &YearTurn) -> YearPlan {
        let plan = self.plan(turn);
        let outcome = plan.apply(&self.directory, SubjectId::service(), self.now());
        let outcome = block_on(outcome).unwrap();
        assert!(matches!(outcome, YearOutcome::Applied(_)), "{outcome:?}");
        plan
    }

    fn undo(&self) -> YearUndoPlan {
        let plan = block_on(YearUndo::plan(&self.directory, self.now())).unwrap();
        let outcome = plan.apply(&self.directory, SubjectId::service(), self.now());
        let outcome = block_on(outcome).unwrap();
        assert!(matches!(outcome, YearOutcome::Applied(_)), "{outcome:?}");
        plan
    }

    fn exported(&self) -> Vec<String> {
        let export = |kind| {
            let file = block_on(Export::new(kind).write(&self.directory)).unwrap();
            String::from_utf8(file).unwrap()
        };
        RecordKind::ALL.iter().copied().map(export).collect()
    }

    fn history(&self) -> Vec<HistoryEntry> {
        let page = (HistoryFilter::default(), PageRequest::LARGEST);
        block_on(self.store.school_history(page.0, page.1))
            .unwrap()
            .items
    }

    fn student(&self, id: i64) -> Student {
        let snapshot = block_on(self.directory.snapshot()).unwrap();
        let students: ListView<'_, StudentProfile> = snapshot.students();
        students.get(id).unwrap().student.clone()
    }

    fn write(&self, changes: Vec<DirectoryChange>) {
        let outcome = block_on(self.directory.write(changes)).unwrap();
        assert!(matches!(outcome, WriteOutcome::Written(_)), "{outcome:?}");
    }
}

fn texts(conflicts: &[Conflict]) -> Vec<String> {
    conflicts.iter().map(Conflict::to_string).collect()
}
