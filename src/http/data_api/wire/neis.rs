use serde::Serialize;

#[cfg(feature = "openapi")]
use crate::domain::MealType;
use crate::domain::{Dish, Lesson, Meal, SchoolEvent, SchoolIdentity, ServeCount};
use crate::http::data_api::reply::write;

/// A meal.
pub(in crate::http::data_api) fn write_meal(out: &mut Vec<u8>, meal: &Meal) {
    write(
        &MealDto {
            meal_id: meal.id(),
            school: SchoolDto::of(&meal.school),
            meal_date: meal.date.to_string(),
            meal_type: meal.kind.as_str(),
            meal_menu: meal.dishes.iter().map(|dish| &*dish.name).collect(),
            meal_allergy_info: meal.dishes.iter().map(allergy_info).collect(),
            meal_calories: meal.calories.as_deref(),
            origin_info: meal.origin.as_deref(),
            nutrition_info: meal.nutrition.as_deref(),
            meal_serve_count: meal.serve_count.map(ServeCount::get),
            dishes: meal.dishes.iter().map(|dish| DishDto { name: &dish.name, allergens: allergens(dish).collect() }).collect(),
        },
        out,
    );
}

/// An event of the school's calendar.
pub(in crate::http::data_api) fn write_event(out: &mut Vec<u8>, event: &SchoolEvent) {
    write(
        &ScheduleDto {
            schedule_id: &event.id,
            school: SchoolDto::of(&event.school),
            schedule_date: event.date.to_string(),
            academic_year: &event.academic_year,
            event_name: &event.name,
            event_content: event.content.as_deref(),
            day_category: event.day_category.as_deref(),
            school_course_type: event.course_type.as_deref(),
            day_night_type: event.day_night.as_deref(),
            target_grades: event.target_grades.iter().map(|grade| grade.get()).collect(),
        },
        out,
    );
}

/// A period of a class's timetable.
pub(in crate::http::data_api) fn write_lesson(out: &mut Vec<u8>, lesson: &Lesson) {
    write(
        &TimetableDto {
            timetable_id: &lesson.id,
            school: SchoolDto::of(&lesson.school),
            timetable_date: lesson.date.to_string(),
            academic_year: &lesson.academic_year,
            semester: lesson.semester.as_deref(),
            grade: lesson.grade.get(),
            class_num: lesson.class_num.get(),
            period: lesson.period.get(),
            subject: lesson.subject.as_deref(),
            department: lesson.department.as_deref(),
            classroom: lesson.classroom.as_deref(),
        },
        out,
    );
}

/// A dish's allergens as clients know them from the ministry's portal: `1.5.6`, or nothing.
fn allergy_info(dish: &Dish) -> String {
    let numbers: Vec<String> = allergens(dish).map(|number| number.to_string()).collect();
    numbers.join(".")
}

fn allergens(dish: &Dish) -> impl Iterator<Item = u8> {
    dish.allergens.iter().map(|allergen| allergen.get())
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SchoolDto<'a> {
    school_code: &'a str,
    school_name: &'a str,
    office_code: &'a str,
    office_name: &'a str,
}

impl<'a> SchoolDto<'a> {
    fn of(school: &'a SchoolIdentity) -> Self {
        Self {
            school_code: &school.school_code,
            school_name: &school.school_name,
            office_code: &school.office_code,
            office_name: &school.office_name,
        }
    }
}

/// A meal.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct MealDto<'a> {
    /// The school's code, the day and the number of the meal: `7010001_20261121_2`.
    meal_id: String,
    #[serde(flatten)]
    school: SchoolDto<'a>,
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "date")))]
    meal_date: String,
    #[cfg_attr(feature = "openapi", schemars(with = "MealType"))]
    meal_type: &'a str,
    /// The names of the dishes.
    meal_menu: Vec<&'a str>,
    /// The allergens of each dish, such as `1.5.6`.
    meal_allergy_info: Vec<String>,
    meal_calories: Option<&'a str>,
    origin_info: Option<&'a str>,
    nutrition_info: Option<&'a str>,
    meal_serve_count: Option<i32>,
    dishes: Vec<DishDto<'a>>,
}

/// A dish.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct DishDto<'a> {
    name: &'a str,
    /// By their official numbers, 1–19.
    allergens: Vec<u8>,
}

/// An event of the school's calendar.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct ScheduleDto<'a> {
    schedule_id: &'a str,
    #[serde(flatten)]
    school: SchoolDto<'a>,
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "date")))]
    schedule_date: String,
    academic_year: &'a str,
    event_name: &'a str,
    event_content: Option<&'a str>,
    day_category: Option<&'a str>,
    school_course_type: Option<&'a str>,
    day_night_type: Option<&'a str>,
    target_grades: Vec<i32>,
}

/// A period of a class.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(in crate::http::data_api) struct TimetableDto<'a> {
    timetable_id: &'a str,
    #[serde(flatten)]
    school: SchoolDto<'a>,
    #[cfg_attr(feature = "openapi", schemars(extend("format" = "date")))]
    timetable_date: String,
    academic_year: &'a str,
    semester: Option<&'a str>,
    grade: i32,
    class_num: i32,
    period: i32,
    subject: Option<&'a str>,
    department: Option<&'a str>,
    classroom: Option<&'a str>,
}
