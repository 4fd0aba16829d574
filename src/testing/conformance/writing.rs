mod membership;
mod references;

pub(super) use membership::*;
pub(super) use references::*;

use super::directory_fixtures::{
    EVERYONE, club, club_id, club_with_leader, days, event, lesson, meal, member, project,
    short_text, student, student_id, student_with_status, value, years,
};
use super::store_under_test::{CONCURRENT_CALLERS, ExpectOk, StoreUnderTest};
use super::test_directory::write;
use crate::directory::{DirectoryChange, RejectionReason, WriteOutcome};
use crate::domain::{Club, EnrollmentStatus, MealType, Project, ProjectId, Student};
use crate::testing::conformance::directory_fixtures::autonomous_club;

pub(super) async fn a_fresh_store_has_an_empty_school(store: &StoreUnderTest) {
    assert_eq!(store.students(EVERYONE).await.total, 0);
    assert_eq!(store.clubs(&[]).await.total, 0);
    assert_eq!(store.every_project(&[]).await.total, 0);
    let year = days("2026-01-01", "2026-12-31");
    assert!(
        store
            .directory()
            .await
            .meals(year)
            .await
            .expect_ok()
            .is_empty()
    );
    assert!(
        store
            .directory()
            .await
            .events(year)
            .await
            .expect_ok()
            .is_empty()
    );
    assert!(
        store
            .directory()
            .await
            .lessons(year)
            .await
            .expect_ok()
            .is_empty()
    );
}

pub(super) async fn the_version_grows_with_every_batch_that_changes_something(
    store: &StoreUnderTest,
) {
    let mut before = store.directory().await.version().await.expect_ok();
    for (batch, changes_something) in [
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
        let after = store.put(batch).await;
        assert_eq!(
            after.number,
            before.number + u64::from(changes_something),
            "a batch has a version of its own if it changes something"
        );
        assert_eq!(
            after.mark != before.mark,
            changes_something,
            "each version has a mark of its own"
        );
        assert_eq!(
            after.lineage, before.lineage,
            "a directory keeps its lineage"
        );
        assert_eq!(
            store.directory_version().await.expect_ok(),
            after,
            "the version is the one that the write returned"
        );
        before = after;
    }
}

pub(super) async fn to_put_is_to_replace_what_has_the_same_id(store: &StoreUnderTest) {
    store.put([student(1)]).await;
    store
        .put([student_with_status(1, EnrollmentStatus::Graduate)])
        .await;
    assert_eq!(
        store.one_student(1).await.student,
        student_with_status(1, EnrollmentStatus::Graduate)
    );
    store.put([club(1)]).await;
    let renamed = Club {
        name: short_text("새 이름"),
        years: years(Some(2024)),
        ..autonomous_club(1)
    };
    store.put([renamed.clone()]).await;
    assert_eq!(store.one_club(1).await.club, renamed);
    store.put([project(1, &[1])]).await;
    store
        .put([Project {
            name: short_text("새 이름"),
            ..project(1, &[])
        }])
        .await;
    assert_eq!(
        store.one_project(1).await.project,
        Project {
            name: short_text("새 이름"),
            ..project(1, &[])
        }
    );
}

pub(super) async fn removing_what_is_not_there_is_no_fault(store: &StoreUnderTest) {
    store.put([student(1)]).await;
    let absent = [
        DirectoryChange::RemoveStudent(student_id(9)),
        DirectoryChange::RemoveClub(club_id(9)),
        DirectoryChange::RemoveProject(value(9, ProjectId::new)),
        DirectoryChange::RemoveMeal("9_20260101_1".to_owned()),
        DirectoryChange::RemoveEvent(String::new()),
        // No stored text contains this character, and PostgreSQL refuses it even in a query.
        DirectoryChange::RemoveEvent("9\0".to_owned()),
        DirectoryChange::RemoveLesson("9".to_owned()),
    ];
    store.put(absent).await;
    assert_eq!(store.one_student(1).await.student, student(1));
}

pub(super) async fn changes_are_made_in_their_order(store: &StoreUnderTest) {
    let changes: [DirectoryChange; 8] = [
        club(1).into(),
        member(1, 1).into(),
        club_with_leader(1, 1).into(),
        Project {
            club: Some(club_id(1)),
            ..project(1, &[1])
        }
        .into(),
        student(2).into(),
        DirectoryChange::RemoveStudent(student_id(2)),
        Student {
            name: short_text("이전"),
            ..student(3)
        }
        .into(),
        Student {
            name: short_text("이후"),
            ..student(3)
        }
        .into(),
    ];
    store.put(changes).await;
    assert_eq!(store.one_club(1).await.club, club_with_leader(1, 1));
    assert_eq!(store.one_student(3).await.student.name, short_text("이후"));
    assert_eq!(store.students(&[]).await.ids(), [1, 3]);
}

pub(super) async fn a_refused_batch_leaves_nothing(store: &StoreUnderTest) {
    store
        .put([
            DirectoryChange::from(club(1)),
            member(1, 1).into(),
            club_with_leader(1, 1).into(),
            project(1, &[1]).into(),
        ])
        .await;
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
    store
        .assert_refused(batch, 7, RejectionReason::UnknownClub(club_id(7)))
        .await;
    let may = days("2026-05-01", "2026-05-31");
    assert_eq!(
        store.directory().await.meals(may).await.expect_ok().len(),
        1,
        "a refused batch removes no meal"
    );
    assert!(
        store
            .directory()
            .await
            .events(may)
            .await
            .expect_ok()
            .is_empty(),
        "a refused batch puts no event"
    );
    assert!(
        store
            .directory()
            .await
            .lessons(may)
            .await
            .expect_ok()
            .is_empty(),
        "a refused batch puts no lesson"
    );
}

pub(super) async fn of_many_batches_none_is_lost_and_each_has_its_version(store: &StoreUnderTest) {
    let before = store.directory().await.version().await.expect_ok();
    let own = |caller: usize| i64::try_from(caller).unwrap_or_default() * 10 + 1;
    let mut versions = store.race_directories(async |school, caller| {
        let batch = (0..3)
            .map(|more| student(own(caller) + more).into())
            .collect();
        match write(school, batch).await {
            WriteOutcome::Written(version) => version,
            refused => panic!("the changes are allowed, not {refused:?}"),
        }
    });
    versions.sort_unstable_by_key(|version| version.number);
    versions.dedup();
    assert_eq!(
        versions.len(),
        CONCURRENT_CALLERS,
        "each of {CONCURRENT_CALLERS} batches has a version of its own"
    );
    assert!(
        versions[0].number > before.number,
        "every version is higher than the one before"
    );
    assert_eq!(
        versions.last(),
        Some(&store.directory().await.version().await.expect_ok()),
        "the newest version is the store's"
    );
    let expected: Vec<_> = (0..CONCURRENT_CALLERS)
        .flat_map(|caller| own(caller)..own(caller) + 3)
        .collect();
    assert_eq!(
        store.students(&[]).await.ids(),
        expected,
        "every batch is complete"
    );
}

pub(super) async fn nobody_sees_half_a_batch(store: &StoreUnderTest) {
    let named = |name: &str| {
        [1, 2].map(|number| Student {
            name: short_text(name),
            ..student(number)
        })
    };
    store.put(named("처음")).await;
    store.race_directories(async |school, caller| {
        if caller.is_multiple_of(2) {
            let batch = named(&format!("학생 {caller}")).map(Into::into).to_vec();
            assert!(matches!(
                write(school, batch).await,
                WriteOutcome::Written(_)
            ));
            return;
        }
        let page = school.students(&[]).await.expect_ok();
        let names: Vec<_> = page
            .values()
            .map(|profile| profile.student.name.clone())
            .collect();
        assert!(
            names.len() == 2 && names[0] == names[1],
            "both students are of one batch, not {names:?}"
        );
    });
}
