//! Rows of recorded answers with every trap, and the records that come of them.

use lyceum::domain::{Grade, Meal, MealType, SchoolEvent};
use lyceum::neis::{SchoolKind, SyncKind, SyncOutcome};
use serde_json::{Value, json};

use crate::harness::{HIGH, MEALS, SCHEDULES, School, changed, days, key};

fn dishes(meal: &Meal) -> Vec<String> {
    let dish = |dish: &lyceum::domain::Dish| {
        let numbers = dish.allergens.iter().map(|number| number.to_string());
        format!("{}:{}", dish.name, numbers.collect::<Vec<_>>().join("."))
    };
    meal.dishes.iter().map(dish).collect()
}

/// Fails if a dish, an allergen or a number of portions is read wrongly.
#[tokio::test]
async fn meals_have_their_dishes_allergens_and_portions() {
    let school = School::new().await;
    school.portal.set_answer(MEALS);
    school.run(SyncKind::Meals).await;
    let meals = school.meals().await;
    let ids: Vec<String> = meals.iter().map(Meal::id).collect();
    assert_eq!(
        ids,
        [
            "9999999_20260601_1",
            "9999999_20260601_2",
            "9999999_20260601_3",
            "9999999_20260602_2",
            "9999999_20260603_2"
        ]
    );
    let [breakfast, lunch, dinner, second, third] = &meals[..] else {
        panic!("{ids:?}")
    };
    assert_eq!(
        dishes(breakfast),
        [
            "백미밥:",
            "참치김치찌개:5.9.13",
            "콘푸로스트/초코첵스&백색우유:2.5.6.13"
        ]
    );
    assert_eq!(dishes(lunch)[1], "소고기감자국:5.6.16");
    assert_eq!(dishes(lunch)[2], "돈까스/소스:1.2.5.6.10.12.13");
    assert_eq!(dishes(lunch)[4], "우유:2");
    assert_eq!(
        dishes(dinner),
        [
            "비빔밥(계란):1.5.6",
            "떡볶이(매운맛):1.2.5.6",
            "배추김치:9.13"
        ]
    );
    assert_eq!(dishes(second)[3], "수박:");
    assert_eq!(second.kind, MealType::Lunch);
    let portions = [breakfast, second, third].map(|meal| meal.serve_count.map(|count| count.get()));
    assert_eq!(portions, [Some(228), Some(228), None]);
    let origin = breakfast.origin.as_deref();
    assert_eq!(origin, Some("쌀 : 국내산\n돼지고기 : 국내산\n비고 :"));
    assert_eq!(breakfast.calories.as_deref(), Some("828.5 Kcal"));
    assert_eq!((&second.origin, &second.calories), (&None, &None));
    assert_eq!(&*breakfast.school.office_code, "Z10");
}

/// Fails if events of one day share an id, or a grade that the school does not have takes part.
#[tokio::test]
async fn each_event_of_a_day_has_its_own_id_and_grades() {
    let school = School::new().await;
    school.portal.set_answer(SCHEDULES);
    let year = days("2026-03-01", "2027-02-28");
    let run = school.sync.run(SyncKind::Schedules, year).await.unwrap();
    assert_eq!((run.inserted, run.skipped), (6, 0));
    let events = school.events().await;
    let mut ids: Vec<&str> = events.iter().map(|event| event.id.as_str()).collect();
    assert!(ids[0].starts_with("9999999_20260603_"), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 6);
    let named = |name: &str| -> &SchoolEvent {
        let mut found = events.iter().filter(|event| &*event.name == name);
        found.next().unwrap()
    };
    let grades = |name| -> Vec<i32> {
        named(name)
            .target_grades
            .iter()
            .map(|grade: &Grade| grade.get())
            .collect()
    };
    assert_eq!(grades("전국동시지방선거"), [1, 2, 3]);
    assert_eq!(grades("전국연합학력평가"), [1, 2]);
    assert_eq!(grades("대수능 모의평가"), [3]);
    let holiday = named("현충일");
    assert_eq!(holiday.day_category.as_deref(), Some("공휴일"));
    assert_eq!((&*holiday.academic_year, &holiday.content), ("2026", &None));
    assert_eq!(named("여름방학식").content, None);
}

/// Fails if a class of one department takes the place of another's, a gap in the periods is
/// filled, or a room without a class ends the run.
#[tokio::test]
async fn lessons_are_told_apart_by_department_and_elective_rooms_are_skipped() {
    let school = School::new().await;
    school.portal.set_answer(HIGH);
    let run = school.run(SyncKind::Timetables).await;
    assert_eq!(
        (&run.outcome, run.inserted, run.skipped),
        (&SyncOutcome::Synced, 8, 1)
    );
    assert_eq!(
        run.skipped_rows[0].to_string(),
        "row 7: CLASS_NM is missing"
    );
    let lessons = school.lessons().await;
    let of = |grade, class| -> Vec<(i32, &str, Option<&str>)> {
        let lessons = lessons.iter().filter(|lesson| {
            (lesson.grade.get(), lesson.class_num.get()) == (grade, class)
                && lesson.date.to_string() == "2026-06-01"
        });
        lessons
            .map(|lesson| {
                let department = lesson.department.as_deref().unwrap();
                (lesson.period.get(), department, lesson.subject.as_deref())
            })
            .collect()
    };
    assert_eq!(
        of(1, 1),
        [
            (1, "소프트웨어과", Some("국어")),
            (2, "소프트웨어과", Some("수학")),
            (4, "소프트웨어과", Some("프로그래밍"))
        ]
    );
    let mut third = of(3, 1);
    third.sort_unstable();
    assert_eq!(
        third,
        [
            (1, "소프트웨어과", Some("자바 프로그래밍")),
            (1, "인공지능과", Some("인공지능 수학"))
        ]
    );
    assert_eq!(of(2, 2).last(), Some(&(7, "소프트웨어과", None)));
    let gym = lessons
        .iter()
        .find(|lesson| lesson.subject.as_deref() == Some("체육"));
    assert_eq!(gym.unwrap().classroom.as_deref(), Some("체육관"));
    assert_eq!(gym.unwrap().semester.as_deref(), Some("1"));
}

/// Fails if a kind of school is asked at another one's resource.
#[tokio::test]
async fn every_kind_of_school_has_its_timetable() {
    for (kind, answer, id) in [
        (
            SchoolKind::Elementary,
            include_str!("../support/neis/timetable_els_ok.json"),
            Some("9999999_20260601_4_1_2"),
        ),
        (
            SchoolKind::Middle,
            include_str!("../support/neis/timetable_mis_ok.json"),
            None,
        ),
        (
            SchoolKind::Special,
            include_str!("../support/neis/timetable_sps_ok.json"),
            None,
        ),
    ] {
        let school = School::with(kind, |client| client.key(key())).await;
        school.portal.set_answer(answer);
        let run = school.run(SyncKind::Timetables).await;
        assert_eq!(run.outcome, SyncOutcome::Synced, "{kind}");
        let lessons = school.lessons().await;
        assert_eq!(lessons.len(), 1);
        if let Some(id) = id {
            assert_eq!(&*lessons[0].id, id);
        }
    }
}

/// Fails if the portal may not add the rooms of lessons that it has published.
#[tokio::test]
async fn lessons_that_move_to_another_room_are_not_lost() {
    let school = School::new().await;
    let rows = school.portal.set_answer(HIGH);
    school.run(SyncKind::Timetables).await;
    let moved = rows
        .iter()
        .map(|row| changed(row, json!({ "CLRM_NM": "301" })));
    school.portal.set_rows("hisTimetable", moved.collect());
    let run = school.run(SyncKind::Timetables).await;
    assert_eq!(run.outcome, SyncOutcome::Synced);
    let lessons = school.lessons().await;
    assert!(
        lessons
            .iter()
            .all(|lesson| lesson.classroom.as_deref() == Some("301")),
        "{lessons:?}"
    );
    assert_eq!((run.inserted, run.deleted), (lessons.len(), lessons.len()));
}

/// Fails if one bad row ends a run, is not reported, or deletes the record that it is about.
#[tokio::test]
async fn a_bad_row_is_counted_and_its_record_stays() {
    let school = School::new().await;
    let rows = school.portal.set_answer(MEALS);
    school.run(SyncKind::Meals).await;
    let before = school.meals().await;
    let fault = |at: usize, fields: Value| changed(&rows[at], fields);
    let too_long = "가".repeat(256);
    school.portal.set_rows(
        "mealServiceDietInfo",
        vec![
            fault(0, json!({ "DDISH_NM": too_long })),
            fault(1, json!({ "MLSV_FGR": "약 200" })),
            rows[2].clone(),
            rows[3].clone(),
            rows[4].clone(),
            fault(0, json!({ "MLSV_YMD": "2026060X" })),
            fault(0, json!({ "MMEAL_SC_CODE": "4" })),
            fault(0, json!({ "SCHUL_NM": null })),
            fault(4, json!({ "DDISH_NM": "다른 밥" })),
            json!({ "SD_SCHUL_CODE": "9999999" }),
        ],
    );
    let run = school.run(SyncKind::Meals).await;
    let changes = (run.inserted, run.updated, run.deleted, run.skipped);
    assert_eq!(
        (&run.outcome, changes),
        (&SyncOutcome::Synced, (0, 0, 0, 7))
    );
    let reasons: Vec<String> = run.skipped_rows.iter().map(ToString::to_string).collect();
    assert_eq!(
        reasons,
        [
            "row 1: DDISH_NM must have at most 255 characters",
            "row 2: MLSV_FGR must be a whole number from 0 to 999999",
            "row 6: MLSV_YMD must be a date as yyyyMMdd",
            "row 7: MMEAL_SC_CODE must be 1, 2 or 3",
            "row 8: SCHUL_NM is missing",
            "row 9: key must not be that of an earlier row",
            "row 10: SCHUL_NM is missing",
        ]
    );
    assert_eq!(school.meals().await, before);
}

/// Fails if a row with a fault deletes the record that it may be about.
#[tokio::test]
async fn a_row_of_which_the_record_is_unclear_deletes_nothing() {
    for fields in [
        json!({ "SCHUL_NM": null }),
        json!({ "MMEAL_SC_CODE": "4" }),
        json!({ "MLSV_YMD": "2026060X" }),
    ] {
        let school = School::new().await;
        let mut rows = school.portal.set_answer(MEALS);
        school.run(SyncKind::Meals).await;
        let before = school.meals().await;
        rows[0] = changed(&rows[0], fields.clone());
        school.portal.set_rows("mealServiceDietInfo", rows);
        let run = school.run(SyncKind::Meals).await;
        assert_eq!((run.deleted, run.skipped), (0, 1), "{fields}");
        assert_eq!(school.meals().await, before, "{fields}");
    }
}

/// Fails if a row of another day, which nobody asked for, is written.
#[tokio::test]
async fn rows_that_were_not_asked_for_are_skipped() {
    let school = School::new().await;
    let rows = school.portal.set_answer(MEALS);
    // The replayed portal finds no day in a number, so it gives the row for all days.
    let other_day = changed(&rows[0], json!({ "MLSV_YMD": 20_260_501 }));
    school
        .portal
        .set_rows("mealServiceDietInfo", vec![rows[0].clone(), other_day]);
    let run = school.run(SyncKind::Meals).await;
    assert_eq!((run.inserted, run.skipped), (1, 1));
    let reason = run.skipped_rows[0].to_string();
    assert_eq!(
        reason,
        "row 2: date must be one of the days that were asked for"
    );
    assert_eq!(school.snapshot().await.record_count(), 1);
}

/// Fails if a class that the directory does not have ends the run, or its lessons are not reported.
#[tokio::test]
async fn lessons_outside_the_schools_bounds_are_skipped() {
    let school = School::new().await;
    let store = std::sync::Arc::new(lyceum::store::memory::MemoryStore::new());
    let directory = lyceum::directory::Directory::open(store).await.unwrap();
    let rows = school.portal.set_answer(HIGH);
    let class = changed(&rows[0], json!({ "CLASS_NM": "5" }));
    school
        .portal
        .set_rows("hisTimetable", vec![rows[0].clone(), class]);
    let client = lyceum::neis::Client::builder(|_| async {})
        .key(key())
        .base_url(&school.portal.url())
        .build()
        .unwrap();
    let codes = lyceum::neis::NeisSchool::new("Z10", "9999999", SchoolKind::High).unwrap();
    let sync = lyceum::neis::Sync::new(directory, client, codes);
    let window = days("2026-06-01", "2026-06-30");
    let run = sync.run(SyncKind::Timetables, window).await.unwrap();
    assert_eq!(
        (run.outcome, run.inserted, run.skipped),
        (SyncOutcome::Synced, 1, 1)
    );
    let reason = run.skipped_rows[0].to_string();
    assert_eq!(reason, "row 2: classNum must be a whole number from 1 to 4");
}
