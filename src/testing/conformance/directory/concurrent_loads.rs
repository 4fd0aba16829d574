//! Loads through another handle and beside writes.

use crate::testing::conformance::directory_fixtures::club_with_leader;
use crate::testing::conformance::directory_fixtures::event;
use crate::testing::conformance::directory_fixtures::lesson;
use crate::testing::conformance::directory_fixtures::meal;
use crate::testing::conformance::directory_fixtures::member;
use crate::testing::conformance::directory_fixtures::project;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::directory_fixtures::{club_id, short_text, student, student_id, value};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::fixtures::{Expected, every_kind};
use super::{a_meal, after, put, removed};
use crate::domain::{Club, Lesson, Meal, MealType, Project, ProjectId, SchoolEvent, Student};
use crate::store::{DirectoryRows, DirectoryWrite, Storage};

cases! { Storage, directory as __conformance_directory_concurrent_loads:
    another_handle_loads_the_same
    a_load_beside_writes_is_of_one_version
}

async fn another_handle_loads_the_same(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    let first = expected.write(&**store, every_kind).await;
    expected
        .write(&**store, |rows, at| {
            rows.students.push(removed(at, student_id(4)))
        })
        .await;
    let again = store.reopened();
    assert_eq!(
        again.load_directory().await.expect_ok(),
        expected.rows,
        "another handle has the same rows and marks"
    );
    assert_eq!(
        again.directory_version().await.expect_ok(),
        expected.rows.version,
        "and the same version"
    );
    assert_eq!(
        again.directory_changes(first).await.expect_ok(),
        Some(expected.since(first.number)),
        "and the same changes"
    );
    expected
        .write(&*again, |rows, at| {
            rows.students.push(put(at, student_id(4), student(4)))
        })
        .await;
    expected.is_loaded(&**store).await;
}

async fn a_load_beside_writes_is_of_one_version(store: &StoreUnderTest) {
    let first = store.directory_version().await.expect_ok();
    store.race(async |store, caller| {
        if caller % 2 == 0 {
            return write_next(store).await;
        }
        for _ in 0..4 {
            is_of_one_version(&store.load_directory().await.expect_ok());
            let changes = store.directory_changes(first).await.expect_ok();
            is_of_one_version(&changes.expect("the first version is known"));
        }
    });
    let rows = store.load_directory().await.expect_ok();
    assert_eq!(
        (rows.version.number, rows.marks.len()),
        (CONCURRENT_CALLERS as u64 / 2, CONCURRENT_CALLERS / 2 + 1),
        "every write created a version"
    );
    is_of_one_version(&rows);
}

/// Writes the number of the next version into rows of each kind, and retries after conflicts.
async fn write_next(store: &dyn Storage) {
    loop {
        let present = store.directory_version().await.expect_ok();
        let next = after(present);
        let (at, text) = (next.number, short_text(&next.number.to_string()));
        let mut change = DirectoryRows::empty(next);
        change.students.push(put(
            at,
            student_id(1),
            Student {
                name: text.clone(),
                ..member(1, 1)
            },
        ));
        change.clubs.push(put(
            at,
            club_id(1),
            Club {
                name: text.clone(),
                ..club_with_leader(1, 1)
            },
        ));
        change.projects.push(put(
            at,
            value(1, ProjectId::new),
            Project {
                name: text.clone(),
                ..project(1, &[1])
            },
        ));
        change.meals.push(a_meal(
            at,
            Meal {
                calories: Some(text.clone()),
                ..meal("2026-05-20", MealType::Lunch)
            },
        ));
        change.events.push(put(
            at,
            "e".to_owned(),
            SchoolEvent {
                name: text.clone(),
                ..event("e", "2026-05-20", "체육")
            },
        ));
        change.lessons.push(put(
            at,
            "l".to_owned(),
            Lesson {
                subject: Some(text),
                ..lesson("l", "2026-05-20", [1, 1, 1])
            },
        ));
        if store
            .write_directory(present, Arc::new(change))
            .await
            .expect_ok()
            == DirectoryWrite::Written
        {
            return;
        }
    }
}

/// Asserts that all rows were written by the last [`write_next`].
fn is_of_one_version(rows: &DirectoryRows) {
    let number = rows.version.number;
    let mut seen: BTreeSet<(u64, String)> = BTreeSet::new();
    seen.extend(
        rows.students
            .iter()
            .map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))),
    );
    seen.extend(
        rows.clubs
            .iter()
            .map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))),
    );
    seen.extend(
        rows.projects
            .iter()
            .map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))),
    );
    seen.extend(rows.meals.iter().map(|row| {
        (
            row.changed,
            text(row.value.as_ref().and_then(|of| of.calories.as_deref())),
        )
    }));
    seen.extend(
        rows.events
            .iter()
            .map(|row| (row.changed, text(row.value.as_ref().map(|of| &*of.name)))),
    );
    seen.extend(rows.lessons.iter().map(|row| {
        (
            row.changed,
            text(row.value.as_ref().and_then(|of| of.subject.as_deref())),
        )
    }));
    let expected = (number > 0).then(|| (number, number.to_string()));
    assert!(
        seen.iter().eq(&expected),
        "every row is of version {number}: {seen:?}"
    );
    assert_eq!(
        rows.marks.last().map_or(0, |(last, _)| *last),
        number,
        "the marks are those of version {number}"
    );
}

fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}
