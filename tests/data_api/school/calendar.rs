//! Meals, events and lessons: spec 2.16 and 2.17.

use lyceum::directory::DirectoryChange;
use lyceum::domain::{DateRange, Lesson, Meal, MealType, SchoolEvent};

use super::TestSchool;
use crate::school_records::{day, days, event, lesson, meal, meal_of};

/// Fails if an id, which ends with `_` after the school's code, is compared by its code alone.
#[tokio::test]
async fn meals_come_by_day_meal_of_the_day_and_id() {
    let school = TestSchool::new().await;
    let today = |kind| meal("2026-05-20", kind);
    let (earlier, other_school) = (
        meal("2026-05-19", MealType::Dinner),
        meal_of("99900010", "2026-05-20", MealType::Lunch),
    );
    school
        .put([
            today(MealType::Lunch),
            today(MealType::Dinner),
            other_school.clone(),
            today(MealType::Breakfast),
            earlier.clone(),
        ])
        .await;
    assert_eq!(
        meals(&school, days("2026-05-01", "2026-05-31")).await,
        [
            earlier,
            today(MealType::Breakfast),
            other_school,
            today(MealType::Lunch),
            today(MealType::Dinner)
        ]
    );
}

/// Fails if a range excludes its last day, or if a list ignores it.
#[tokio::test]
async fn a_range_includes_both_its_days_in_every_list() {
    let school = TestSchool::new().await;
    let dates = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"];
    school
        .put(dates.map(|date| meal(date, MealType::Lunch)))
        .await;
    school
        .put(dates.map(|date| event(date, date, "행사")))
        .await;
    school
        .put(dates.map(|date| lesson(date, date, [1, 1, 1])))
        .await;
    for (range, expected) in [
        (days("2026-01-01", "2026-01-02"), &dates[1..3]),
        (DateRange::single_day(day("2026-01-01")), &dates[1..2]),
        (days("2025-01-01", "2025-12-31"), &dates[..1]),
        (days("2026-01-04", "2026-12-31"), &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|date| day(date)).collect();
        let found = meals(&school, range).await;
        assert!(
            found.iter().map(|meal| &meal.date).eq(&expected),
            "{range:?}"
        );
        let found = events(&school, range).await;
        assert!(
            found.iter().map(|event| &event.date).eq(&expected),
            "{range:?}"
        );
        let found = lessons(&school, range).await;
        assert!(
            found.iter().map(|lesson| &lesson.date).eq(&expected),
            "{range:?}"
        );
    }
}

#[tokio::test]
async fn the_ends_of_the_calendar_are_days_like_others() {
    let school = TestSchool::new().await;
    for date in ["0001-01-01", "0999-12-31", "9999-12-31"] {
        school.put([meal(date, MealType::Lunch)]).await;
        assert_eq!(
            meals(&school, DateRange::single_day(day(date))).await,
            [meal(date, MealType::Lunch)]
        );
    }
}

/// Fails if a corrected meal is added to the one that it replaces.
#[tokio::test]
async fn a_meal_is_replaced_and_removed_by_its_school_day_and_kind() {
    let school = TestSchool::new().await;
    let lunch = meal("2026-05-20", MealType::Lunch);
    let corrected = Meal {
        dishes: vec![],
        ..lunch.clone()
    };
    school.put([lunch.clone()]).await;
    school.put([corrected.clone()]).await;
    assert_eq!(
        meals(&school, DateRange::single_day(lunch.date)).await,
        [corrected]
    );
    let next = meal("2026-05-21", MealType::Lunch);
    school
        .put([
            DirectoryChange::from(next.clone()),
            DirectoryChange::RemoveMeal(lunch.id()),
        ])
        .await;
    assert_eq!(
        meals(&school, days("2026-05-20", "2026-05-21")).await,
        [next]
    );
}

/// Fails if names or ids are compared as numbers, or without regard to case.
#[tokio::test]
async fn events_come_by_day_and_by_the_code_points_of_name_and_id() {
    let school = TestSchool::new().await;
    let sorted = [
        event("9", "2026-05-19", "하"),
        event("0", "2026-05-20", "B"),
        event("4", "2026-05-20", "a"),
        event("1", "2026-05-20", "가"),
        event("10", "2026-05-20", "나"),
        event("2", "2026-05-20", "나"),
    ];
    school.put(sorted.iter().rev().cloned()).await;
    assert_eq!(
        events(&school, days("2026-05-19", "2026-05-20")).await,
        sorted
    );
}

/// Fails if an event that moves stays on its old day, or if ids are compared without regard to
/// case.
#[tokio::test]
async fn an_event_is_replaced_and_removed_by_its_id() {
    let school = TestSchool::new().await;
    let (first, other) = (
        event("a", "2026-05-20", "체육 대회"),
        event("b", "2026-05-20", "체육 대회"),
    );
    school.put([first, other.clone()]).await;
    let moved = event("a", "2026-05-22", "체육 대회");
    school.put([moved.clone()]).await;
    let may = days("2026-05-01", "2026-05-31");
    assert_eq!(events(&school, may).await, [other, moved.clone()]);
    school
        .put(["b", "A"].map(|id| DirectoryChange::RemoveEvent(id.to_owned())))
        .await;
    assert_eq!(events(&school, may).await, [moved]);
}

/// Fails if grades, classes or periods are compared as text.
#[tokio::test]
async fn lessons_come_by_day_grade_class_period_and_id_with_numbers_as_numbers() {
    let school = TestSchool::new().await;
    let sorted = [
        lesson("g", "2026-05-20", [1, 1, 2]),
        lesson("f", "2026-05-20", [1, 1, 10]),
        lesson("e", "2026-05-20", [1, 2, 1]),
        lesson("d", "2026-05-20", [1, 10, 1]),
        lesson("b10", "2026-05-20", [2, 1, 1]),
        lesson("b2", "2026-05-20", [2, 1, 1]),
        lesson("a", "2026-05-20", [10, 1, 1]),
        lesson("h", "2026-05-21", [1, 1, 1]),
    ];
    let mut shuffled = sorted.to_vec();
    shuffled.rotate_left(3);
    shuffled.swap(0, 6);
    school.put(shuffled).await;
    assert_eq!(
        lessons(&school, days("2026-05-20", "2026-05-21")).await,
        sorted
    );
}

#[tokio::test]
async fn a_lesson_is_replaced_and_removed_by_its_id() {
    let school = TestSchool::new().await;
    let other = lesson("b", "2026-05-20", [1, 1, 2]);
    school
        .put([lesson("a", "2026-05-20", [1, 1, 1]), other.clone()])
        .await;
    let moved = Lesson {
        subject: None,
        ..lesson("a", "2026-05-20", [1, 1, 3])
    };
    school.put([moved.clone()]).await;
    let today = DateRange::single_day(day("2026-05-20"));
    assert_eq!(lessons(&school, today).await, [other, moved.clone()]);
    school
        .put([DirectoryChange::RemoveLesson("b".to_owned())])
        .await;
    assert_eq!(lessons(&school, today).await, [moved]);
}

async fn meals(school: &TestSchool, range: DateRange) -> Vec<Meal> {
    let snapshot = school.snapshot().await;
    snapshot
        .meals(range)
        .iter()
        .map(|meal| (**meal).clone())
        .collect()
}

async fn events(school: &TestSchool, range: DateRange) -> Vec<SchoolEvent> {
    let snapshot = school.snapshot().await;
    snapshot
        .events(range)
        .iter()
        .map(|event| (**event).clone())
        .collect()
}

async fn lessons(school: &TestSchool, range: DateRange) -> Vec<Lesson> {
    let snapshot = school.snapshot().await;
    snapshot
        .lessons(range)
        .iter()
        .map(|lesson| (**lesson).clone())
        .collect()
}
