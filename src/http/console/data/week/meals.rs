use jiff::tz::TimeZone;
use serde_json::Value;

use super::{ReadOutcome, WeekPageKind, WeekRequest, dates, text_of};
use crate::domain::{Date, MealType, Timestamp};
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{DishText, ListLink, MealCard, WeekMealsPage};
use crate::http::pages::texts::Texts;

/// Hours of the school's day from which lunch is the next meal, and dinner.
const LUNCH_FROM: i8 = 9;
const DINNER_FROM: i8 = 14;

/// `GET /week/meals`: the lunches of a week, or its breakfasts or dinners.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let week = WeekRequest::load(request, WeekPageKind::Meals).await?;
    let query = request.query()?;
    let day: Option<Date> = query.value("date").and_then(|day| day.parse().ok());
    let monday = dates::monday(day.unwrap_or(week.today));
    let days = dates::days_from(monday, dates::ALL_DAYS);
    let last = days.last().copied().unwrap_or(monday);
    let asked = query
        .value("meal")
        .and_then(|word| MealType::ALL.iter().find(|kind| kind.as_str() == word))
        .copied();
    let outcome = week.read((monday, last), &[]).await?;
    let records = match &outcome {
        Some(ReadOutcome::Records(records)) => &records[..],
        _ => &[],
    };
    let meal_type = asked.unwrap_or_else(|| {
        let server = request.server;
        next_meal(records, week.today, server.now(), server.zone())
    });
    let text = request.texts();
    let mut cards = cards(records, &days, week.today, meal_type, text);
    cards.retain(|(day, card)| {
        i32::from(day.weekday()) <= dates::WORKDAYS || !card.dishes.is_empty()
    });
    let label = |kind: MealType| {
        let word = kind.as_str();
        text.school.word("MealType", word).unwrap_or(word)
    };
    let tab = |kind: &MealType| ListLink {
        href: week.href(WeekPageKind::Meals, day, &[("meal", kind.as_str())]),
        label: label(*kind),
        is_current: *kind == meal_type,
    };
    let shown: Vec<Date> = cards.iter().map(|(day, _)| *day).collect();
    let page = WeekMealsPage {
        text,
        layout: request.layout("week"),
        title: label(meal_type),
        frame: week.frame(
            outcome.as_ref(),
            dates::range(&shown, text),
            [monday.plus_days(-7), monday.plus_days(7)],
            days.contains(&week.today),
            &[("meal", meal_type.as_str())],
        ),
        date: day.map_or_else(String::new, |day| day.to_string()),
        meal: meal_type.as_str(),
        meals: MealType::ALL.iter().map(tab).collect(),
        has_allergens: have_allergens(&cards),
        cards: cards.into_iter().map(|(_, card)| card).collect(),
    };
    week.render(outcome.as_ref(), &page)
}

/// The meal to show without a choice: lunch, or in the afternoon dinner, if today's is among the
/// records.
fn next_meal(records: &[Value], today: Date, now: Timestamp, zone: &TimeZone) -> MealType {
    let is_todays_dinner = |meal: &Value| {
        text_of(meal, "mealDate") == today.to_string()
            && text_of(meal, "mealType") == MealType::Dinner.as_str()
    };
    match by_clock(now, zone) == MealType::Dinner && records.iter().any(is_todays_dinner) {
        true => MealType::Dinner,
        false => MealType::Lunch,
    }
}

/// The meal that comes next at this time of the school's day.
pub(super) fn by_clock(now: Timestamp, zone: &TimeZone) -> MealType {
    match now.to_jiff().to_zoned(zone.clone()).hour() {
        ..LUNCH_FROM => MealType::Breakfast,
        LUNCH_FROM..DINNER_FROM => MealType::Lunch,
        _ => MealType::Dinner,
    }
}

/// The first meal of a day from `from` on of which the dishes are known, or else the last one before.
pub(super) fn first_served(records: &[Value], day: Date, from: MealType) -> Option<MealType> {
    let iso = day.to_string();
    let is_served = |kind: &&MealType| {
        records.iter().any(|meal| {
            text_of(meal, "mealDate") == iso
                && text_of(meal, "mealType") == kind.as_str()
                && meal["dishes"].as_array().is_some_and(|it| !it.is_empty())
        })
    };
    let served: Vec<MealType> = MealType::ALL.iter().filter(is_served).copied().collect();
    let next = served.iter().find(|kind| **kind >= from);
    next.or(served.last()).copied()
}

/// The meals of one kind on each of the days.
pub(super) fn cards(
    records: &[Value],
    days: &[Date],
    today: Date,
    kind: MealType,
    text: &Texts,
) -> Vec<(Date, MealCard)> {
    let of_day = |day: &Date| {
        let iso = day.to_string();
        let meals = records.iter().filter(|meal| {
            text_of(meal, "mealDate") == iso && text_of(meal, "mealType") == kind.as_str()
        });
        (*day, card(*day, today, meals, text))
    };
    days.iter().map(of_day).collect()
}

/// The meals of a day. Nearly every day has one of a kind.
fn card<'m>(
    day: Date,
    today: Date,
    meals: impl Iterator<Item = &'m Value> + Clone,
    text: &Texts,
) -> MealCard {
    let dishes = meals
        .clone()
        .flat_map(|meal| meal["dishes"].as_array().into_iter().flatten());
    let calories: Vec<String> = meals
        .map(|meal| calories(text_of(meal, "mealCalories")))
        .filter(|calories| !calories.is_empty())
        .collect();
    MealCard {
        day: dates::heading(day, today, text),
        dishes: dishes.map(|it| dish(it, text)).collect(),
        calories: calories.join(", "),
    }
}

/// Dishes in one line, each with its allergens in words.
pub(in crate::http::console::data) fn dish_list(dishes: &Value, text: &Texts) -> String {
    let dishes = dishes.as_array().into_iter().flatten();
    let words = dishes.map(|it| match dish(it, text) {
        DishText { name, allergens } if allergens.is_empty() => name,
        DishText { name, allergens } => format!("{name} ({allergens})"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Whether a dish names its allergens.
pub(super) fn have_allergens(cards: &[(Date, MealCard)]) -> bool {
    let mut dishes = cards.iter().flat_map(|(_, card)| &card.dishes);
    dishes.any(|dish| !dish.allergens.is_empty())
}

/// Calories such as `879.0 Kcal` in whole kilocalories, and every other text as it is.
pub(in crate::http::console::data) fn calories(text: &str) -> String {
    let number = text
        .split_once(' ')
        .filter(|(_, unit)| unit.eq_ignore_ascii_case("kcal"));
    let number = number.and_then(|(number, _)| number.parse::<f64>().ok());
    match number.filter(|number| number.is_finite()) {
        Some(number) => format!("{number:.0} kcal"),
        None => text.to_owned(),
    }
}

/// A dish with its allergens in words.
fn dish(dish: &Value, text: &Texts) -> DishText {
    let numbers = dish["allergens"].as_array().into_iter().flatten();
    let words: Vec<String> = numbers
        .filter_map(Value::as_u64)
        .map(|number| match text.week.allergen_name(number) {
            Some(name) => name.to_owned(),
            None => number.to_string(),
        })
        .collect();
    DishText {
        name: text_of(dish, "name").to_owned(),
        allergens: words.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::calories;

    #[test]
    fn calories_are_whole_numbers_and_other_texts_stay() {
        for (text, shown) in [
            ("879.0 Kcal", "879 kcal"),
            ("812.6 kcal", "813 kcal"),
            ("", ""),
            ("about 800", "about 800"),
            ("NaN Kcal", "NaN Kcal"),
            ("900 kJ", "900 kJ"),
        ] {
            assert_eq!(calories(text), shown);
        }
    }
}
