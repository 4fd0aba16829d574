use super::directory_fixtures::{
    autonomous_club, club, club_id, club_with_leader, enrolled, member, short_text, student,
    student_id, student_with_status, value, years,
};
use super::store_under_test::StoreUnderTest;
use super::test_directory::Parameters;
use crate::directory::DirectoryChange;
use crate::domain::{Club, ClubProfile, EnrollmentStatus, Year, YearRange};

pub(super) async fn a_club_shows_its_members_in_id_order_and_its_leader(store: &StoreUnderTest) {
    store.put([club(1), club(2), autonomous_club(3)]).await;
    let both = enrolled(10, |enrollment| {
        (enrollment.major_club, enrollment.autonomous_club) = (Some(club_id(1)), Some(club_id(3)))
    });
    store
        .put([
            both.clone(),
            member(9, 1),
            member(100, 1),
            member(5, 2),
            student_with_status(4, EnrollmentStatus::Graduate),
            student(1),
        ])
        .await;
    store.put([club_with_leader(1, 10)]).await;
    let one = store.one_club(1).await;
    let expected = ClubProfile {
        club: club_with_leader(1, 10),
        members: [member(9, 1), both.clone(), member(100, 1)]
            .map(|member| member.as_participant())
            .into(),
    };
    assert_eq!(
        one, expected,
        "members come in id order, the leader among them"
    );
    assert_eq!(one.leader().map(|leader| leader.id), Some(student_id(10)));
    assert_eq!(
        store.one_club(3).await,
        ClubProfile {
            club: autonomous_club(3),
            members: vec![both.as_participant()]
        }
    );
    store.put([autonomous_club(4)]).await;
    assert_eq!(
        store.one_club(4).await,
        ClubProfile {
            club: autonomous_club(4),
            members: vec![]
        }
    );
}

pub(super) async fn every_club_filter_finds_what_it_says(store: &StoreUnderTest) {
    let old = YearRange::new(value(2001, Year::new), Some(value(2001, Year::new))).expect("years");
    store
        .put([
            club(1),
            Club {
                name: short_text("Robotics"),
                ..autonomous_club(2)
            },
            Club {
                years: years(Some(2024)),
                ..club(3)
            },
            Club {
                years: old,
                ..autonomous_club(4)
            },
        ])
        .await;
    let expectations: [(Parameters<'_>, &[i64]); 11] = [
        (&[], &[1, 2, 3, 4]),
        (&[("clubId", "3")], &[3]),
        (&[("clubId", "9")], &[]),
        (&[("clubName", "BOT")], &[2]),
        (&[("clubType", "MAJOR_CLUB")], &[1, 3]),
        (&[("clubType", "AUTONOMOUS_CLUB")], &[2, 4]),
        (&[("status", "ACTIVE")], &[1, 2]),
        (&[("status", "ABOLISHED")], &[3, 4]),
        (&[("clubStatus", "ABOLISHED")], &[3, 4]),
        (&[("foundedYear", "2001")], &[4]),
        (&[("clubType", "MAJOR_CLUB"), ("status", "ABOLISHED")], &[3]),
    ];
    for (asked, expected) in expectations {
        assert_eq!(store.clubs(asked).await.all_ids(), expected, "{asked:?}");
    }
}

pub(super) async fn pages_of_clubs_make_up_the_whole(store: &StoreUnderTest) {
    store.put((1..=5).map(club)).await;
    for (number, expected) in [
        ("0", vec![1, 2]),
        ("1", vec![3, 4]),
        ("2", vec![5]),
        ("3", vec![]),
    ] {
        let page = store.clubs(&[("page", number), ("size", "2")]).await;
        assert_eq!(page.total, 5, "every page knows the total");
        assert_eq!(page.ids(), expected);
    }
}

pub(super) async fn a_removed_club_is_gone(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            club(2).into(),
            DirectoryChange::RemoveClub(club_id(1)),
        ])
        .await;
    assert_eq!(store.clubs(&[]).await.ids(), [2]);
}
