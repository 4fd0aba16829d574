//! Changes since a cursor.

use std::collections::BTreeSet;

use lyceum::directory::{Cursor, Delta, DirectoryChange};
use lyceum::domain::{Club, EnrollmentStatus, Grade, Project, ProjectId, Student};
use lyceum::store::{DatasetVersion, DirectoryStore};

use super::{EVERYONE, TestSchool, changes, open};
use crate::school_records::{
    autonomous_club, club, club_id, club_with_leader, enrolled, member, project, short_text,
    student, student_id, student_with_status, value, years,
};

/// Fails if a change of one record is not reported with all records that show it.
#[tokio::test]
async fn a_change_is_reported_with_every_record_that_shows_it() {
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
        let school = TestSchool::new().await;
        let of_club = Project {
            club: Some(club_id(1)),
            ..project(1, &[1])
        };
        let version = school
            .put([
                DirectoryChange::from(club(1)),
                autonomous_club(2).into(),
                member(1, 1).into(),
                member(2, 1).into(),
                club_with_leader(1, 1).into(),
                of_club.into(),
            ])
            .await;
        school.put([change.clone()]).await;
        let (snapshot, since) = (
            school.snapshot().await,
            Some(Cursor::new(version, i64::MAX)),
        );
        let told = changes(snapshot.students(), since, 9, EVERYONE);
        let ids = told
            .records
            .iter()
            .map(|record| record.value().student.id.get());
        includes(ids.chain(told.deleted), students, &change);
        let told = changes(snapshot.clubs(), since, 9, &[]);
        let ids = told
            .records
            .iter()
            .map(|record| record.value().club.id.get());
        includes(ids.chain(told.deleted), clubs, &change);
        let told = changes(snapshot.projects(), since, 9, &[]);
        let ids = told
            .records
            .iter()
            .map(|record| record.value().project.id.get());
        includes(ids.chain(told.deleted), projects, &change);
    }
}

/// Asserts that at least these ids are reported.
#[track_caller]
fn includes(told: impl Iterator<Item = i64>, expected: &[i64], change: &DirectoryChange) {
    let told: BTreeSet<_> = told.collect();
    assert!(
        expected.iter().all(|id| told.contains(id)),
        "{told:?} instead of {expected:?} after {change:#?}"
    );
}

/// Fails if the rest omits a record that changes after it was reported, or one that is deleted
/// before.
#[tokio::test]
async fn a_change_between_two_parts_is_reported_with_the_rest() {
    let school = TestSchool::new().await;
    school.put((1..=4).map(student)).await;
    let first = changes(school.snapshot().await.students(), None, 2, EVERYONE);
    let told: Vec<_> = first
        .records
        .iter()
        .map(|record| record.value().student.id)
        .collect();
    assert_eq!((told.len(), first.total, first.has_more()), (2, 4, true));
    let unseen = (1..=4)
        .map(student_id)
        .find(|id| !told.contains(id))
        .expect("two are left");
    let again = Student {
        name: short_text("이름"),
        ..student(told[0].get())
    };
    school
        .put([
            DirectoryChange::from(again.clone()),
            DirectoryChange::RemoveStudent(unseen),
            student(9).into(),
        ])
        .await;
    let rest = changes(
        school.snapshot().await.students(),
        Some(first.next),
        9,
        EVERYONE,
    );
    let records: Vec<_> = rest
        .records
        .iter()
        .map(|record| &record.value().student)
        .collect();
    assert!(records.contains(&&again) && records.contains(&&student(9)));
    assert!(rest.deleted.contains(&unseen.get()) && !rest.has_more());
}

/// Fails if a change that makes a record stop matching is not reported.
#[tokio::test]
async fn a_record_that_no_longer_matches_is_reported_as_deleted() {
    let school = TestSchool::new().await;
    let version = school
        .put([
            DirectoryChange::from(club(1)),
            student(1).into(),
            student(2).into(),
            project(1, &[]).into(),
        ])
        .await;
    let since = Some(Cursor::new(version, i64::MAX));
    let ended = Project {
        years: years(Some(2020)),
        ..project(1, &[])
    };
    school
        .put([
            DirectoryChange::from(student_with_status(1, EnrollmentStatus::Graduate)),
            enrolled(2, |enrollment| enrollment.grade = value(2, Grade::new)).into(),
            ended.into(),
            autonomous_club(1).into(),
        ])
        .await;
    let snapshot = school.snapshot().await;
    let part = changes(snapshot.students(), since, 9, &[]);
    assert_eq!(
        (part.deleted, part.records.len(), part.total),
        (vec![1], 1, 2)
    );
    let first_grade = [EVERYONE, &[("grade", "1")]].concat();
    let part = changes(snapshot.students(), since, 9, &first_grade);
    assert_eq!((part.deleted, part.records.len()), (vec![1, 2], 0));
    let part = changes(snapshot.projects(), since, 9, &[]);
    assert_eq!((part.deleted, part.records.len()), (vec![1], 0));
    let part = changes(snapshot.clubs(), since, 9, &[("clubType", "MAJOR_CLUB")]);
    assert_eq!((part.deleted, part.records.len()), (vec![1], 0));
}

/// Fails if a version that the directory never had is taken for one of its own.
#[tokio::test]
async fn a_cursor_that_this_directory_did_not_return_is_unknown() {
    let school = TestSchool::new().await;
    let present = school.put([student(1)]).await;
    let snapshot = school.snapshot().await;
    let with_number = |number| DatasetVersion { number, ..present };
    for (version, known) in [
        (present, true),
        (with_number(present.number + 1), false),
        (with_number(u64::MAX), false),
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
        let since = Cursor::new(version, 0).to_string();
        let asked = [("updatedSince", &*since)];
        let (students, clubs, projects) =
            (snapshot.students(), snapshot.clubs(), snapshot.projects());
        let is_known = [
            matches!(
                students.changes(&students.query(&asked).unwrap()),
                Delta::Changes(_)
            ),
            matches!(
                clubs.changes(&clubs.query(&asked).unwrap()),
                Delta::Changes(_)
            ),
            matches!(
                projects.changes(&projects.query(&asked).unwrap()),
                Delta::Changes(_)
            ),
        ];
        assert_eq!(is_known, [known; 3], "{version:?}, now {present:?}");
    }
}

/// Fails if a batch without effect has a version of its own, or if two versions share a mark.
#[tokio::test]
async fn each_batch_with_an_effect_has_a_version_and_a_mark_of_its_own() {
    let school = TestSchool::new().await;
    let mut before = school.snapshot().await.version();
    for (batch, has_effect) in [
        (vec![student(1).into()], true),
        (vec![student(1).into()], false),
        (vec![DirectoryChange::RemoveStudent(student_id(9))], false),
        (
            vec![
                student(2).into(),
                DirectoryChange::RemoveStudent(student_id(2)),
            ],
            false,
        ),
        (vec![], false),
        (vec![DirectoryChange::RemoveStudent(student_id(1))], true),
    ] {
        let after = school.put(batch).await;
        assert_eq!(after.number, before.number + u64::from(has_effect));
        assert_eq!(after.mark != before.mark, has_effect);
        assert_eq!(after.lineage, before.lineage);
        assert_eq!(school.store.directory_version().await.unwrap(), after);
        before = after;
    }
}

/// Fails if a directory gives versions a lineage of its own.
#[tokio::test]
async fn a_cursor_is_valid_in_every_directory_on_the_store() {
    let school = TestSchool::new().await;
    school.put([student(1)]).await;
    let first = changes(school.snapshot().await.students(), None, 9, EVERYONE);
    let version = school
        .put([
            DirectoryChange::from(student(2)),
            DirectoryChange::RemoveStudent(student_id(1)),
        ])
        .await;
    let other = open(school.store.clone()).await.snapshot().await.unwrap();
    assert_eq!(other.version(), version);
    let rest = changes(other.students(), Some(first.next), 9, EVERYONE);
    assert_eq!((rest.records.len(), rest.deleted), (1, vec![1]));
}
