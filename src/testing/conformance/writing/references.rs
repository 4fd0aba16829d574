//! References between students, clubs and projects.

use super::super::directory_fixtures::{
    autonomous_club, club, club_id, enrolled, member, project, short_text, student, student_id,
    student_with_status,
};
use super::super::store_under_test::{CONCURRENT_CALLERS, StoreUnderTest};
use super::super::test_directory::write;
use crate::directory::{DirectoryChange, RejectionReason, WriteOutcome};
use crate::domain::{Club, ClubSummary, EnrollmentStatus, Project, Student};

pub(in super::super) async fn a_removed_club_leaves_its_members_and_projects_without_it(
    store: &StoreUnderTest,
) {
    store.put([club(1), club(2), autonomous_club(3)]).await;
    let both = enrolled(1, |enrollment| {
        (enrollment.major_club, enrollment.autonomous_club) = (Some(club_id(1)), Some(club_id(3)))
    });
    store.put([both, member(2, 2)]).await;
    store
        .put([
            Project {
                club: Some(club_id(1)),
                ..project(1, &[1])
            },
            Project {
                club: Some(club_id(2)),
                ..project(2, &[2])
            },
        ])
        .await;
    store.put([DirectoryChange::RemoveClub(club_id(1))]).await;

    let without = store.one_student(1).await;
    assert_eq!(
        without.student,
        enrolled(1, |enrollment| enrollment.autonomous_club =
            Some(club_id(3)))
    );
    assert_eq!(
        (without.major_club, without.autonomous_club),
        (None, Some(autonomous_club(3).summary().into()))
    );
    assert_eq!(
        (
            store.one_project(1).await.project,
            store.one_project(1).await.club
        ),
        (project(1, &[1]), None)
    );
    assert_eq!(
        store.one_student(2).await.major_club,
        Some(club(2).summary().into()),
        "other clubs are untouched"
    );
    assert_eq!(store.one_project(2).await.club, Some(club(2).summary()));
    store.put([club(1)]).await;
    assert_eq!(
        store.one_club(1).await.members,
        [],
        "a new club of the same id has no members"
    );
}

pub(in super::super) async fn a_projects_club_and_participants_must_exist(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            student(1).into(),
            student_with_status(2, EnrollmentStatus::Graduate).into(),
        ])
        .await;
    store
        .assert_refused(
            vec![
                Project {
                    club: Some(club_id(9)),
                    ..project(1, &[1])
                }
                .into(),
            ],
            0,
            RejectionReason::UnknownClub(club_id(9)),
        )
        .await;
    store
        .assert_refused(
            vec![club(2).into(), project(1, &[1, 9]).into()],
            1,
            RejectionReason::UnknownStudent(student_id(9)),
        )
        .await;
    store
        .put([Project {
            club: Some(club_id(1)),
            ..project(1, &[1, 2])
        }])
        .await;
    assert_eq!(
        store.one_project(1).await.participants,
        [
            student(1).as_participant(),
            student_with_status(2, EnrollmentStatus::Graduate).as_participant()
        ]
    );
}

pub(in super::super) async fn a_removed_student_leaves_their_projects(store: &StoreUnderTest) {
    store.put([student(1), student(2)]).await;
    store.put([project(1, &[1, 2]), project(2, &[1])]).await;
    store
        .put([DirectoryChange::RemoveStudent(student_id(1))])
        .await;
    assert_eq!(store.one_project(1).await.project, project(1, &[2]));
    assert_eq!(store.one_project(2).await.participants, []);
    store.put([student(1)]).await;
    assert_eq!(
        store.one_project(2).await.participants,
        [],
        "a new student of the same id took no part"
    );
}

pub(in super::super) async fn every_record_tells_the_newest_of_the_others(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            member(1, 1).into(),
            Project {
                club: Some(club_id(1)),
                ..project(1, &[1])
            }
            .into(),
        ])
        .await;
    let (renamed_club, renamed) = (
        Club {
            name: short_text("새 동아리"),
            ..club(1)
        },
        Student {
            name: short_text("새 학생"),
            ..member(1, 1)
        },
    );
    store
        .put([
            DirectoryChange::from(renamed_club.clone()),
            renamed.clone().into(),
        ])
        .await;
    let summary: Option<ClubSummary> = Some(renamed_club.summary());
    assert_eq!(
        store.one_student(1).await.major_club.as_deref(),
        summary.as_ref()
    );
    assert_eq!(store.one_club(1).await.members, [renamed.as_participant()]);
    assert_eq!(
        (
            store.one_project(1).await.club,
            store.one_project(1).await.participants
        ),
        (summary, vec![renamed.as_participant()])
    );
    store
        .put([student_with_status(1, EnrollmentStatus::Withdrawn)])
        .await;
    assert_eq!(
        store.one_project(1).await.participants,
        [student_with_status(1, EnrollmentStatus::Withdrawn).as_participant()],
        "a former student still took part"
    );
}

pub(in super::super) async fn a_club_removed_beside_new_members_leaves_none_of_them_in_it(
    store: &StoreUnderTest,
) {
    store.put([club(1)]).await;
    let own = |caller: usize| i64::try_from(caller).unwrap_or_default() + 1;
    let refused = store.race_directories(async |school, caller| {
        let change = if caller == CONCURRENT_CALLERS / 2 {
            DirectoryChange::RemoveClub(club_id(1))
        } else {
            member(own(caller), 1).into()
        };
        match write(school, vec![change]).await {
            WriteOutcome::Written(_) => false,
            WriteOutcome::Rejected {
                index: 0,
                reason: RejectionReason::UnknownClub(_),
            } => true,
            other => panic!("a removed club is unknown, not {other:?}"),
        }
    });
    let page = store.students(&[]).await;
    assert_eq!(
        page.values().count(),
        refused.iter().filter(|refused| !**refused).count() - 1,
        "a student who was not rejected exists"
    );
    assert!(
        page.values().all(
            |profile| profile.major_club.is_none() && !profile.student.is_member_of(club_id(1))
        ),
        "no student is in a removed club"
    );
}
