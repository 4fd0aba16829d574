//! Writes that name the version they expect.

use super::after;
use std::sync::Arc;

use super::super::directory_fixtures::{short_text, student, student_id};
use super::super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::fixtures::{Expected, every_kind, remove_every_kind};
use super::put;
use crate::domain::Student;
use crate::store::{DatasetVersion, DirectoryRows, DirectoryWrite};

cases! { Storage, directory as __conformance_directory_conditional_writes:
    a_write_that_expects_another_number_writes_nothing
    a_write_that_expects_another_mark_writes_nothing
    a_write_that_expects_another_lineage_writes_nothing
    of_many_writes_from_one_version_one_is_made
}

async fn a_write_that_expects_another_number_writes_nothing(store: &StoreUnderTest) {
    writes_nothing(store, |present| DatasetVersion {
        number: present.number - 1,
        ..present
    })
    .await;
    writes_nothing(store, |present| DatasetVersion {
        number: present.number + 1,
        ..present
    })
    .await;
    writes_nothing(store, |present| DatasetVersion {
        number: u64::MAX,
        ..present
    })
    .await;
}

async fn a_write_that_expects_another_mark_writes_nothing(store: &StoreUnderTest) {
    writes_nothing(store, |present| DatasetVersion {
        mark: !present.mark,
        ..present
    })
    .await;
}

async fn a_write_that_expects_another_lineage_writes_nothing(store: &StoreUnderTest) {
    writes_nothing(store, |present| DatasetVersion {
        lineage: !present.lineage,
        ..present
    })
    .await;
}

/// Asserts that a write with another expected version changes nothing.
async fn writes_nothing(
    store: &StoreUnderTest,
    expected: impl FnOnce(DatasetVersion) -> DatasetVersion,
) {
    let mut before = Expected::new(&**store).await;
    let present = before.write(&**store, every_kind).await;
    let mut change = DirectoryRows::empty(DatasetVersion {
        mark: 77,
        ..after(present)
    });
    let at = change.version.number;
    remove_every_kind(&mut change, at);
    change.students.push(put(at, student_id(500), student(500)));
    let expected = expected(present);
    let outcome = store
        .write_directory(expected, Arc::new(change))
        .await
        .expect_ok();
    assert_eq!(
        outcome,
        DirectoryWrite::Conflict,
        "{expected:?} is not the present version {present:?}"
    );
    assert_eq!(
        store.load_directory().await.expect_ok(),
        before.rows,
        "an outdated write writes nothing"
    );
    assert_eq!(
        store.directory_version().await.expect_ok(),
        present,
        "an outdated write creates no version"
    );
}

async fn of_many_writes_from_one_version_one_is_made(store: &StoreUnderTest) {
    let before = store.load_directory().await.expect_ok();
    let version = |caller: usize| DatasetVersion {
        mark: caller as u64,
        ..after(before.version)
    };
    let answers = store.race(async |store, caller| {
        let number = caller as i64 + 1;
        let mut change = DirectoryRows::empty(version(caller));
        change
            .students
            .push(put(1, student_id(number), student(number)));
        change.students.push(put(
            1,
            student_id(100),
            Student {
                name: short_text(&number.to_string()),
                ..student(100)
            },
        ));
        store
            .write_directory(before.version, Arc::new(change))
            .await
            .expect_ok()
    });
    let written = answers
        .iter()
        .filter(|answer| **answer == DirectoryWrite::Written)
        .count();
    assert_eq!(
        written, 1,
        "of {CONCURRENT_CALLERS} writes from one version exactly one is made"
    );
    let winner = answers
        .iter()
        .position(|answer| *answer == DirectoryWrite::Written)
        .unwrap_or_default();
    let rows = store.load_directory().await.expect_ok();
    assert_eq!(
        rows.version,
        version(winner),
        "the directory has the version of the successful write"
    );
    assert_eq!(
        rows.students.len(),
        2,
        "and only its rows: {:?}",
        rows.students
    );
    let name = short_text(&(winner + 1).to_string());
    assert!(
        rows.students[1]
            .value
            .as_ref()
            .is_some_and(|student| student.name == name),
        "and no value of another write: {:?}",
        rows.students
    );
}
