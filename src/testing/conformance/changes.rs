mod comparison;

use std::collections::BTreeSet;

use comparison::{SchoolRecords, ToldChanges};

use super::directory_fixtures::{
    EVERYONE, autonomous_club, club, club_id, club_with_leader, enrolled, meal, member, project,
    short_text, student, student_id, student_with_status, value, years,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::test_directory::Parameters;
use crate::directory::{Changes, Cursor, Delta, DirectoryChange, WriteOutcome};
use crate::domain::{
    Club, EnrollmentStatus, Grade, MealType, Project, ProjectId, Student, StudentProfile,
};
use crate::store::DatasetVersion;
use crate::testing::differential::change_batches;

pub(super) async fn every_record_that_a_batch_changes_is_told(store: &StoreUnderTest) {
    let (mut before, mut cursors) = (SchoolRecords::load(store).await, [None; 3]);
    for batch in change_batches(1).take(60) {
        let WriteOutcome::Written(_) = store
            .directory()
            .await
            .write(batch.clone())
            .await
            .expect_ok()
        else {
            continue;
        };
        let after = SchoolRecords::load(store).await;
        let told = ToldChanges::since(store, cursors).await;
        told.students
            .covers(&before.students, &after.students, &batch);
        told.clubs.covers(&before.clubs, &after.clubs, &batch);
        told.projects
            .covers(&before.projects, &after.projects, &batch);
        (before, cursors) = (after, told.cursors());
    }
}

pub(super) async fn a_change_is_told_of_all_that_show_the_record(store: &StoreUnderTest) {
    let of_club = Project {
        club: Some(club_id(1)),
        ..project(1, &[1])
    };
    let school: Vec<DirectoryChange> = vec![
        club(1).into(),
        autonomous_club(2).into(),
        member(1, 1).into(),
        member(2, 1).into(),
        club_with_leader(1, 1).into(),
        of_club.into(),
    ];
    let renamed = || short_text("다른 이름");
    // Each change, with the students, clubs and projects that must be reported.
    let cases: [(DirectoryChange, [&[i64]; 3]); 8] = [
        (
            Student {
                name: renamed(),
                ..member(1, 1)
            }
            .into(),
            [&[1], &[1], &[1]],
        ),
        (student(1).into(), [&[1], &[1], &[]]),
        (
            enrolled(1, |enrollment| {
                enrollment.autonomous_club = Some(club_id(2))
            })
            .into(),
            [&[1], &[1, 2], &[]],
        ),
        (
            DirectoryChange::RemoveStudent(student_id(1)),
            [&[1], &[1], &[1]],
        ),
        (
            Club {
                name: renamed(),
                ..club_with_leader(1, 1)
            }
            .into(),
            [&[1, 2], &[1], &[1]],
        ),
        (
            DirectoryChange::RemoveClub(club_id(1)),
            [&[1, 2], &[1], &[1]],
        ),
        (project(1, &[2]).into(), [&[], &[], &[1]]),
        (
            DirectoryChange::RemoveProject(value(1, ProjectId::new)),
            [&[], &[], &[1]],
        ),
    ];
    for (change, [students, clubs, projects]) in cases {
        store.put(school.clone()).await;
        let before = ToldChanges::since(store, [None; 3]).await;
        store.put([change.clone()]).await;
        let told = ToldChanges::since(store, before.cursors()).await;
        told.students.names(students, &change);
        told.clubs.names(clubs, &change);
        told.projects.names(projects, &change);
    }
}

pub(super) async fn changes_are_told_a_few_at_a_time_and_in_the_end_all(store: &StoreUnderTest) {
    for number in [3, 1, 5, 2, 4] {
        store.put([student(number)]).await;
    }
    // A store need not report records that were added and removed between two reads.
    let _ = ToldChanges::since(store, [None; 3]).await;
    store
        .put([DirectoryChange::RemoveStudent(student_id(5))])
        .await;
    let (mut since, mut told, mut left) = (None, BTreeSet::new(), 5);
    while left > 0 {
        let part = student_changes(store, since, 2, EVERYONE).await;
        let ids: Vec<_> = part
            .records
            .iter()
            .map(|record| record.value().student.id.get())
            .chain(part.deleted.iter().copied())
            .collect();
        assert_eq!(
            (part.total, ids.len()),
            (left, left.min(2) as usize),
            "a part has the requested size and the total"
        );
        assert_eq!(
            part.has_more(),
            left > 2,
            "a part reports whether there are more"
        );
        (since, left) = (Some(part.next), left - ids.len() as u64);
        told.extend(ids);
    }
    assert_eq!(
        told,
        (1..=5).collect(),
        "each record is reported once, deleted ones too"
    );
    store.put([meal("2026-05-20", MealType::Lunch)]).await;
    let rest = student_changes(store, since, 2, EVERYONE).await;
    assert_eq!(
        (rest.total, rest.has_more()),
        (0, false),
        "nothing more has changed"
    );
    store
        .put([student(3)].map(|student| Student {
            name: short_text("이름"),
            ..student
        }))
        .await;
    let rest = student_changes(store, Some(rest.next), 2, EVERYONE).await;
    assert_eq!(
        (rest.total, rest.records.len()),
        (1, 1),
        "later changes are reported"
    );
}

pub(super) async fn what_changes_between_two_parts_is_told_with_the_rest(store: &StoreUnderTest) {
    store.put((1..=4).map(student)).await;
    let first = student_changes(store, None, 2, EVERYONE).await;
    let told: Vec<_> = first
        .records
        .iter()
        .map(|record| record.value().student.id)
        .collect();
    let left = (1..=4)
        .map(student_id)
        .find(|id| !told.contains(id))
        .expect("two are left");
    let again = Student {
        name: short_text("이름"),
        ..student(told[0].get())
    };
    store
        .put([
            DirectoryChange::from(again.clone()),
            DirectoryChange::RemoveStudent(left),
            student(9).into(),
        ])
        .await;
    let rest = ToldChanges::since(store, [Some(first.next), None, None])
        .await
        .students;
    assert_eq!(
        rest.records
            .get(&told[0].get())
            .map(|profile| &profile.student),
        Some(&again),
        "a record that changes after it was reported is reported again"
    );
    assert!(
        rest.gone.contains(&left.get()),
        "a record deleted before it was reported is reported as deleted"
    );
    assert!(rest.records.contains_key(&9), "a new record is reported");
}

pub(super) async fn what_ceases_to_be_wanted_is_gone(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            student(1).into(),
            student(2).into(),
            project(1, &[]).into(),
        ])
        .await;
    let before = ToldChanges::since(store, [None; 3]).await.cursors();
    let ended = Project {
        years: years(Some(2020)),
        ..project(1, &[])
    };
    let second = enrolled(2, |enrollment| enrollment.grade = value(2, Grade::new));
    let (graduate, renamed) = (
        student_with_status(1, EnrollmentStatus::Graduate),
        Club {
            name: short_text("이름"),
            ..club(1)
        },
    );
    store
        .put([
            DirectoryChange::from(graduate),
            second.into(),
            ended.into(),
            renamed.into(),
        ])
        .await;
    let part = student_changes(store, before[0], 9, &[]).await;
    assert_eq!(
        (part.deleted, part.records.len(), part.total),
        (vec![1], 1, 2),
        "a graduate no longer matches the enrolled students"
    );
    let part = student_changes(store, before[0], 9, &[EVERYONE, &[("grade", "1")]].concat()).await;
    assert_eq!(
        (part.deleted, part.records.len(), part.total),
        (vec![1, 2], 0, 2),
        "a student who advanced no longer matches the first grade"
    );
    let part = known_changes(
        store
            .directory()
            .await
            .project_changes(before[2], 9, &[])
            .await
            .expect_ok(),
    );
    assert_eq!(
        (part.deleted, part.records.len()),
        (vec![1], 0),
        "an ended project no longer matches the running ones"
    );
    let part = known_changes(
        store
            .directory()
            .await
            .club_changes(before[1], 9, &[("clubId", "2")])
            .await
            .expect_ok(),
    );
    assert_eq!(
        (part.deleted, part.records.len()),
        (vec![1], 0),
        "a club of another kind no longer matches"
    );
}

pub(super) async fn a_cursor_that_this_directory_did_not_give_is_unknown(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            student(1).into(),
            project(1, &[]).into(),
        ])
        .await;
    let present = store.directory().await.version().await.expect_ok();
    for (version, known) in [
        (present, true),
        (
            DatasetVersion {
                number: present.number + 1,
                ..present
            },
            false,
        ),
        (
            DatasetVersion {
                number: u64::MAX,
                ..present
            },
            false,
        ),
        (
            DatasetVersion {
                lineage: !present.lineage,
                ..present
            },
            false,
        ),
        (
            DatasetVersion {
                lineage: 0,
                number: 0,
                mark: 0,
            },
            false,
        ),
    ] {
        let since = Some(Cursor::new(version, 0));
        let students = store
            .directory()
            .await
            .student_changes(since, 9, EVERYONE)
            .await
            .expect_ok();
        let clubs = store
            .directory()
            .await
            .club_changes(since, 9, &[])
            .await
            .expect_ok();
        let projects = store
            .directory()
            .await
            .project_changes(since, 9, &[])
            .await
            .expect_ok();
        let is_known = [
            matches!(students, Delta::Changes(_)),
            matches!(clubs, Delta::Changes(_)),
            matches!(projects, Delta::Changes(_)),
        ];
        assert_eq!(
            is_known, [known; 3],
            "{version:?} is unknown, while the present version is {present:?}"
        );
    }
}

pub(super) async fn whoever_follows_beside_many_writers_misses_nothing(store: &StoreUnderTest) {
    let follow = async |school: &super::test_directory::TestDirectory,
                        mut since,
                        seen: &mut BTreeSet<i64>| loop {
        let part = known_changes(school.student_changes(since, 5, EVERYONE).await.expect_ok());
        seen.extend(
            part.records
                .iter()
                .map(|record| record.value().student.id.get()),
        );
        since = Some(part.next);
        if !part.has_more() {
            break since;
        }
    };
    let followers = store.race_directories(async |school, caller| {
        let written =
            super::test_directory::write(school, vec![student(caller as i64 + 1).into()]).await;
        assert!(
            matches!(written, WriteOutcome::Written(_)),
            "a student is written"
        );
        let mut seen = BTreeSet::new();
        let cursor = follow(school, None, &mut seen).await;
        (cursor, seen)
    });
    for (cursor, mut seen) in followers {
        follow(store.directory().await, cursor, &mut seen).await;
        assert_eq!(
            seen.len(),
            CONCURRENT_CALLERS,
            "every student is reported to a client that follows the cursors"
        );
    }
}

pub(super) async fn a_cursor_holds_through_another_handle(store: &StoreUnderTest) {
    store.put([student(1)]).await;
    let first = student_changes(store, None, 9, EVERYONE).await;
    store
        .put([
            DirectoryChange::from(student(2)),
            DirectoryChange::RemoveStudent(student_id(1)),
        ])
        .await;
    let again = store.reopened_directory().await;
    assert_eq!(
        again.version().await.expect_ok(),
        store.directory().await.version().await.expect_ok(),
        "every handle has the same lineage"
    );
    let rest = known_changes(
        again
            .student_changes(Some(first.next), 9, EVERYONE)
            .await
            .expect_ok(),
    );
    assert_eq!(
        (rest.records.len(), rest.deleted),
        (1, vec![1]),
        "a cursor is valid through any handle"
    );
}

async fn student_changes(
    store: &StoreUnderTest,
    since: Option<Cursor>,
    size: u32,
    asked: Parameters<'_>,
) -> Changes<StudentProfile> {
    known_changes(
        store
            .directory()
            .await
            .student_changes(since, size, asked)
            .await
            .expect_ok(),
    )
}

#[track_caller]
fn known_changes<T>(delta: Delta<T>) -> Changes<T> {
    match delta {
        Delta::Changes(changes) => changes,
        Delta::CursorUnknown => panic!("a cursor that the store returned is unknown to it"),
    }
}
