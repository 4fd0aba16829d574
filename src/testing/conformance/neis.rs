use super::directory_fixtures::{day, days, event, lesson, meal, meal_of, short_text};
use super::store_under_test::{ExpectOk, StoreUnderTest};
use crate::directory::DirectoryChange;
use crate::domain::{DateRange, Lesson, Meal, MealType, SchoolEvent};

pub(super) async fn meals_come_by_day_meal_of_the_day_and_id(store: &StoreUnderTest) {
    let sparse = Meal {
        dishes: vec![],
        calories: None,
        origin: None,
        nutrition: Some("단백질(g) : 20".parse().expect("a text")),
        serve_count: None,
        ..meal("2026-05-19", MealType::Dinner)
    };
    store
        .put([
            meal("2026-05-20", MealType::Lunch),
            meal("2026-05-20", MealType::Dinner),
            meal("2026-05-20", MealType::Breakfast),
            sparse.clone(),
        ])
        .await;
    let found = meals(store, days("2026-05-01", "2026-05-31")).await;
    let today = |kind| meal("2026-05-20", kind);
    assert_eq!(
        found,
        [
            sparse.clone(),
            today(MealType::Breakfast),
            today(MealType::Lunch),
            today(MealType::Dinner)
        ]
    );
    // In an id `_` ends the school's code and sorts after all digits, so that the longer code comes
    // first.
    let other_school = meal_of("99900010", "2026-05-20", MealType::Lunch);
    store.put([other_school.clone()]).await;
    let found = meals(store, days("2026-05-01", "2026-05-31")).await;
    assert_eq!(
        found,
        [
            sparse,
            today(MealType::Breakfast),
            other_school,
            today(MealType::Lunch),
            today(MealType::Dinner)
        ]
    );
}

pub(super) async fn a_range_includes_both_its_days(store: &StoreUnderTest) {
    let dates = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"];
    store
        .put(dates.map(|date| meal(date, MealType::Lunch)))
        .await;
    store.put(dates.map(|date| event(date, date, "행사"))).await;
    store
        .put(dates.map(|date| lesson(date, date, [1, 1, 1])))
        .await;
    for (range, expected) in [
        (days("2026-01-01", "2026-01-02"), &dates[1..3]),
        (DateRange::single_day(day("2026-01-01")), &dates[1..2]),
        (days("2025-01-01", "2025-12-31"), &dates[..1]),
        (days("2026-01-04", "2026-12-31"), &[]),
    ] {
        let expected: Vec<_> = expected.iter().map(|date| day(date)).collect();
        assert_eq!(
            meals(store, range)
                .await
                .iter()
                .map(|meal| meal.date)
                .collect::<Vec<_>>(),
            expected,
            "meals of {range:?}"
        );
        assert_eq!(
            events(store, range)
                .await
                .iter()
                .map(|event| event.date)
                .collect::<Vec<_>>(),
            expected,
            "events of {range:?}"
        );
        assert_eq!(
            lessons(store, range)
                .await
                .iter()
                .map(|lesson| lesson.date)
                .collect::<Vec<_>>(),
            expected,
            "lessons of {range:?}"
        );
    }
}

pub(super) async fn the_ends_of_the_calendar_are_days_like_others(store: &StoreUnderTest) {
    for date in ["0001-01-01", "0999-12-31", "9999-12-31"] {
        store.put([meal(date, MealType::Lunch)]).await;
        assert_eq!(
            meals(store, DateRange::single_day(day(date))).await,
            [meal(date, MealType::Lunch)]
        );
    }
}

pub(super) async fn a_meal_is_known_by_its_school_day_and_kind(store: &StoreUnderTest) {
    let lunch = meal("2026-05-20", MealType::Lunch);
    store.put([lunch.clone()]).await;
    let corrected = Meal {
        dishes: vec![],
        ..lunch.clone()
    };
    store.put([corrected.clone()]).await;
    assert_eq!(
        meals(store, DateRange::single_day(lunch.date)).await,
        [corrected],
        "a meal that is put again is replaced"
    );
    store
        .put([
            DirectoryChange::from(meal("2026-05-21", MealType::Lunch)),
            DirectoryChange::RemoveMeal(lunch.id()),
        ])
        .await;
    assert_eq!(
        meals(store, days("2026-05-20", "2026-05-21")).await,
        [meal("2026-05-21", MealType::Lunch)]
    );
}

pub(super) async fn events_come_by_day_name_and_id(store: &StoreUnderTest) {
    let full = SchoolEvent {
        content: Some("장소: 대강당".parse().expect("a text")),
        course_type: Some(short_text("고등학교")),
        day_category: None,
        day_night: None,
        target_grades: vec![],
        ..event("1", "2026-05-20", "가")
    };
    let put = [
        event("2", "2026-05-20", "나"),
        event("10", "2026-05-20", "나"),
        event("9", "2026-05-19", "하"),
        full.clone(),
        event("0", "2026-05-20", "B"),
    ];
    store.put(put.clone()).await;
    let [two, ten, before, _, latin] = put;
    assert_eq!(
        events(store, days("2026-05-19", "2026-05-20")).await,
        [before, latin, full, ten, two],
        "names and ids by code point"
    );
}

pub(super) async fn an_event_is_replaced_and_removed_by_its_id(store: &StoreUnderTest) {
    store
        .put([
            event("a", "2026-05-20", "체육 대회"),
            event("b", "2026-05-20", "체육 대회"),
        ])
        .await;
    store.put([event("a", "2026-05-22", "체육 대회")]).await;
    let may = days("2026-05-01", "2026-05-31");
    assert_eq!(
        events(store, may).await,
        [
            event("b", "2026-05-20", "체육 대회"),
            event("a", "2026-05-22", "체육 대회")
        ],
        "an event may move to another day"
    );
    store
        .put([
            DirectoryChange::RemoveEvent("b".to_owned()),
            DirectoryChange::RemoveEvent("A".to_owned()),
        ])
        .await;
    assert_eq!(
        events(store, may).await,
        [event("a", "2026-05-22", "체육 대회")]
    );
}

pub(super) async fn lessons_come_by_day_grade_class_period_and_id(store: &StoreUnderTest) {
    let sparse = Lesson {
        semester: None,
        subject: None,
        classroom: None,
        department: Some(short_text("인공지능과")),
        ..lesson("h", "2026-05-21", [1, 1, 1])
    };
    let ordered = [
        lesson("g", "2026-05-20", [1, 1, 2]),
        lesson("f", "2026-05-20", [1, 1, 10]),
        lesson("e", "2026-05-20", [1, 2, 1]),
        lesson("d", "2026-05-20", [1, 10, 1]),
        lesson("b10", "2026-05-20", [2, 1, 1]),
        lesson("b2", "2026-05-20", [2, 1, 1]),
        lesson("a", "2026-05-20", [10, 1, 1]),
        sparse,
    ];
    let mut shuffled = ordered.to_vec();
    shuffled.rotate_left(3);
    shuffled.swap(0, 6);
    store.put(shuffled).await;
    assert_eq!(
        lessons(store, days("2026-05-20", "2026-05-21")).await,
        ordered,
        "numbers sort as numbers"
    );
}

pub(super) async fn a_lesson_is_replaced_and_removed_by_its_id(store: &StoreUnderTest) {
    let today = DateRange::single_day(day("2026-05-20"));
    store
        .put([
            lesson("a", "2026-05-20", [1, 1, 1]),
            lesson("b", "2026-05-20", [1, 1, 2]),
        ])
        .await;
    let moved = Lesson {
        subject: None,
        ..lesson("a", "2026-05-20", [1, 1, 3])
    };
    store.put([moved.clone()]).await;
    assert_eq!(
        lessons(store, today).await,
        [lesson("b", "2026-05-20", [1, 1, 2]), moved.clone()]
    );
    store
        .put([DirectoryChange::RemoveLesson("b".to_owned())])
        .await;
    assert_eq!(lessons(store, today).await, [moved]);
}

async fn meals(store: &StoreUnderTest, range: DateRange) -> Vec<Meal> {
    store
        .directory()
        .await
        .meals(range)
        .await
        .expect_ok()
        .iter()
        .map(|record| (**record).clone())
        .collect()
}

async fn events(store: &StoreUnderTest, range: DateRange) -> Vec<SchoolEvent> {
    store
        .directory()
        .await
        .events(range)
        .await
        .expect_ok()
        .iter()
        .map(|record| (**record).clone())
        .collect()
}

async fn lessons(store: &StoreUnderTest, range: DateRange) -> Vec<Lesson> {
    store
        .directory()
        .await
        .lessons(range)
        .await
        .expect_ok()
        .iter()
        .map(|record| (**record).clone())
        .collect()
}
