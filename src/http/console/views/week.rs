//! Pages of the school's days.

use askama::Template;
use serde::Serialize;

use super::{KeyOption, Layout, ListLink, SelectOption};
use crate::http::pages::texts::Texts;

/// Common part of the pages: links between them and to other weeks or months, and the keys to read
/// with.
#[derive(Debug, Serialize)]
pub(crate) struct WeekFrame {
    pub(crate) kinds: Vec<ListLink>,
    /// Target of the page's own form.
    pub(crate) action: String,
    /// The shown days.
    pub(crate) range: String,
    pub(crate) previous: Option<String>,
    /// The page of today.
    pub(crate) current: String,
    /// Whether the page shows today.
    pub(crate) is_current: bool,
    pub(crate) next: Option<String>,
    /// The user's keys; none if none of them may read.
    pub(crate) keys: Vec<KeyOption>,
    /// Whether there is a choice between them: one that was not taken by itself is in use, or reading
    /// failed.
    pub(crate) offers_keys: bool,
    /// Error of the data API.
    pub(crate) problem: Option<String>,
    /// Where the user makes an address for a calendar app, if the server has such addresses.
    pub(crate) subscribe: Option<ListLink>,
}

/// A day of the school's calendar.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DayHeading {
    pub(crate) iso: String,
    pub(crate) weekday: &'static str,
    pub(crate) day: i8,
    pub(crate) is_today: bool,
    pub(crate) is_past: bool,
}

/// A day of the timetable, and the page that shows it on a narrow screen.
#[derive(Debug, Serialize)]
pub(crate) struct DayLink {
    pub(crate) heading: DayHeading,
    pub(crate) href: String,
    pub(crate) is_chosen: bool,
}

/// A lesson.
#[derive(Debug, Serialize)]
pub(crate) struct LessonText {
    pub(crate) subject: String,
    pub(crate) classroom: String,
}

/// The lessons of a period on a day: mostly one or none.
#[derive(Debug, Serialize)]
pub(crate) struct LessonCell {
    pub(crate) lessons: Vec<LessonText>,
    pub(crate) is_today: bool,
    /// Whether a narrow screen shows the day.
    pub(crate) is_chosen: bool,
}

/// A period in the days of the week.
#[derive(Debug, Serialize)]
pub(crate) struct PeriodRow {
    pub(crate) period: i64,
    pub(crate) cells: Vec<LessonCell>,
}

/// The timetable of a class in a week.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/week.html")]
pub(crate) struct WeekTimetablePage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) title: String,
    pub(crate) department: String,
    pub(crate) frame: WeekFrame,
    /// The requested day, or an empty text.
    pub(crate) date: String,
    /// Grades to choose from; none if the page has a number field.
    pub(crate) grades: Vec<SelectOption>,
    pub(crate) classes: Vec<SelectOption>,
    /// Departments to choose from, if the class has several.
    pub(crate) departments: Vec<SelectOption>,
    pub(crate) grade: String,
    pub(crate) class: String,
    pub(crate) days: Vec<DayLink>,
    /// Whether the day of a narrow screen has no lesson.
    pub(crate) is_free_day: bool,
    pub(crate) rows: Vec<PeriodRow>,
    /// The events of the days, also in a week without lessons; none if no day has one.
    pub(crate) events: Vec<WeekDayEvents>,
    /// Whether the day of a narrow screen has an event.
    pub(crate) has_event_in_view: bool,
    /// The word for lunch.
    pub(crate) lunch: &'static str,
    pub(crate) has_allergens: bool,
    /// The lunches of the days, and whether a narrow screen shows each; none if none is known.
    pub(crate) lunches: Vec<(bool, MealCard)>,
}

/// A dish and its allergens in words.
#[derive(Debug, Serialize)]
pub(crate) struct DishText {
    pub(crate) name: String,
    pub(crate) allergens: String,
}

/// The meal of a day.
#[derive(Debug, Serialize)]
pub(crate) struct MealCard {
    pub(crate) day: DayHeading,
    pub(crate) dishes: Vec<DishText>,
    pub(crate) calories: String,
}

/// The meals of a week.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/week_meals.html")]
pub(crate) struct WeekMealsPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) title: &'static str,
    pub(crate) frame: WeekFrame,
    /// The requested day, or an empty text.
    pub(crate) date: String,
    pub(crate) meal: &'static str,
    pub(crate) meals: Vec<ListLink>,
    pub(crate) has_allergens: bool,
    pub(crate) cards: Vec<MealCard>,
}

/// An event of the school's calendar.
#[derive(Debug, Serialize)]
pub(crate) struct EventText {
    pub(crate) name: String,
    pub(crate) notes: String,
}

/// The events of a day.
#[derive(Debug, Default, Serialize)]
pub(crate) struct DayEvents {
    /// The word of a day without school.
    pub(crate) holiday: Option<&'static str>,
    pub(crate) events: Vec<EventText>,
}

impl DayEvents {
    pub(crate) const fn is_empty(&self) -> bool {
        self.holiday.is_none() && self.events.is_empty()
    }
}

/// The events of a day of the timetable.
#[derive(Debug, Serialize)]
pub(crate) struct WeekDayEvents {
    pub(crate) heading: DayHeading,
    /// Whether a narrow screen shows the day.
    pub(crate) is_chosen: bool,
    pub(crate) of_day: DayEvents,
}

/// The meal of a student's day.
#[derive(Debug, Serialize)]
pub(crate) struct DayMeal {
    /// The word for the kind of meal.
    pub(crate) name: &'static str,
    /// The page of the week with meals of this kind.
    pub(crate) href: String,
    pub(crate) card: MealCard,
}

/// The day of a student: lessons, the next meal and the events of today, or those of the next school
/// day.
#[derive(Debug, Default, Serialize)]
pub(crate) struct DayCard {
    /// The class, or an empty text.
    pub(crate) class: String,
    /// Whether the user has no API key that may read the timetable.
    pub(crate) needs_key: bool,
    /// Why there are no lessons of today.
    pub(crate) message: Option<String>,
    /// The events of today.
    pub(crate) events: DayEvents,
    /// The next school day, if today has no lessons.
    pub(crate) next_day: Option<String>,
    pub(crate) next_events: DayEvents,
    /// The lessons, of one day.
    pub(crate) rows: Vec<PeriodRow>,
    pub(crate) meal: Option<DayMeal>,
}

/// A day of the month.
#[derive(Debug, Serialize)]
pub(crate) struct MonthDay {
    pub(crate) heading: DayHeading,
    /// Whether it is a day of the month before or after.
    pub(crate) is_other_month: bool,
    /// The word of a day without school.
    pub(crate) holiday: Option<&'static str>,
    pub(crate) events: Vec<EventText>,
}

/// The school's calendar of a month.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/month.html")]
pub(crate) struct MonthPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) title: String,
    pub(crate) frame: WeekFrame,
    /// The requested month, or an empty text.
    pub(crate) month: String,
    pub(crate) weekdays: Vec<&'static str>,
    pub(crate) has_events: bool,
    pub(crate) weeks: Vec<Vec<MonthDay>>,
}
