use std::sync::Arc;

use serde_json::json;

use super::enum_values;
use super::shared_fields::school_fields;
use crate::directory::resource::{ConsoleFormat, Field, Object, Resource};
use crate::domain::{ApiScope, Dish, Meal, MealType, ServeCount};

/// Defines `GET /v1/neis/meals`.
pub(super) fn resource() -> Resource<Meal> {
    type F = Field<Meal>;
    type D = Field<Dish>;
    let dish = Arc::new(Object::new(
        "DishDto",
        "A dish.",
        [
            D::text("name", |dish| Some(&dish.name)),
            D::bytes("allergens", |dish, each| {
                dish.allergens
                    .iter()
                    .for_each(|allergen| each(allergen.get()))
            })
            .description("Allergens by their official numbers, 1–19."),
        ],
    ));
    let id = F::derived("mealId", |meal| Some(meal.id()))
        .description("The school's code, the day and the number of the meal: `7010001_20261121_2`.")
        .omit_from_table();
    let [code, name, office_code, office_name] = school_fields!(F, meal);
    let fields = [
        id,
        code,
        name,
        office_code,
        office_name,
        F::date("mealDate", |meal| Some(meal.date)),
        F::enumeration("mealType", &enum_values!(MealType), |meal| {
            Some(meal.kind.as_str())
        }),
        F::texts("mealMenu", None, |meal, each| {
            meal.dishes.iter().for_each(|dish| each(&dish.name))
        })
        .description("The names of the dishes.")
        .omit_from_table(),
        F::texts("mealAllergyInfo", None, |meal, each| {
            meal.dishes
                .iter()
                .for_each(|dish| each(&allergy_info(dish)))
        })
        .description("The allergens of each dish, such as `1.5.6`.")
        .omit_from_table(),
        F::text("mealCalories", |meal| meal.calories.as_deref())
            .nullable()
            .formatted_as(ConsoleFormat::Calories),
        F::text("originInfo", |meal| meal.origin.as_deref())
            .nullable()
            .omit_from_table(),
        F::text("nutritionInfo", |meal| meal.nutrition.as_deref())
            .nullable()
            .omit_from_table(),
        F::int("mealServeCount", |meal| {
            meal.serve_count.map(ServeCount::get)
        })
        .nullable()
        .omit_from_table(),
        F::objects("dishes", &dish, |meal, _, each| {
            meal.dishes.iter().for_each(each)
        })
        .formatted_as(ConsoleFormat::Dishes),
    ];
    Resource::new("meals", "/v1/neis/meals", ApiScope::NEIS_READ, Object::new("MealDto", "A meal.", fields))
        .title("Meals")
        .by_day(|meal| meal.date)
        .example(json!({
            "mealId": "9990001_20261120_2", "schoolCode": "9990001", "schoolName": "별빛소프트웨어고등학교", "officeCode": "Z10",
            "officeName": "별빛시교육청", "mealDate": "2026-11-20", "mealType": "LUNCH", "mealMenu": ["현미밥", "두부된장국"],
            "mealAllergyInfo": ["", "5.6"], "mealCalories": "812.4 Kcal", "originInfo": null, "nutritionInfo": null, "mealServeCount": 216,
            "dishes": [{ "name": "현미밥", "allergens": [] }, { "name": "두부된장국", "allergens": [5, 6] }]
        }))
}

/// Formats a dish's allergens like the ministry's portal: `1.5.6`, or an empty text.
fn allergy_info(dish: &Dish) -> String {
    let numbers: Vec<String> = dish
        .allergens
        .iter()
        .map(|allergen| allergen.get().to_string())
        .collect();
    numbers.join(".")
}
