//! Club membership and leadership.

use super::super::directory_fixtures::{
    autonomous_club, club, club_id, club_with_leader, enrolled, member, short_text, student,
    student_id, student_with_status,
};
use super::super::store_under_test::StoreUnderTest;
use crate::directory::{DirectoryChange, RejectionReason};
use crate::domain::{Club, ClubType, EnrollmentStatus, Student};

pub(in super::super) async fn a_students_clubs_must_exist_and_be_of_the_right_kind(
    store: &StoreUnderTest,
) {
    store.put([club(1), autonomous_club(2)]).await;
    let in_autonomous = |number| {
        enrolled(1, |enrollment| {
            enrollment.autonomous_club = Some(club_id(number))
        })
    };
    store
        .assert_refused(
            vec![member(1, 9).into()],
            0,
            RejectionReason::UnknownClub(club_id(9)),
        )
        .await;
    store
        .assert_refused(
            vec![in_autonomous(9).into()],
            0,
            RejectionReason::UnknownClub(club_id(9)),
        )
        .await;
    store
        .assert_refused(
            vec![member(1, 2).into()],
            0,
            RejectionReason::WrongClubType(club_id(2)),
        )
        .await;
    store
        .assert_refused(
            vec![in_autonomous(1).into()],
            0,
            RejectionReason::WrongClubType(club_id(1)),
        )
        .await;
    store
        .assert_refused(
            vec![member(1, 3).into(), club(3).into()],
            0,
            RejectionReason::UnknownClub(club_id(3)),
        )
        .await;
    store
        .assert_refused(
            vec![DirectoryChange::RemoveClub(club_id(1)), member(1, 1).into()],
            1,
            RejectionReason::UnknownClub(club_id(1)),
        )
        .await;
    store.put([member(1, 1), in_autonomous(2)]).await;
}

pub(in super::super) async fn a_leader_must_be_a_member(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            club(2).into(),
            member(1, 1).into(),
            student(2).into(),
        ])
        .await;
    store
        .assert_refused(
            vec![club_with_leader(1, 2).into()],
            0,
            RejectionReason::LeaderIsNotMember(student_id(2)),
        )
        .await;
    store
        .assert_refused(
            vec![club_with_leader(2, 1).into()],
            0,
            RejectionReason::LeaderIsNotMember(student_id(1)),
        )
        .await;
    store
        .assert_refused(
            vec![student(3).into(), club_with_leader(1, 9).into()],
            1,
            RejectionReason::UnknownStudent(student_id(9)),
        )
        .await;
    store.put([club_with_leader(1, 1)]).await;
    assert_eq!(
        store.one_club(1).await.leader().map(|leader| leader.id),
        Some(student_id(1))
    );
    store.put([club(1)]).await;
    assert_eq!(
        store.one_club(1).await.club.leader,
        None,
        "a club may be put without a leader"
    );
    assert_eq!(
        store.one_club(1).await.members,
        [member(1, 1).as_participant()],
        "its members are not the club's to change"
    );
}

pub(in super::super) async fn who_stops_being_a_member_stops_being_the_leader(
    store: &StoreUnderTest,
) {
    let leaving: [(&str, DirectoryChange); 5] = [
        ("joins another club", member(1, 2).into()),
        ("leaves the club", student(1).into()),
        (
            "graduates",
            student_with_status(1, EnrollmentStatus::Graduate).into(),
        ),
        (
            "withdraws",
            student_with_status(1, EnrollmentStatus::Withdrawn).into(),
        ),
        ("is removed", DirectoryChange::RemoveStudent(student_id(1))),
    ];
    store.put([club(1), club(2)]).await;
    for (what, change) in leaving {
        store
            .put([
                DirectoryChange::from(member(1, 1)),
                member(2, 1).into(),
                club_with_leader(1, 1).into(),
            ])
            .await;
        store.put([change]).await;
        let after = store.one_club(1).await;
        assert_eq!(
            after.club,
            club(1),
            "a leader who {what} is no longer the leader"
        );
        assert_eq!(
            after.members,
            [member(2, 1).as_participant()],
            "a leader who {what} is no longer a member"
        );
    }
    store.put([member(1, 1)]).await;
    assert_eq!(
        store.one_club(1).await.club.leader,
        None,
        "a student who rejoins is not the leader again"
    );
}

pub(in super::super) async fn a_leader_who_stays_a_member_stays_the_leader(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            member(1, 1).into(),
            club_with_leader(1, 1).into(),
        ])
        .await;
    store
        .put([Student {
            name: short_text("새 이름"),
            ..member(1, 1)
        }])
        .await;
    assert_eq!(
        store
            .one_club(1)
            .await
            .leader()
            .map(|leader| leader.name.clone()),
        Some(short_text("새 이름"))
    );
}

pub(in super::super) async fn a_club_with_members_keeps_its_kind(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            autonomous_club(2).into(),
            member(1, 1).into(),
        ])
        .await;
    store
        .assert_refused(
            vec![autonomous_club(1).into()],
            0,
            RejectionReason::ClubHasMembers(club_id(1)),
        )
        .await;
    store
        .put([Club {
            kind: ClubType::Major,
            ..autonomous_club(2)
        }])
        .await;
    assert_eq!(
        store.one_club(2).await.club.kind,
        ClubType::Major,
        "a club without members may change its kind"
    );
    store
        .put([DirectoryChange::from(student(1)), autonomous_club(1).into()])
        .await;
    assert_eq!(
        store.one_club(1).await.club.kind,
        ClubType::Autonomous,
        "so may a club whose members have left"
    );
}
