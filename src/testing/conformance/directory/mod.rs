pub(super) mod changes_since;
pub(super) mod concurrent_loads;
pub(super) mod conditional_writes;
pub(super) mod fixtures;

use std::sync::Arc;

use fixtures::{Expected, every_kind, every_kind_otherwise, remove_every_kind};

use super::directory_fixtures::{
    autonomous_club, club, club_id, club_with_leader, enrolled, event, lesson, meal, member,
    project, student, student_id, value,
};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::domain::{Club, Meal, MealType, Project, ProjectId};
use crate::store::{DatasetVersion, DirectoryRow, DirectoryRows, DirectoryWrite};

cases! { Storage, directory as __conformance_directory:
    a_fresh_store_is_empty_at_number_0
    rows_are_loaded_as_they_were_written
    rows_come_in_ascending_order_of_id
    the_id_of_a_removed_record_stays_with_the_version
    removing_what_is_not_there_is_no_error
    new_records_may_refer_to_each_other_in_any_order
    a_removal_changes_only_what_the_rows_say
}

async fn a_fresh_store_is_empty_at_number_0(store: &StoreUnderTest) {
    let version = store.directory_version().await.expect_ok();
    let rows = store.load_directory().await.expect_ok();
    assert!(rows.is_empty(), "a fresh store has no records: {rows:?}");
    assert_eq!(
        (rows.version, version.number),
        (version, 0),
        "its version has the number 0"
    );
    assert_eq!(rows.marks, [(0, version.mark)], "its version has a mark");
    assert_eq!(
        store.directory_changes(version).await.expect_ok(),
        Some(DirectoryRows::empty(version)),
        "nothing changed since"
    );
}

async fn rows_are_loaded_as_they_were_written(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    let version = expected.write(&**store, every_kind).await;
    assert_eq!(
        store.directory_version().await.expect_ok(),
        version,
        "the version is the one that was written"
    );
    expected.is_loaded(&**store).await;
    // Every optional value that was absent is present, and the reverse.
    expected.write(&**store, every_kind_otherwise).await;
    expected.is_loaded(&**store).await;
}

async fn rows_come_in_ascending_order_of_id(store: &StoreUnderTest) {
    const TEXTS: [&str; 12] = [
        "b", "B", "a", "10", "9", "a b", "a-b", "ä", "가", "a\u{30a}", "\u{ffff}", "𐐀",
    ];
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            for number in [3, 1, i64::MAX, 700, 20] {
                rows.students
                    .push(put(at, student_id(number), student(number % 1000)));
                rows.clubs.push(put(
                    at,
                    club_id(number),
                    Club {
                        id: club_id(number),
                        ..club(1)
                    },
                ));
                let id = value(number, ProjectId::new);
                rows.projects.push(put(
                    at,
                    id,
                    Project {
                        id,
                        ..project(1, &[])
                    },
                ));
            }
            for row in &mut rows.students {
                row.value.iter_mut().for_each(|student| student.id = row.id);
            }
            for text in TEXTS {
                rows.events
                    .push(put(at, text.to_owned(), event(text, "2026-05-20", "체육")));
                rows.lessons.push(put(
                    at,
                    text.to_owned(),
                    lesson(text, "2026-05-20", [1, 1, 1]),
                ));
            }
            for day in ["2026-05-20", "2025-12-31", "2026-05-19"] {
                for kind in MealType::ALL.iter().rev() {
                    rows.meals.push(a_meal(at, meal(day, *kind)));
                }
            }
        })
        .await;
    // The expected rows are in Rust's order: numbers by value, text by its bytes.
    expected.is_loaded(&**store).await;
}

async fn the_id_of_a_removed_record_stays_with_the_version(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    expected.write(&**store, every_kind).await;
    expected.write(&**store, remove_every_kind).await;
    let rows = store.load_directory().await.expect_ok();
    assert!(
        rows.students
            .iter()
            .all(|row| row.value.is_none() && row.changed == 2),
        "removed ids stay: {:?}",
        rows.students
    );
    expected.is_loaded(&**store).await;
    // A record that is added again can use its id.
    expected.write(&**store, every_kind).await;
    expected.is_loaded(&**store).await;
}

async fn removing_what_is_not_there_is_no_error(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    expected.write(&**store, every_kind).await;
    let version = expected
        .write(&**store, |rows, at| {
            rows.students.push(removed(at, student_id(999)));
            rows.clubs.push(removed(at, club_id(999)));
            rows.projects.push(removed(at, value(999, ProjectId::new)));
            rows.meals.push(removed(at, "9_20260101_1".to_owned()));
            rows.events.push(removed(at, String::new()));
            rows.lessons.push(removed(at, "999".to_owned()));
        })
        .await;
    expected.is_loaded(&**store).await;
    // No id contains this character, and PostgreSQL refuses it even in a query.
    let mut change = DirectoryRows::empty(after(version));
    change
        .events
        .push(removed(change.version.number, "9\0".to_owned()));
    assert_eq!(
        store
            .write_directory(version, Arc::new(change))
            .await
            .expect_ok(),
        DirectoryWrite::Written,
        "an impossible id is no error"
    );
    let rows = store.load_directory().await.expect_ok();
    let events: Vec<_> = rows
        .events
        .into_iter()
        .filter(|row| row.id != "9\0")
        .collect();
    assert_eq!(
        (rows.students, events),
        (expected.rows.students, expected.rows.events),
        "and nothing is removed"
    );
}

async fn new_records_may_refer_to_each_other_in_any_order(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            // Each club is led by a member, and both are new.
            for number in [9, 2, 5] {
                rows.clubs.push(put(
                    at,
                    club_id(number),
                    club_with_leader(number, 10 - number),
                ));
                rows.students.push(put(
                    at,
                    student_id(10 - number),
                    member(10 - number, number),
                ));
                let project = Project {
                    club: Some(club_id(number)),
                    ..project(number, &[1, 5, 8])
                };
                rows.projects.push(put(at, project.id, project));
            }
        })
        .await;
    expected.is_loaded(&**store).await;
    // Every student moves to the next club and leads it.
    expected
        .write(&**store, |rows, at| {
            for (number, into) in [(9, 2), (2, 5), (5, 9)] {
                rows.students
                    .push(put(at, student_id(10 - number), member(10 - number, into)));
                rows.clubs
                    .push(put(at, club_id(into), club_with_leader(into, 10 - number)));
            }
        })
        .await;
    expected.is_loaded(&**store).await;
}

async fn a_removal_changes_only_what_the_rows_say(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    expected
        .write(&**store, |rows, at| {
            rows.clubs.extend([
                put(at, club_id(1), club_with_leader(1, 1)),
                put(at, club_id(2), autonomous_club(2)),
            ]);
            let both = enrolled(2, |enrollment| {
                (enrollment.major_club, enrollment.autonomous_club) =
                    (Some(club_id(1)), Some(club_id(2)));
            });
            rows.students.extend([
                put(at, student_id(1), member(1, 1)),
                put(at, student_id(2), both),
            ]);
            let owned = Project {
                club: Some(club_id(1)),
                ..project(1, &[1, 2])
            };
            rows.projects.extend([
                put(at, owned.id, owned),
                put(at, value(2, ProjectId::new), project(2, &[1])),
            ]);
        })
        .await;
    expected
        .write(&**store, |rows, at| {
            rows.students.push(removed(at, student_id(1)));
            rows.clubs.push(put(at, club_id(1), club(1)));
            let owned = Project {
                club: Some(club_id(1)),
                ..project(1, &[2])
            };
            rows.projects.extend([
                put(at, owned.id, owned),
                put(at, value(2, ProjectId::new), project(2, &[])),
            ]);
        })
        .await;
    expected.is_loaded(&**store).await;
    expected
        .write(&**store, |rows, at| {
            rows.clubs.push(removed(at, club_id(1)));
            rows.students.push(put(
                at,
                student_id(2),
                enrolled(2, |enrollment| {
                    enrollment.autonomous_club = Some(club_id(2))
                }),
            ));
            rows.projects
                .push(put(at, value(1, ProjectId::new), project(1, &[2])));
        })
        .await;
    expected.is_loaded(&**store).await;
    expected
        .write(&**store, |rows, at| {
            rows.projects.push(removed(at, value(1, ProjectId::new)))
        })
        .await;
    expected.is_loaded(&**store).await;
}

/// Returns the version after this one, with a mark that uses all bits.
fn after(version: DatasetVersion) -> DatasetVersion {
    DatasetVersion {
        number: version.number + 1,
        mark: !version.number,
        ..version
    }
}

fn put<I, T>(changed: u64, id: I, value: T) -> DirectoryRow<I, T> {
    DirectoryRow {
        id,
        changed,
        value: Some(value),
    }
}

fn a_meal(changed: u64, meal: Meal) -> DirectoryRow<String, Meal> {
    put(changed, meal.id(), meal)
}

fn removed<I, T>(changed: u64, id: I) -> DirectoryRow<I, T> {
    DirectoryRow {
        id,
        changed,
        value: None,
    }
}
