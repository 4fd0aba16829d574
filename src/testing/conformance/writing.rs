use super::candidate::{Answered, Candidate, RACERS};
use super::given_school::{
    EVERYONE, autonomous, club, club_id, days, enrolled, event, led, left, lesson, line, meal, member, project, student, student_id, value,
    years,
};
use super::school::write;
use crate::directory::{DirectoryChange, Refusal, Writing};
use crate::domain::{Club, ClubSummary, ClubType, MealType, Project, ProjectId, Standing, Student};

pub(super) async fn a_fresh_store_has_an_empty_school(store: &Candidate) {
    assert_eq!(store.students(EVERYONE).await.total, 0);
    assert_eq!(store.clubs(&[]).await.total, 0);
    assert_eq!(store.every_project(&[]).await.total, 0);
    let year = days("2026-01-01", "2026-12-31");
    assert!(store.school().await.meals(year).await.answered().is_empty());
    assert!(store.school().await.events(year).await.answered().is_empty());
    assert!(store.school().await.lessons(year).await.answered().is_empty());
}

pub(super) async fn the_version_grows_with_every_batch_that_changes_something(store: &Candidate) {
    let mut before = store.school().await.version().await.answered();
    for (batch, changes_something) in [
        (vec![student(1).into()], true),
        (vec![student(1).into()], false),
        (vec![DirectoryChange::RemoveStudent(student_id(9))], false),
        (vec![student(2).into(), DirectoryChange::RemoveStudent(student_id(2))], false),
        (vec![], false),
        (vec![DirectoryChange::RemoveStudent(student_id(1))], true),
    ] {
        let after = store.put(batch).await;
        assert_eq!(after.number, before.number + u64::from(changes_something), "a batch has a version of its own if it changes something");
        assert_eq!(after.mark != before.mark, changes_something, "each version has a mark of its own");
        assert_eq!(after.lineage, before.lineage, "a directory keeps its lineage");
        assert_eq!(store.directory_version().await.answered(), after, "the version is the one that the write told");
        before = after;
    }
}

pub(super) async fn to_put_is_to_replace_what_has_the_same_id(store: &Candidate) {
    store.put([student(1)]).await;
    store.put([left(1, Standing::Graduate)]).await;
    assert_eq!(store.one_student(1).await.student, left(1, Standing::Graduate));
    store.put([club(1)]).await;
    let renamed = Club { name: line("새 이름"), years: years(Some(2024)), ..autonomous(1) };
    store.put([renamed.clone()]).await;
    assert_eq!(store.one_club(1).await.club, renamed);
    store.put([project(1, &[1])]).await;
    store.put([Project { name: line("새 이름"), ..project(1, &[]) }]).await;
    assert_eq!(store.one_project(1).await.project, Project { name: line("새 이름"), ..project(1, &[]) });
}

pub(super) async fn removing_what_is_not_there_is_no_fault(store: &Candidate) {
    store.put([student(1)]).await;
    let absent = [
        DirectoryChange::RemoveStudent(student_id(9)),
        DirectoryChange::RemoveClub(club_id(9)),
        DirectoryChange::RemoveProject(value(9, ProjectId::new)),
        DirectoryChange::RemoveMeal("9_20260101_1".to_owned()),
        DirectoryChange::RemoveEvent(String::new()),
        // No text that a store keeps has this character, and PostgreSQL refuses even to look for it.
        DirectoryChange::RemoveEvent("9\0".to_owned()),
        DirectoryChange::RemoveLesson("9".to_owned()),
    ];
    store.put(absent).await;
    assert_eq!(store.one_student(1).await.student, student(1));
}

pub(super) async fn changes_are_made_in_their_order(store: &Candidate) {
    let changes: [DirectoryChange; 8] = [
        club(1).into(),
        member(1, 1).into(),
        led(1, 1).into(),
        Project { club: Some(club_id(1)), ..project(1, &[1]) }.into(),
        student(2).into(),
        DirectoryChange::RemoveStudent(student_id(2)),
        Student { name: line("이전"), ..student(3) }.into(),
        Student { name: line("이후"), ..student(3) }.into(),
    ];
    store.put(changes).await;
    assert_eq!(store.one_club(1).await.club, led(1, 1));
    assert_eq!(store.one_student(3).await.student.name, line("이후"));
    assert_eq!(store.students(&[]).await.ids(), [1, 3]);
}

pub(super) async fn a_refused_batch_leaves_nothing(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), member(1, 1).into(), led(1, 1).into(), project(1, &[1]).into()]).await;
    store.put([meal("2026-05-20", MealType::Lunch)]).await;
    let batch = vec![
        student(2).into(),
        club(2).into(),
        DirectoryChange::RemoveStudent(student_id(1)),
        DirectoryChange::RemoveMeal(meal("2026-05-20", MealType::Lunch).id()),
        event("e", "2026-05-20", "체육 대회").into(),
        lesson("l", "2026-05-20", [1, 1, 1]).into(),
        DirectoryChange::RemoveProject(value(1, ProjectId::new)),
        member(3, 7).into(),
        member(4, 8).into(),
    ];
    store.refuses(batch, 7, Refusal::UnknownClub(club_id(7))).await;
    let may = days("2026-05-01", "2026-05-31");
    assert_eq!(store.school().await.meals(may).await.answered().len(), 1, "a refused batch removes no meal");
    assert!(store.school().await.events(may).await.answered().is_empty(), "a refused batch puts no event");
    assert!(store.school().await.lessons(may).await.answered().is_empty(), "a refused batch puts no lesson");
}

pub(super) async fn a_students_clubs_must_exist_and_be_of_the_right_kind(store: &Candidate) {
    store.put([club(1), autonomous(2)]).await;
    let in_autonomous = |number| enrolled(1, |enrolment| enrolment.autonomous_club = Some(club_id(number)));
    store.refuses(vec![member(1, 9).into()], 0, Refusal::UnknownClub(club_id(9))).await;
    store.refuses(vec![in_autonomous(9).into()], 0, Refusal::UnknownClub(club_id(9))).await;
    store.refuses(vec![member(1, 2).into()], 0, Refusal::WrongClubType(club_id(2))).await;
    store.refuses(vec![in_autonomous(1).into()], 0, Refusal::WrongClubType(club_id(1))).await;
    store.refuses(vec![member(1, 3).into(), club(3).into()], 0, Refusal::UnknownClub(club_id(3))).await;
    store.refuses(vec![DirectoryChange::RemoveClub(club_id(1)), member(1, 1).into()], 1, Refusal::UnknownClub(club_id(1))).await;
    store.put([member(1, 1), in_autonomous(2)]).await;
}

pub(super) async fn a_leader_must_be_a_member(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), club(2).into(), member(1, 1).into(), student(2).into()]).await;
    store.refuses(vec![led(1, 2).into()], 0, Refusal::LeaderIsNoMember(student_id(2))).await;
    store.refuses(vec![led(2, 1).into()], 0, Refusal::LeaderIsNoMember(student_id(1))).await;
    store.refuses(vec![student(3).into(), led(1, 9).into()], 1, Refusal::UnknownStudent(student_id(9))).await;
    store.put([led(1, 1)]).await;
    assert_eq!(store.one_club(1).await.leader().map(|leader| leader.id), Some(student_id(1)));
    store.put([club(1)]).await;
    assert_eq!(store.one_club(1).await.club.leader, None, "a club may be put without a leader");
    assert_eq!(store.one_club(1).await.members, [member(1, 1).as_participant()], "its members are not the club's to change");
}

pub(super) async fn who_stops_being_a_member_stops_being_the_leader(store: &Candidate) {
    let leaving: [(&str, DirectoryChange); 5] = [
        ("joins another club", member(1, 2).into()),
        ("leaves the club", student(1).into()),
        ("graduates", left(1, Standing::Graduate).into()),
        ("withdraws", left(1, Standing::Withdrawn).into()),
        ("is removed", DirectoryChange::RemoveStudent(student_id(1))),
    ];
    store.put([club(1), club(2)]).await;
    for (what, change) in leaving {
        store.put([DirectoryChange::from(member(1, 1)), member(2, 1).into(), led(1, 1).into()]).await;
        store.put([change]).await;
        let after = store.one_club(1).await;
        assert_eq!(after.club, club(1), "a leader who {what} leads no more");
        assert_eq!(after.members, [member(2, 1).as_participant()], "a leader who {what} is no member");
    }
    store.put([member(1, 1)]).await;
    assert_eq!(store.one_club(1).await.club.leader, None, "who comes back is not the leader again");
}

pub(super) async fn a_leader_who_stays_a_member_stays_the_leader(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), member(1, 1).into(), led(1, 1).into()]).await;
    store.put([Student { name: line("새 이름"), ..member(1, 1) }]).await;
    assert_eq!(store.one_club(1).await.leader().map(|leader| leader.name.clone()), Some(line("새 이름")));
}

pub(super) async fn a_club_with_members_keeps_its_kind(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), autonomous(2).into(), member(1, 1).into()]).await;
    store.refuses(vec![autonomous(1).into()], 0, Refusal::ClubHasMembers(club_id(1))).await;
    store.put([Club { kind: ClubType::Major, ..autonomous(2) }]).await;
    assert_eq!(store.one_club(2).await.club.kind, ClubType::Major, "a club without members may change its kind");
    store.put([DirectoryChange::from(student(1)), autonomous(1).into()]).await;
    assert_eq!(store.one_club(1).await.club.kind, ClubType::Autonomous, "so may a club whose members have left");
}

pub(super) async fn a_removed_club_leaves_its_members_and_projects_without_it(store: &Candidate) {
    store.put([club(1), club(2), autonomous(3)]).await;
    let both = enrolled(1, |enrolment| (enrolment.major_club, enrolment.autonomous_club) = (Some(club_id(1)), Some(club_id(3))));
    store.put([both, member(2, 2)]).await;
    store.put([Project { club: Some(club_id(1)), ..project(1, &[1]) }, Project { club: Some(club_id(2)), ..project(2, &[2]) }]).await;
    store.put([DirectoryChange::RemoveClub(club_id(1))]).await;

    let without = store.one_student(1).await;
    assert_eq!(without.student, enrolled(1, |enrolment| enrolment.autonomous_club = Some(club_id(3))));
    assert_eq!((without.major_club, without.autonomous_club), (None, Some(autonomous(3).summary().into())));
    assert_eq!((store.one_project(1).await.project, store.one_project(1).await.club), (project(1, &[1]), None));
    assert_eq!(store.one_student(2).await.major_club, Some(club(2).summary().into()), "other clubs are untouched");
    assert_eq!(store.one_project(2).await.club, Some(club(2).summary()));
    store.put([club(1)]).await;
    assert_eq!(store.one_club(1).await.members, [], "a new club of the same id has no members");
}

pub(super) async fn a_projects_club_and_participants_must_exist(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), student(1).into(), left(2, Standing::Graduate).into()]).await;
    store.refuses(vec![Project { club: Some(club_id(9)), ..project(1, &[1]) }.into()], 0, Refusal::UnknownClub(club_id(9))).await;
    store.refuses(vec![club(2).into(), project(1, &[1, 9]).into()], 1, Refusal::UnknownStudent(student_id(9))).await;
    store.put([Project { club: Some(club_id(1)), ..project(1, &[1, 2]) }]).await;
    assert_eq!(store.one_project(1).await.participants, [student(1).as_participant(), left(2, Standing::Graduate).as_participant()]);
}

pub(super) async fn a_removed_student_leaves_their_projects(store: &Candidate) {
    store.put([student(1), student(2)]).await;
    store.put([project(1, &[1, 2]), project(2, &[1])]).await;
    store.put([DirectoryChange::RemoveStudent(student_id(1))]).await;
    assert_eq!(store.one_project(1).await.project, project(1, &[2]));
    assert_eq!(store.one_project(2).await.participants, []);
    store.put([student(1)]).await;
    assert_eq!(store.one_project(2).await.participants, [], "a new student of the same id took no part");
}

pub(super) async fn every_record_tells_the_newest_of_the_others(store: &Candidate) {
    store.put([DirectoryChange::from(club(1)), member(1, 1).into(), Project { club: Some(club_id(1)), ..project(1, &[1]) }.into()]).await;
    let (renamed_club, renamed) = (Club { name: line("새 동아리"), ..club(1) }, Student { name: line("새 학생"), ..member(1, 1) });
    store.put([DirectoryChange::from(renamed_club.clone()), renamed.clone().into()]).await;
    let summary: Option<ClubSummary> = Some(renamed_club.summary());
    assert_eq!(store.one_student(1).await.major_club.as_deref(), summary.as_ref());
    assert_eq!(store.one_club(1).await.members, [renamed.as_participant()]);
    assert_eq!((store.one_project(1).await.club, store.one_project(1).await.participants), (summary, vec![renamed.as_participant()]));
    store.put([left(1, Standing::Withdrawn)]).await;
    assert_eq!(store.one_project(1).await.participants, [left(1, Standing::Withdrawn).as_participant()], "who has left still took part");
}

pub(super) async fn of_many_batches_none_is_lost_and_each_has_its_version(store: &Candidate) {
    let before = store.school().await.version().await.answered();
    let own = |racer: usize| i64::try_from(racer).unwrap_or_default() * 10 + 1;
    let mut versions = store.race_schools(async |school, racer| {
        let batch = (0..3).map(|more| student(own(racer) + more).into()).collect();
        match write(school, batch).await {
            Writing::Written(version) => version,
            refused => panic!("the changes are allowed, not {refused:?}"),
        }
    });
    versions.sort_unstable_by_key(|version| version.number);
    versions.dedup();
    assert_eq!(versions.len(), RACERS, "each of {RACERS} batches has a version of its own");
    assert!(versions[0].number > before.number, "every version is newer than the one before");
    assert_eq!(versions.last(), Some(&store.school().await.version().await.answered()), "the newest version is the store's");
    let expected: Vec<_> = (0..RACERS).flat_map(|racer| own(racer)..own(racer) + 3).collect();
    assert_eq!(store.students(&[]).await.ids(), expected, "every batch is there whole");
}

pub(super) async fn nobody_sees_half_a_batch(store: &Candidate) {
    let named = |name: &str| [1, 2].map(|number| Student { name: line(name), ..student(number) });
    store.put(named("처음")).await;
    store.race_schools(async |school, racer| {
        if racer.is_multiple_of(2) {
            let batch = named(&format!("학생 {racer}")).map(Into::into).to_vec();
            assert!(matches!(write(school, batch).await, Writing::Written(_)));
            return;
        }
        let page = school.students(&[]).await.answered();
        let names: Vec<_> = page.values().map(|profile| profile.student.name.clone()).collect();
        assert!(names.len() == 2 && names[0] == names[1], "both students are of one batch, not {names:?}");
    });
}

pub(super) async fn a_club_removed_beside_new_members_leaves_none_of_them_in_it(store: &Candidate) {
    store.put([club(1)]).await;
    let own = |racer: usize| i64::try_from(racer).unwrap_or_default() + 1;
    let refused = store.race_schools(async |school, racer| {
        let change = if racer == RACERS / 2 { DirectoryChange::RemoveClub(club_id(1)) } else { member(own(racer), 1).into() };
        match write(school, vec![change]).await {
            Writing::Written(_) => false,
            Writing::Refused { index: 0, refusal: Refusal::UnknownClub(_) } => true,
            other => panic!("a club that is gone is unknown, not {other:?}"),
        }
    });
    let page = store.students(&[]).await;
    assert_eq!(page.values().count(), refused.iter().filter(|refused| !**refused).count() - 1, "who was not refused is there");
    assert!(
        page.values().all(|profile| profile.major_club.is_none() && !profile.student.is_member_of(club_id(1))),
        "nobody is in a club that is gone"
    );
}
