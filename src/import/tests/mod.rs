mod clubs;
mod former_students;
mod matching;
mod new_ids;
mod plans;
mod reading;
mod round_trips;

use std::sync::Arc;

use super::{ApplyOutcome, Import, ImportError, Plan, Refusal};
use crate::directory::{Directory, DirectoryChange, WriteOutcome};
use crate::domain::RecordKind::{self, Clubs, Projects, Students};
use crate::store::memory::MemoryStore;

const STUDENTS: &str = "\
id,name,sex,email,grade,classNum,number,major,dormitoryRoom
,김하늘,WOMAN,haneul@school.example,2,3,7,AI,415
,이바다,MAN,bada@school.example,2,3,8,AI,
,박산,MAN,san@school.example,1,1,1,SMART_IOT,
";

const CLUBS: &str = "\
name,type,foundedYear,leader.email,participants
반딧불,MAJOR_CLUB,2021,haneul@school.example,bada@school.example
돋움,MAJOR_CLUB,2022,,
";

/// Runs a future to completion on a runtime of its own.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
        .block_on(future)
}

fn empty_school() -> Directory {
    block_on(Directory::open(Arc::new(MemoryStore::new()))).unwrap()
}

/// A school with students 1 to 3 and the clubs 1, of the first two of them, and 2.
fn school() -> Directory {
    let directory = empty_school();
    apply(&directory, &plan(&directory, Students, STUDENTS));
    apply(&directory, &plan(&directory, Clubs, CLUBS));
    directory
}

fn write(directory: &Directory, changes: Vec<DirectoryChange>) {
    let outcome = block_on(directory.write(changes)).unwrap();
    assert!(matches!(outcome, WriteOutcome::Written(_)), "{outcome:?}");
}

fn plan_of(directory: &Directory, import: &Import, file: impl Into<Vec<u8>>) -> Plan {
    block_on(import.plan(directory, file)).unwrap()
}

fn plan(directory: &Directory, kind: RecordKind, file: &str) -> Plan {
    plan_of(directory, &Import::new(kind), file)
}

/// A plan that removes nothing.
fn partial(directory: &Directory, kind: RecordKind, file: &str) -> Plan {
    plan_of(directory, &Import::new(kind).partial(), file)
}

/// The refusal of a whole file.
fn refusal_of(directory: &Directory, import: &Import, file: impl Into<Vec<u8>>) -> Refusal {
    match block_on(import.plan(directory, file)) {
        Err(ImportError::File(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

fn apply(directory: &Directory, plan: &Plan) {
    assert_eq!(refusals(plan), Vec::<String>::new());
    let outcome = block_on(plan.apply(directory)).unwrap();
    assert!(matches!(outcome, ApplyOutcome::Applied(_)), "{outcome:?}");
}

fn refusals(plan: &Plan) -> Vec<String> {
    plan.refused().iter().map(Refusal::to_string).collect()
}

/// The counts of added, changed, removed and unchanged records.
fn counts(plan: &Plan) -> [usize; 4] {
    [
        plan.added(),
        plan.changed(),
        plan.removed(),
        plan.unchanged(),
    ]
}

/// The changed fields of a plan, one record in an element.
fn changes(plan: &Plan) -> Vec<String> {
    let records = plan.records().iter().chain(plan.consequences());
    records
        .map(|record| {
            let fields = record.fields.iter();
            let fields: Vec<String> = fields
                .map(|change| format!("{} {:?} {:?}", change.field, change.before, change.after))
                .collect();
            format!("{} {}: {}", record.kind, record.id, fields.join(", "))
        })
        .collect()
}
