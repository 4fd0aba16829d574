use super::candidate::{Answered, Candidate};
use super::given_school::{autonomous, club, club_id, clubs, enrolled, led, left, line, member, student, student_id, value, years};
use crate::directory::DirectoryChange;
use crate::domain::{Club, ClubFilter, ClubProfile, ClubQuery, ClubStatus, ClubType, Lifespan, Needle, PageRequest, Standing, Year};

pub(super) async fn a_club_shows_its_members_in_id_order_and_its_leader(store: &Candidate) {
    store.put([club(1), club(2), autonomous(3)]).await;
    let both = enrolled(10, |enrolment| (enrolment.major_club, enrolment.autonomous_club) = (Some(club_id(1)), Some(club_id(3))));
    store.put([both.clone(), member(9, 1), member(100, 1), member(5, 2), left(4, Standing::Graduate), student(1)]).await;
    store.put([led(1, 10)]).await;
    let one = store.one_club(1).await;
    let expected = ClubProfile {
        club: led(1, 10),
        members: [member(9, 1), both.clone(), member(100, 1)].map(|member| member.as_participant()).into(),
    };
    assert_eq!(one, expected, "members come in id order, the leader among them");
    assert_eq!(one.leader().map(|leader| leader.id), Some(student_id(10)));
    assert_eq!(store.one_club(3).await, ClubProfile { club: autonomous(3), members: vec![both.as_participant()] });
    store.put([autonomous(4)]).await;
    assert_eq!(store.one_club(4).await, ClubProfile { club: autonomous(4), members: vec![] });
}

pub(super) async fn every_club_filter_finds_what_it_says(store: &Candidate) {
    let old = Lifespan::new(value(2001, Year::new), Some(value(2001, Year::new))).expect("years");
    store
        .put([
            club(1),
            Club { name: line("Robotics"), ..autonomous(2) },
            Club { years: years(Some(2024)), ..club(3) },
            Club { years: old, ..autonomous(4) },
        ])
        .await;
    let expectations: [(ClubFilter, &[i64]); 10] = [
        (ClubFilter::default(), &[1, 2, 3, 4]),
        (ClubFilter { id: Some(club_id(3)), ..ClubFilter::default() }, &[3]),
        (ClubFilter { id: Some(club_id(9)), ..ClubFilter::default() }, &[]),
        (ClubFilter { name: Needle::new("BOT").ok(), ..ClubFilter::default() }, &[2]),
        (ClubFilter { kind: Some(ClubType::Major), ..ClubFilter::default() }, &[1, 3]),
        (ClubFilter { kind: Some(ClubType::Autonomous), ..ClubFilter::default() }, &[2, 4]),
        (ClubFilter { status: Some(ClubStatus::Active), ..ClubFilter::default() }, &[1, 2]),
        (ClubFilter { status: Some(ClubStatus::Abolished), ..ClubFilter::default() }, &[3, 4]),
        (ClubFilter { founded_year: Some(value(2001, Year::new)), ..ClubFilter::default() }, &[4]),
        (ClubFilter { kind: Some(ClubType::Major), status: Some(ClubStatus::Abolished), ..ClubFilter::default() }, &[3]),
    ];
    for (filter, expected) in expectations {
        let page = store.school().await.clubs(&clubs(filter.clone())).await.answered();
        assert_eq!(page.values().map(|profile| profile.club.id.get()).collect::<Vec<_>>(), expected, "{filter:?}");
        assert_eq!(page.total, expected.len() as u64, "the total counts what was found");
    }
}

pub(super) async fn pages_of_clubs_make_up_the_whole(store: &Candidate) {
    store.put((1..=5).map(club)).await;
    for (number, expected) in [(0, vec![1, 2]), (1, vec![3, 4]), (2, vec![5]), (3, vec![])] {
        let query = ClubQuery { page: PageRequest::new(number, 2).expect("a page"), ..clubs(ClubFilter::default()) };
        let page = store.school().await.clubs(&query).await.answered();
        assert_eq!(page.total, 5, "every page knows the total");
        assert_eq!(page.values().map(|profile| profile.club.id.get()).collect::<Vec<_>>(), expected);
    }
}

pub(super) async fn a_removed_club_is_gone(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), club(2).into(), DirectoryChange::RemoveClub(club_id(1))]).await;
    let page = store.school().await.clubs(&clubs(ClubFilter::default())).await.answered();
    assert_eq!(page.values().map(|profile| profile.club.id).collect::<Vec<_>>(), [club_id(2)]);
}
