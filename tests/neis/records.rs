//! What a run changes in the directory, and what it leaves.

use lyceum::directory::{Directory, DirectoryChange, RejectionReason, WriteOutcome};
use lyceum::domain::{Meal, ShortText};
use lyceum::neis::{SyncKind, SyncOutcome};
use lyceum::testing::NeisBehavior;
use serde_json::{Value, json};

use crate::harness::{MEALS, SCHEDULES, School, changed, days, many_events, open};

/// A school that has synced its meals, with their rows.
async fn filled() -> (School, Vec<Value>) {
    let school = School::new().await;
    let rows = school.portal.set_answer(MEALS);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.outcome, run.inserted), (SyncOutcome::Synced, 5));
    (school, rows)
}

async fn put(directory: &Directory, changes: Vec<DirectoryChange>) {
    let written = directory.write(changes).await.unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)), "{written:?}");
}

/// Fails if content that is the same gets a new version, and with it all clients new tags.
#[tokio::test]
async fn a_second_run_changes_nothing_for_any_kind() {
    let school = School::new().await;
    school.portal.set_answer(MEALS);
    school.portal.set_answer(SCHEDULES);
    school.portal.set_answer(crate::harness::HIGH);
    let mut first = Vec::new();
    for kind in SyncKind::ALL {
        let run = school.run(*kind).await;
        assert_eq!(run.outcome, SyncOutcome::Synced);
        first.push(run.inserted);
    }
    let version = school.version().await;
    assert_eq!((first, version.number), (vec![5, 5, 8], 3));
    for kind in SyncKind::ALL {
        let run = school.run(*kind).await;
        assert_eq!((run.outcome, run.calls), (SyncOutcome::Synced, 1));
        assert_eq!((run.inserted, run.updated, run.deleted), (0, 0, 0));
    }
    assert_eq!(school.version().await, version);
}

/// Fails if the date on which the portal loaded a row changes a record.
#[tokio::test]
async fn only_content_changes_a_record() {
    let (school, rows) = filled().await;
    let version = school.version().await;
    let loaded = json!({ "LOAD_DTM": "20260701" });
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| changed(row, loaded.clone()))
        .collect();
    school.portal.set_rows("mealServiceDietInfo", rows.clone());
    school.run(SyncKind::Meals).await;
    assert_eq!(school.version().await, version);

    let mut rows = rows;
    rows[4] = changed(&rows[4], json!({ "DDISH_NM": "쌀밥" }));
    school.portal.set_rows("mealServiceDietInfo", rows);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.inserted, run.updated, run.deleted), (0, 1, 0));
    assert_eq!(school.version().await.number, version.number + 1);
    assert_eq!(&*school.meals().await[4].dishes[0].name, "쌀밥");
}

/// Fails if a record that the portal no longer has stays, or one of other days or another school
/// goes with it.
#[tokio::test]
async fn a_run_deletes_only_its_own_schools_records_on_its_own_days() {
    let (school, mut rows) = filled().await;
    let first = school.meals().await[0].clone();
    let mut other_school = first.clone();
    other_school.school.school_code = ShortText::from_static("7380292");
    let other_days = ["2026-05-31", "2026-07-01"].map(|day| Meal {
        date: day.parse().unwrap(),
        ..first.clone()
    });
    let kept: Vec<Meal> = [other_school].into_iter().chain(other_days).collect();
    put(
        &school.directory,
        kept.iter().cloned().map(Into::into).collect(),
    )
    .await;

    rows.pop();
    school.portal.set_rows("mealServiceDietInfo", rows);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.outcome, run.deleted), (SyncOutcome::Synced, 1));
    let snapshot = school.snapshot().await;
    let meals = snapshot.meals(days("2026-05-01", "2026-07-31"));
    assert_eq!(meals.len(), 4 + kept.len());
    for meal in &kept {
        assert!(meals.iter().any(|found| **found == *meal), "{}", meal.id());
    }
}

/// Fails if a portal that has lost most rows takes them from the school too.
#[tokio::test]
async fn a_run_that_would_delete_too_many_records_writes_nothing() {
    let school = School::new().await;
    let rows = many_events(10);
    school.portal.set_rows("SchoolSchedule", rows.clone());
    school.run(SyncKind::Schedules).await;
    let version = school.version().await;
    let mut fewer = rows[..7].to_vec();
    fewer.push(changed(&rows[0], json!({ "EVENT_NM": "새 행사" })));
    school.portal.set_rows("SchoolSchedule", fewer);
    let run = school.run(SyncKind::Schedules).await;
    let outcome = SyncOutcome::TooManyDeletions {
        deleted: 3,
        records: 10,
    };
    assert_eq!((&run.outcome, run.inserted, run.deleted), (&outcome, 0, 0));
    assert_eq!(school.version().await, version);

    // A fifth may go, and with permission all may.
    school.portal.set_rows("SchoolSchedule", rows[..8].to_vec());
    let run = school.run(SyncKind::Schedules).await;
    assert_eq!((run.outcome, run.deleted), (SyncOutcome::Synced, 2));
    school.portal.set_rows("SchoolSchedule", rows[..1].to_vec());
    let School { sync, portal, .. } = school;
    let sync = sync.max_deleted_percent(100);
    let window = days("2026-06-01", "2026-06-30");
    let run = sync.run(SyncKind::Schedules, window).await.unwrap();
    assert_eq!((run.outcome, run.deleted), (SyncOutcome::Synced, 7));
    drop(portal);
}

/// Fails if what another process writes while a run reads is overwritten unseen, or ends the run.
#[tokio::test]
async fn a_run_compares_again_with_what_others_wrote_meanwhile() {
    let (school, mut rows) = filled().await;
    let elsewhere = open(&school.store).await;
    let written = Meal {
        date: "2026-06-20".parse().unwrap(),
        ..school.meals().await[0].clone()
    };
    let moved = Meal {
        date: "2026-07-20".parse().unwrap(),
        ..written.clone()
    };
    rows[0] = changed(&rows[0], json!({ "CAL_INFO": "1 Kcal" }));
    school.portal.set_rows("mealServiceDietInfo", rows);
    school.portal.then([NeisBehavior::Held]);
    let run = school.run_during(SyncKind::Meals, async {
        school.portal.requested(2).await;
        let changes = vec![written.clone().into(), moved.clone().into()];
        put(&elsewhere, changes).await;
        school.portal.release();
    });
    let run = run.await;
    assert_eq!(run.outcome, SyncOutcome::Synced);
    assert_eq!((run.inserted, run.updated, run.deleted), (0, 1, 1));
    assert_eq!(school.meals().await.len(), 5);
    let july = school.snapshot().await;
    assert_eq!(july.meals(days("2026-07-01", "2026-07-31")).len(), 1);
}

/// Fails if changes that were made for one state are applied to another.
#[tokio::test]
async fn changes_for_an_older_version_are_not_written() {
    let (school, _) = filled().await;
    let elsewhere = open(&school.store).await;
    let old = school.version().await;
    let meals = school.meals().await;
    let removal = |at: usize| vec![DirectoryChange::RemoveMeal(meals[at].id())];
    // The write is seen by the store, which the directory has not asked since.
    put(&elsewhere, removal(0)).await;
    let refused = school.directory.write_if(old, removal(1)).await.unwrap();
    assert_eq!(refused, WriteOutcome::Contended);
    assert_eq!(school.meals().await.len(), 4);
    // Now it is seen by the directory itself.
    let refused = school.directory.write_if(old, removal(1)).await.unwrap();
    assert_eq!(refused, WriteOutcome::Contended);
    let current = school.version().await;
    let written = school
        .directory
        .write_if(current, removal(1))
        .await
        .unwrap();
    assert!(matches!(written, WriteOutcome::Written(_)), "{written:?}");
    assert_eq!(school.meals().await.len(), 3);
}

/// Fails if a scheduler of a host cannot run it in a task of its own.
#[tokio::test]
async fn a_run_is_spawned_by_a_host() {
    let School { sync, portal, .. } = School::new().await;
    portal.set_answer(MEALS);
    let window = days("2026-06-01", "2026-06-30");
    let run = tokio::spawn(async move { sync.run(SyncKind::Meals, window).await });
    assert_eq!(run.await.unwrap().unwrap().inserted, 5);
}

/// Fails if a list that is too long for one write is written in parts.
#[tokio::test]
async fn more_changes_than_one_write_takes_are_refused_whole() {
    let school = School::new().await;
    school
        .portal
        .set_rows("SchoolSchedule", many_events(10_001));
    let run = school.run(SyncKind::Schedules).await;
    let outcome = SyncOutcome::Rejected(RejectionReason::TooManyChanges);
    assert_eq!((run.outcome, run.calls), (outcome, 21));
    assert_eq!(school.version().await.number, 0);
}

/// Fails if the days of a timetable are read in the resource of another year, and those of the
/// other year are deleted.
#[tokio::test]
async fn days_of_two_academic_years_are_refused_for_timetables() {
    let school = School::new().await;
    let window = days("2023-02-01", "2023-03-31");
    let run = school.sync.run(SyncKind::Timetables, window).await.unwrap();
    assert_eq!((run.outcome, run.calls), (SyncOutcome::TwoAcademicYears, 0));
    let run = school.sync.run(SyncKind::Meals, window).await.unwrap();
    assert_eq!(run.outcome, SyncOutcome::Empty);
}
