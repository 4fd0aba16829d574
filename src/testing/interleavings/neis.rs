//! Meals, events and lessons in the operations: each run has a day of its own.

use super::model::Outcome;
use super::names::Names;
use crate::directory::DirectoryChange;
use crate::domain::{DateRange, Lesson, Line, Meal, MealType, SchoolEvent};
use crate::store::StorageError;
use crate::testing::conformance::given_school;
use crate::testing::conformance::school::School;

/// One of the three kinds of records of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neis {
    /// Meals, of which a day has numbers 1 to 3.
    Meal,
    /// Events.
    Event,
    /// Lessons.
    Lesson,
}

pub(super) fn put(names: Names, what: Neis, number: u8, version: u8) -> DirectoryChange {
    match what {
        Neis::Meal => DirectoryChange::PutMeal(meal(names, number, version)),
        Neis::Event => {
            let event = given_school::event(&names.id_of_neis(number), DAY, "체육");
            DirectoryChange::PutEvent(SchoolEvent { date: names.day(), name: text(version), ..event })
        }
        Neis::Lesson => {
            let lesson = given_school::lesson(&names.id_of_neis(number), DAY, [1, 1, 1]);
            DirectoryChange::PutLesson(Lesson { date: names.day(), subject: Some(text(version)), ..lesson })
        }
    }
}

pub(super) fn remove(names: Names, what: Neis, number: u8) -> DirectoryChange {
    match what {
        Neis::Meal => DirectoryChange::RemoveMeal(meal(names, number, 1).id()),
        Neis::Event => DirectoryChange::RemoveEvent(names.id_of_neis(number)),
        Neis::Lesson => DirectoryChange::RemoveLesson(names.id_of_neis(number)),
    }
}

/// The numbers and versions of what there is on the run's day.
pub(super) async fn read(school: &School, names: Names, what: Neis) -> Result<Outcome, StorageError> {
    let day = DateRange::day(names.day());
    let number = |id: &Line| names.number(&id.as_str().to_owned(), Names::id_of_neis);
    let mut found: Vec<(u8, u8)> = match what {
        Neis::Meal => {
            let meals = school.meals(day).await?;
            meals.iter().map(|meal| (number_of(meal.kind), version(meal.calories.as_ref()))).collect()
        }
        Neis::Event => school.events(day).await?.iter().map(|event| (number(&event.id), version(Some(&event.name)))).collect(),
        Neis::Lesson => {
            let lessons = school.lessons(day).await?;
            lessons.iter().map(|lesson| (number(&lesson.id), version(lesson.subject.as_ref()))).collect()
        }
    };
    found.sort_unstable();
    Ok(Outcome::Neis(found))
}

/// Any day: each run puts its own in its place.
const DAY: &str = "2026-01-01";

const KINDS: [MealType; 3] = [MealType::Breakfast, MealType::Lunch, MealType::Dinner];

fn meal(names: Names, number: u8, version: u8) -> Meal {
    let kind = KINDS[usize::from(number.saturating_sub(1)) % KINDS.len()];
    Meal { date: names.day(), calories: Some(text(version)), ..given_school::meal(DAY, kind) }
}

fn number_of(kind: MealType) -> u8 {
    (1..=3).zip(KINDS).find(|(_, known)| *known == kind).map_or(0, |(number, _)| number)
}

fn text(version: u8) -> Line {
    format!("version {version}").parse().expect("a line")
}

fn version(told: Option<&Line>) -> u8 {
    (1..=9).find(|version| told == Some(&text(*version))).unwrap_or(0)
}
