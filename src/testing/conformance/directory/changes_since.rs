//! Changes since an earlier version.

use super::super::directory_fixtures::{meal, project, short_text, student, student_id, value};
use super::super::store_under_test::{ExpectOk, StoreUnderTest};
use super::fixtures::{Expected, every_kind};
use super::{put, removed};
use crate::domain::{Lesson, MealType, Project, ProjectId, Student};
use crate::store::{DatasetVersion, DirectoryRows};
use crate::testing::conformance::directory_fixtures::lesson;

cases! { Storage, directory as __conformance_directory_changes_since:
    changes_tell_each_row_once_as_it_is_now
    changes_since_another_lineage_are_unknown
    changes_since_a_later_number_are_unknown
    changes_since_another_mark_are_unknown
}

async fn changes_tell_each_row_once_as_it_is_now(store: &StoreUnderTest) {
    let mut expected = Expected::new(&**store).await;
    let mut versions = vec![expected.rows.version];
    versions.push(expected.write(&**store, every_kind).await);
    versions.push(expected.write(&**store, |_, _| {}).await);
    let rename = |rows: &mut DirectoryRows, at| {
        rows.students.push(put(
            at,
            student_id(3),
            Student {
                name: short_text(&format!("이름 {at}")),
                ..student(3)
            },
        ));
        rows.lessons.push(put(
            at,
            "l2".to_owned(),
            Lesson {
                subject: Some(short_text(&format!("과목 {at}"))),
                ..lesson("l2", "2026-05-20", [1, 1, 2])
            },
        ));
    };
    versions.push(expected.write(&**store, rename).await);
    versions.push(expected.write(&**store, rename).await);
    versions.push(
        expected
            .write(&**store, |rows, at| {
                rows.students.push(removed(at, student_id(4)));
                rows.meals
                    .push(removed(at, meal("2026-05-20", MealType::Lunch).id()));
            })
            .await,
    );
    versions.push(
        expected
            .write(&**store, |rows, at| {
                rows.students.push(put(at, student_id(400), student(400)))
            })
            .await,
    );
    versions.push(
        expected
            .write(&**store, |rows, at| {
                let many = (1000..1300).map(|id| put(at, student_id(id), student(id)));
                rows.students.extend(many);
                for id in 1000..1300 {
                    let id = value(id, ProjectId::new);
                    rows.projects.push(put(
                        at,
                        id,
                        Project {
                            id,
                            ..project(1, &[])
                        },
                    ));
                }
            })
            .await,
    );
    for since in versions {
        let told = store.directory_changes(since).await.expect_ok();
        assert_eq!(
            told,
            Some(expected.since(since.number)),
            "the changes since {since:?}"
        );
    }
}

async fn changes_since_another_lineage_are_unknown(store: &StoreUnderTest) {
    is_unknown(store, |known| DatasetVersion {
        lineage: !known.lineage,
        ..known
    })
    .await;
}

async fn changes_since_a_later_number_are_unknown(store: &StoreUnderTest) {
    is_unknown(store, |known| DatasetVersion {
        number: known.number + 2,
        ..known
    })
    .await;
    is_unknown(store, |known| DatasetVersion {
        number: u64::MAX,
        ..known
    })
    .await;
}

async fn changes_since_another_mark_are_unknown(store: &StoreUnderTest) {
    is_unknown(store, |known| DatasetVersion {
        mark: !known.mark,
        ..known
    })
    .await;
}

/// Asserts that the changes since a version are unknown if it is not one of the directory.
async fn is_unknown(store: &StoreUnderTest, other: impl FnOnce(DatasetVersion) -> DatasetVersion) {
    let mut expected = Expected::new(&**store).await;
    let known = expected.write(&**store, every_kind).await;
    expected.write(&**store, |_, _| {}).await;
    assert!(
        store.directory_changes(known).await.expect_ok().is_some(),
        "an earlier version of the directory is known"
    );
    let other = other(known);
    assert_eq!(
        store.directory_changes(other).await.expect_ok(),
        None,
        "{other:?} is not {known:?}, so it is unknown"
    );
}
