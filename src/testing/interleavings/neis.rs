//! Operations on meals, events and lessons. Each run has its own day.

use super::model::OperationOutcome;
use super::run_ids::RunIds;
use crate::directory::{Directory, DirectoryChange};
use crate::domain::{DateRange, Lesson, Meal, MealType, SchoolEvent, ShortText};
use crate::store::StorageError;
use crate::testing::conformance::directory_fixtures;

/// Kind of a day's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Neis {
    /// Meals; a day has numbers 1 to 3.
    Meal,
    /// Events.
    Event,
    /// Lessons.
    Lesson,
}

pub(super) fn put(ids: RunIds, what: Neis, number: u8, version: u8) -> DirectoryChange {
    match what {
        Neis::Meal => DirectoryChange::PutMeal(meal(ids, number, version)),
        Neis::Event => {
            let event = directory_fixtures::event(&ids.id_of_neis(number), DAY, "체육");
            DirectoryChange::PutEvent(SchoolEvent {
                date: ids.day(),
                name: text(version),
                ..event
            })
        }
        Neis::Lesson => {
            let lesson = directory_fixtures::lesson(&ids.id_of_neis(number), DAY, [1, 1, 1]);
            DirectoryChange::PutLesson(Lesson {
                date: ids.day(),
                subject: Some(text(version)),
                ..lesson
            })
        }
    }
}

pub(super) fn remove(ids: RunIds, what: Neis, number: u8) -> DirectoryChange {
    match what {
        Neis::Meal => DirectoryChange::RemoveMeal(meal(ids, number, 1).id()),
        Neis::Event => DirectoryChange::RemoveEvent(ids.id_of_neis(number)),
        Neis::Lesson => DirectoryChange::RemoveLesson(ids.id_of_neis(number)),
    }
}

/// Reads the numbers and versions of the records of the run's day.
pub(super) async fn read(
    directory: &Directory,
    ids: RunIds,
    what: Neis,
) -> Result<OperationOutcome, StorageError> {
    let (snapshot, day) = (
        directory.snapshot().await?,
        DateRange::single_day(ids.day()),
    );
    let number = |id: &ShortText| ids.index_of(&id.as_str().to_owned(), RunIds::id_of_neis);
    let mut found: Vec<(u8, u8)> = match what {
        Neis::Meal => snapshot
            .meals(day)
            .iter()
            .map(|meal| (number_of(meal.kind), version(meal.calories.as_ref())))
            .collect(),
        Neis::Event => snapshot
            .events(day)
            .iter()
            .map(|event| (number(&event.id), version(Some(&event.name))))
            .collect(),
        Neis::Lesson => snapshot
            .lessons(day)
            .iter()
            .map(|lesson| (number(&lesson.id), version(lesson.subject.as_ref())))
            .collect(),
    };
    found.sort_unstable();
    Ok(OperationOutcome::Neis(found))
}

/// Placeholder that each run replaces by its day.
const DAY: &str = "2026-01-01";

const KINDS: [MealType; 3] = [MealType::Breakfast, MealType::Lunch, MealType::Dinner];

fn meal(ids: RunIds, number: u8, version: u8) -> Meal {
    let kind = KINDS[usize::from(number.saturating_sub(1)) % KINDS.len()];
    Meal {
        date: ids.day(),
        calories: Some(text(version)),
        ..directory_fixtures::meal(DAY, kind)
    }
}

fn number_of(kind: MealType) -> u8 {
    (1..=3)
        .zip(KINDS)
        .find(|(_, known)| *known == kind)
        .map_or(0, |(number, _)| number)
}

fn text(version: u8) -> ShortText {
    format!("version {version}").parse().expect("a line")
}

fn version(told: Option<&ShortText>) -> u8 {
    (1..=9)
        .find(|version| told == Some(&text(*version)))
        .unwrap_or(0)
}
