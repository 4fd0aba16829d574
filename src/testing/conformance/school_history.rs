//! Cases of a [`SchoolHistoryStore`], each on a fresh and empty store.

use std::sync::Arc;

use super::directory_fixtures::{club_id, enrolled, short_text, student, student_id, value};
use super::fixtures::at;
use super::store_under_test::{ExpectOk, Task};
use crate::domain::{
    ClassNum, Enrollment, EnrollmentEnd, EnrollmentStatus, Grade, HistoryEntry, Major, PageRequest,
    SeatNumber, Student, SubjectId, Year, YearTurnRecord, YearTurnUndo,
};
use crate::store::{
    DatasetVersion, DeletedHistory, DirectoryRow, DirectoryRows, DirectoryWrite, Erasure,
    HistoryChange, HistoryFilter, SchoolHistoryStore, TurnedRecords, TurnedStudent,
};

/// A case on a fresh and empty store; it panics if the store violates its requirement.
pub type SchoolHistoryCase = for<'a> fn(&'a dyn SchoolHistoryStore) -> Task<'a>;

macro_rules! history_cases {
    ($($case:ident)+) => {
        /// The cases of a [`SchoolHistoryStore`] with their names.
        pub const SCHOOL_HISTORY_CASES: &[(&str, SchoolHistoryCase)] = &[
            $((stringify!($case), |store| Box::pin($case(store)))),+
        ];
    };
}

history_cases! {
    the_history_is_written_with_the_school_or_not_at_all
    an_undo_takes_back_the_entries_of_its_turn_once
    a_filter_and_a_page_find_the_entries_in_their_order
    old_history_is_deleted_by_years_and_turns
    the_history_of_one_person_is_erased_and_the_erasure_recorded
}

fn entry(student: i64, version: u64, year: i64, class: [i64; 3]) -> HistoryEntry {
    HistoryEntry {
        student: student_id(student),
        version,
        year: value(year, Year::new),
        name: short_text(&format!("학생 {student}")),
        grade: value(class[0], Grade::new),
        class_num: value(class[1], ClassNum::new),
        number: value(class[2], SeatNumber::new),
        major: Major::AI,
        clubs: vec![short_text("별빛 \"1\""), short_text("돋움")],
        end: EnrollmentEnd::YearEnd,
        at: at(5),
    }
}

fn turn(version: u64, year: i64) -> YearTurnRecord {
    YearTurnRecord {
        version,
        version_before: version - 1,
        year: value(year, Year::new),
        at: at(10),
        by: SubjectId::service(),
        graduated: 1,
        moved: 2,
        added: 3,
        undone: None,
    }
}

fn graduates(number: i64, change: impl FnOnce(&mut Enrollment)) -> TurnedStudent {
    TurnedStudent {
        student: student_id(number),
        before: Some(enrolled(number, change).enrollment_status),
        after: EnrollmentStatus::Graduate,
    }
}

/// A turn of one student who graduates, one who withdrew, and a new one.
fn turned() -> TurnedRecords {
    TurnedRecords {
        students: vec![
            graduates(1, |enrollment| {
                enrollment.dormitory_room = Some(value(415, crate::domain::DormitoryRoom::new));
                enrollment.major_club = Some(club_id(3));
                enrollment.autonomous_club = Some(club_id(4));
                enrollment.role = crate::domain::EnrolledRole::StudentCouncil;
            }),
            TurnedStudent {
                after: EnrollmentStatus::Withdrawn,
                ..graduates(2, |_| {})
            },
            TurnedStudent {
                student: student_id(9),
                before: None,
                after: student(9).enrollment_status,
            },
        ],
        leaders: vec![(club_id(3), student_id(1)), (club_id(4), student_id(2))],
    }
}

/// Writes students and a history as the next version.
async fn write(
    store: &dyn SchoolHistoryStore,
    expected: DatasetVersion,
    student: Student,
    history: HistoryChange,
) -> (DirectoryWrite, DatasetVersion) {
    let version = DatasetVersion {
        number: expected.number + 1,
        mark: expected.mark ^ 1,
        ..expected
    };
    let mut rows = DirectoryRows::empty(version);
    rows.students.push(DirectoryRow {
        id: student.id,
        changed: version.number,
        value: Some(student),
    });
    let outcome = store
        .write_directory_with_history(expected, Arc::new(rows), Arc::new(history))
        .await
        .expect_ok();
    (outcome, version)
}

async fn all(store: &dyn SchoolHistoryStore) -> Vec<HistoryEntry> {
    let history = store
        .school_history(HistoryFilter::default(), PageRequest::LARGEST)
        .await
        .expect_ok();
    assert_eq!(history.total, history.items.len() as u64);
    history.items
}

async fn the_history_is_written_with_the_school_or_not_at_all(store: &dyn SchoolHistoryStore) {
    assert!(store.year_turns(9).await.expect_ok().is_empty());
    assert_eq!(
        store.turned_records(1).await.expect_ok(),
        TurnedRecords::default()
    );
    let version = store.directory_version().await.expect_ok();
    let change = HistoryChange {
        entries: vec![entry(1, 1, 2026, [3, 1, 7]), entry(2, 1, 2026, [1, 1, 1])],
        turn: Some((turn(1, 2026), turned())),
        ..HistoryChange::default()
    };
    let stale = DatasetVersion {
        mark: version.mark ^ 7,
        ..version
    };
    let (outcome, _) = write(store, stale, student(1), change.clone()).await;
    assert_eq!(outcome, DirectoryWrite::Conflict, "another version");
    assert!(all(store).await.is_empty(), "nothing is written then");
    assert!(store.year_turns(9).await.expect_ok().is_empty());

    let (outcome, after) = write(store, version, student(1), change).await;
    assert_eq!(outcome, DirectoryWrite::Written);
    assert_eq!(store.directory_version().await.expect_ok(), after);
    let rows = store.load_directory().await.expect_ok();
    assert_eq!(rows.students.len(), 1, "the school is written too");
    assert_eq!(
        all(store).await,
        [entry(2, 1, 2026, [1, 1, 1]), entry(1, 1, 2026, [3, 1, 7])]
    );
    assert_eq!(
        store.year_turns(9).await.expect_ok(),
        [turn(1, 2026)],
        "the turn is found"
    );
    assert_eq!(
        store.turned_records(1).await.expect_ok(),
        turned(),
        "with what it has changed"
    );
    let (_, after) = write(store, after, student(2), HistoryChange::default()).await;
    let next = HistoryChange {
        turn: Some((turn(3, 2027), TurnedRecords::default())),
        ..HistoryChange::default()
    };
    let (_, _) = write(store, after, student(3), next).await;
    let turns = store.year_turns(9).await.expect_ok();
    assert_eq!(turns, [turn(3, 2027), turn(1, 2026)], "newest first");
    assert_eq!(store.year_turns(1).await.expect_ok(), turns[..1]);
}

async fn an_undo_takes_back_the_entries_of_its_turn_once(store: &dyn SchoolHistoryStore) {
    let version = store.directory_version().await.expect_ok();
    let left = HistoryChange {
        entries: vec![entry(5, 1, 2026, [2, 1, 1])],
        ..HistoryChange::default()
    };
    let (_, version) = write(store, version, student(5), left).await;
    let change = HistoryChange {
        entries: vec![entry(1, 2, 2026, [3, 1, 7]), entry(2, 2, 2026, [3, 1, 8])],
        turn: Some((turn(2, 2026), turned())),
        ..HistoryChange::default()
    };
    let (_, version) = write(store, version, student(1), change).await;
    let undo = |turn| HistoryChange {
        undone: Some((
            turn,
            YearTurnUndo {
                version: 3,
                at: at(20),
                by: SubjectId::service(),
            },
        )),
        kept: vec![student_id(2)],
        ..HistoryChange::default()
    };
    let (outcome, _) = write(store, version, student(2), undo(1)).await;
    assert_eq!(outcome, DirectoryWrite::Conflict, "there is no such turn");
    assert_eq!(store.directory_version().await.expect_ok(), version);
    let (outcome, version) = write(store, version, student(2), undo(2)).await;
    assert_eq!(outcome, DirectoryWrite::Written);
    assert_eq!(
        all(store).await,
        [entry(5, 1, 2026, [2, 1, 1]), entry(2, 2, 2026, [3, 1, 8])],
        "the entries of other writes and of students who are not restored stay"
    );
    let undone = YearTurnRecord {
        undone: undo(2).undone.map(|(_, undo)| undo),
        ..turn(2, 2026)
    };
    assert_eq!(store.year_turns(9).await.expect_ok(), [undone]);
    let (outcome, _) = write(store, version, student(4), undo(2)).await;
    assert_eq!(outcome, DirectoryWrite::Conflict, "a turn is undone once");
    let rows = store.load_directory().await.expect_ok();
    assert_eq!(rows.version, version, "and nothing is written then");
    assert_eq!(rows.students.len(), 3);
}

async fn a_filter_and_a_page_find_the_entries_in_their_order(store: &dyn SchoolHistoryStore) {
    let version = store.directory_version().await.expect_ok();
    let sorted = [
        entry(7, 1, 2026, [1, 1, 2]),
        entry(3, 1, 2026, [1, 2, 1]),
        entry(9, 1, 2026, [2, 1, 1]),
        entry(8, 1, 2025, [1, 1, 1]),
        entry(9, 0, 2025, [1, 1, 1]),
        entry(3, 0, 2024, [3, 1, 1]),
    ];
    let change = HistoryChange {
        entries: [4, 2, 0, 5, 3, 1].map(|index| sorted[index].clone()).into(),
        ..HistoryChange::default()
    };
    let (_, _) = write(store, version, student(1), change).await;
    assert_eq!(all(store).await, sorted);
    let found = async |filter: HistoryFilter| {
        let found = store.school_history(filter, PageRequest::LARGEST).await;
        let found = found.expect_ok();
        let expected: Vec<_> = sorted
            .iter()
            .filter(|entry| filter.matches(entry))
            .cloned()
            .collect();
        assert_eq!(found.items, expected, "{filter:?}");
        found.total
    };
    let filter = HistoryFilter {
        student: Some(student_id(9)),
        ..HistoryFilter::default()
    };
    assert_eq!(found(filter).await, 2);
    let filter = HistoryFilter {
        year: Some(value(2026, Year::new)),
        grade: Some(value(1, Grade::new)),
        ..HistoryFilter::default()
    };
    assert_eq!(found(filter).await, 2);
    let filter = HistoryFilter {
        class_num: Some(value(2, ClassNum::new)),
        ..filter
    };
    assert_eq!(found(filter).await, 1);
    let page = PageRequest::new(1, 4).expect("a page");
    let page = store
        .school_history(HistoryFilter::default(), page)
        .await
        .expect_ok();
    assert_eq!((page.total, &page.items[..]), (6, &sorted[4..]));
}

async fn old_history_is_deleted_by_years_and_turns(store: &dyn SchoolHistoryStore) {
    let version = store.directory_version().await.expect_ok();
    let change = HistoryChange {
        entries: vec![
            entry(1, 1, 2026, [3, 1, 7]),
            entry(2, 1, 2025, [3, 1, 7]),
            entry(3, 1, 2024, [3, 1, 7]),
            entry(4, 1, 2024, [3, 1, 7]),
        ],
        turn: Some((turn(1, 2026), turned())),
        ..HistoryChange::default()
    };
    let (_, _) = write(store, version, student(1), change).await;
    let delete = async |year, until| {
        let year = value(year, Year::new);
        store.delete_old_history(year, at(until)).await.expect_ok()
    };
    let deleted = |entries, turned| DeletedHistory { entries, turned };
    assert_eq!(
        delete(2024, 9).await,
        deleted(0, 0),
        "nothing is old enough"
    );
    assert_eq!(
        delete(2026, 9).await,
        deleted(2, 0),
        "the oldest year alone"
    );
    assert_eq!(delete(2026, 9).await, deleted(1, 0), "then the next one");
    assert_eq!(delete(2026, 9).await, deleted(0, 0));
    assert_eq!(all(store).await, [entry(1, 1, 2026, [3, 1, 7])]);
    assert_eq!(store.turned_records(1).await.expect_ok(), turned());
    assert_eq!(
        delete(2024, 10).await,
        deleted(0, 7),
        "5 rows of students, 2 of clubs"
    );
    assert_eq!(
        store.turned_records(1).await.expect_ok(),
        TurnedRecords::default()
    );
    let turns = store.year_turns(9).await.expect_ok();
    assert_eq!(turns, [turn(1, 2026)], "the record of the turn stays");
}

async fn the_history_of_one_person_is_erased_and_the_erasure_recorded(
    store: &dyn SchoolHistoryStore,
) {
    let version = store.directory_version().await.expect_ok();
    let change = HistoryChange {
        entries: vec![entry(1, 1, 2026, [3, 1, 7]), entry(2, 1, 2026, [3, 1, 8])],
        turn: Some((turn(1, 2026), turned())),
        ..HistoryChange::default()
    };
    let (_, _) = write(store, version, student(1), change).await;
    let erase = async |seconds, entries| {
        let erasure = Erasure {
            student: student_id(1),
            at: at(seconds),
            by: SubjectId::service(),
            entries: 0,
        };
        let erased = store.erase_history(erasure.clone()).await.expect_ok();
        assert_eq!(erased, Erasure { entries, ..erasure }, "the number deleted");
        erased
    };
    let first = erase(1, 1).await;
    assert_eq!(all(store).await, [entry(2, 1, 2026, [3, 1, 8])]);
    let turned = store.turned_records(1).await.expect_ok();
    let ids: Vec<_> = turned.students.iter().map(|it| it.student).collect();
    assert_eq!(ids, [student_id(2), student_id(9)]);
    assert_eq!(turned.leaders, [(club_id(4), student_id(2))]);
    let second = erase(2, 0).await;
    erase(2, 0).await;
    let erasures = store.erasures(PageRequest::LARGEST).await.expect_ok();
    assert_eq!(erasures.items, [second, first.clone()], "newest first");
    let page = PageRequest::new(1, 1).expect("a page");
    let page = store.erasures(page).await.expect_ok();
    assert_eq!((page.total, page.items), (2, vec![first]));
}
