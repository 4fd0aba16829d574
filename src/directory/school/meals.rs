use std::sync::Arc;

use serde_json::{Value, json};

use super::parts::school_fields;
use super::words_of;
use crate::directory::resource::{Field, Object, Resource};
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
            D::bytes("allergens", |dish, each| dish.allergens.iter().for_each(|allergen| each(allergen.get())))
                .about("By their official numbers, 1–19."),
        ],
    ));
    let id = F::derived("mealId", |meal| Some(meal.id()))
        .about("The school's code, the day and the number of the meal: `7010001_20261121_2`.")
        .detail();
    let [code, name, office_code, office_name] = school_fields!(F, meal);
    let fields = [
        id,
        code,
        name,
        office_code,
        office_name,
        F::date("mealDate", |meal| Some(meal.date)),
        F::word("mealType", &words_of!(MealType), |meal| Some(meal.kind.as_str())),
        F::texts("mealMenu", None, |meal, each| meal.dishes.iter().for_each(|dish| each(&dish.name)))
            .about("The names of the dishes.")
            .detail(),
        F::texts("mealAllergyInfo", None, |meal, each| meal.dishes.iter().for_each(|dish| each(&allergy_info(dish))))
            .about("The allergens of each dish, such as `1.5.6`.")
            .detail(),
        F::text("mealCalories", |meal| meal.calories.as_deref()).nullable(),
        F::text("originInfo", |meal| meal.origin.as_deref()).nullable().detail(),
        F::text("nutritionInfo", |meal| meal.nutrition.as_deref()).nullable().detail(),
        F::int("mealServeCount", |meal| meal.serve_count.map(ServeCount::get)).nullable().detail(),
        F::objects("dishes", &dish, |meal, _, each| meal.dishes.iter().for_each(each)).shown(shown),
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

/// A dish's allergens as clients know them from the ministry's portal: `1.5.6`, or nothing.
fn allergy_info(dish: &Dish) -> String {
    let numbers: Vec<String> = dish.allergens.iter().map(|allergen| allergen.get().to_string()).collect();
    numbers.join(".")
}

/// Dishes on a page: each with its allergens.
fn shown(dishes: &Value) -> String {
    let dish = |dish: &Value| {
        let name = dish["name"].as_str().unwrap_or_default();
        let allergens: Vec<String> = dish["allergens"].as_array().into_iter().flatten().map(Value::to_string).collect();
        if allergens.is_empty() { name.to_owned() } else { format!("{name} ({})", allergens.join(", ")) }
    };
    dishes.as_array().into_iter().flatten().map(dish).collect::<Vec<_>>().join(", ")
}
