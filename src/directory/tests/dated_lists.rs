use std::sync::Arc;

use super::{day, empty_directory, event, lesson, meal, meals, snapshot, write};
use crate::directory::DirectoryChange::{PutEvent, PutLesson, PutMeal};
use crate::directory::{ParameterReader, RenderOptions};
use crate::domain::{DateRange, Meal, MealType, ServeCount};

// Proves: spec 2.17
#[test]
fn meals_come_by_day_and_meal_and_events_by_day_name_and_id() {
    let directory = empty_directory();
    let (first, second) = ("2026-03-02", "2026-03-03");
    write(
        &directory,
        vec![
            PutMeal(meal(second, MealType::Breakfast)),
            PutMeal(meal(first, MealType::Dinner)),
            PutMeal(meal(first, MealType::Breakfast)),
            PutMeal(meal(first, MealType::Lunch)),
            PutEvent(event("2", first, "Sports day")),
            PutEvent(event("1", first, "Sports day")),
            PutEvent(event("3", first, "Entrance")),
            PutEvent(event("0", second, "Entrance")),
        ],
    );
    let school = snapshot(&directory);
    let kinds = |from, to| meals(&school, from, to);
    assert_eq!(
        kinds(first, first),
        [MealType::Breakfast, MealType::Lunch, MealType::Dinner]
    );
    assert_eq!(
        kinds(first, second),
        [
            MealType::Breakfast,
            MealType::Lunch,
            MealType::Dinner,
            MealType::Breakfast
        ]
    );
    assert_eq!(kinds("2026-03-04", "2026-03-05"), []);
    let days = DateRange::new(day(first), day(second)).unwrap();
    let events: Vec<_> = school
        .events(days)
        .iter()
        .map(|record| record.id.to_string())
        .collect();
    assert_eq!(events, ["3", "1", "2", "0"]);
}

// Proves: spec 2.17
#[test]
fn lessons_come_by_day_grade_class_period_and_id() {
    let directory = empty_directory();
    let (first, second) = ("2026-03-02", "2026-03-03");
    let lessons = [
        lesson("e", second, 1, 1, 1),
        lesson("d", first, 2, 1, 1),
        lesson("c", first, 1, 2, 1),
        lesson("b", first, 1, 1, 10),
        lesson("z", first, 1, 1, 9),
        lesson("a", first, 1, 1, 9),
    ];
    write(&directory, lessons.map(PutLesson).to_vec());
    let school = snapshot(&directory);
    let days = DateRange::new(day(first), day(second)).unwrap();
    assert_eq!(
        school
            .lessons(days)
            .iter()
            .map(|lesson| lesson.id.as_str())
            .collect::<String>(),
        "azbcde"
    );
    let found = |from, more: &[(&'static str, &'static str)]| {
        let list = school.lists()[5];
        let mut given = ParameterReader::from_pairs(
            &[&[("fromDate", from), ("toDate", second)], more].concat(),
        )
        .unwrap();
        let query = list.definition().parse(&mut given, day(first)).unwrap();
        let id = |position| {
            let mut record = Vec::new();
            list.write_json(position, RenderOptions::default(), &mut record);
            serde_json::from_slice::<serde_json::Value>(&record).unwrap()["timetableId"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        list.select(&query, school.history())
            .unwrap()
            .positions
            .into_iter()
            .map(id)
            .collect::<String>()
    };
    assert_eq!(found(first, &[]), "azbcde");
    assert_eq!(found(first, &[("grade", "1")]), "azbce");
    assert_eq!(found(first, &[("grade", "1"), ("classNum", "1")]), "azbe");
    assert_eq!(found(second, &[("classNum", "1")]), "e");
    assert_eq!(found(first, &[("grade", "3")]), "");
}

#[test]
fn a_meal_that_is_put_again_unchanged_stays_the_same_record() {
    let directory = empty_directory();
    let lunch = || meal("2026-03-02", MealType::Lunch);
    let portions = |count| ServeCount::new(count).ok();
    let days = DateRange::single_day(lunch().date);
    write(&directory, vec![PutMeal(lunch())]);
    let first = Arc::clone(&snapshot(&directory).meals(days)[0]);
    write(
        &directory,
        vec![
            PutMeal(lunch()),
            PutMeal(meal("2026-03-02", MealType::Dinner)),
        ],
    );
    assert!(Arc::ptr_eq(&first, &snapshot(&directory).meals(days)[0]));
    write(
        &directory,
        vec![PutMeal(Meal {
            serve_count: portions(3),
            ..lunch()
        })],
    );
    assert_eq!(snapshot(&directory).meals(days)[0].serve_count, portions(3));
}
