use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::{ReadOutcome, WeekPageKind, WeekRequest, dates, meals, month, text_of};
use crate::domain::{Date, MealType, StudentProfile};
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    DayLink, LessonCell, LessonText, MealCard, PeriodRow, SelectOption, WeekDayEvents,
    WeekTimetablePage,
};
use crate::http::pages::texts::{LANGUAGES, Texts};

/// Maximum options of the class chooser; other schools type the numbers.
const MAX_OPTIONS: i64 = 60;

/// `GET /week`: the lessons of a class in a week.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let week = WeekRequest::load(request, WeekPageKind::Timetable).await?;
    let query = request.query()?;
    let day = query.value("date").and_then(|day| day.parse().ok());
    let monday = dates::monday(day.unwrap_or(week.today));
    let days = dates::days_from(monday, dates::ALL_DAYS);
    let last = days.last().copied().unwrap_or(monday);

    let sent = |name| {
        let number = query.value(name)?.parse().ok()?;
        let bounds = week.list.number_bounds(name)?;
        bounds.contains(&number).then_some(number)
    };
    let chosen = match (sent("grade"), sent("classNum")) {
        (Some(grade), Some(class)) => Some((grade, class)),
        _ => {
            let students = &request.server.shared.management.students;
            let student = students.find(&request.user.subject).await?;
            student.and_then(|record| class_of_student(record.value()))
        }
    };
    let filters = chosen.map_or_else(Vec::new, |(grade, class)| {
        vec![("grade", grade), ("classNum", class)]
    });
    let outcome = week.read((monday, last), &filters).await?;
    let records = match &outcome {
        Some(ReadOutcome::Records(records)) => &records[..],
        _ => &[],
    };
    let (grade, class) = chosen
        .or_else(|| records.iter().filter_map(class_of).min())
        .unwrap_or((1, 1));
    let ClassLessons {
        lessons,
        departments,
        department,
    } = ClassLessons::new(records, (grade, class), query.value("department"));

    let shown = shown_days(&days, &lessons);
    let chosen_day = chosen_day(query.value("day"), &shown, week.today, &lessons);
    let text = request.texts();
    let is_read = matches!(outcome, Some(ReadOutcome::Records(_)));
    let events = match is_read {
        true => events(&week, &shown, chosen_day).await?,
        false => Vec::new(),
    };
    let lunches = match lessons.is_empty() {
        true => Vec::new(),
        false => lunches(&week, &shown, text).await?,
    };
    let (grade_value, class_value) = (grade.to_string(), class.to_string());
    let mut extra = vec![("grade", &*grade_value), ("classNum", &*class_value)];
    if departments.len() > 1 {
        extra.push(("department", department));
    }
    let is_now = days.contains(&week.today);
    let day_link = |shown: &Date| {
        let number = shown.weekday().to_string();
        let extra: Vec<_> = extra.iter().copied().chain([("day", &*number)]).collect();
        DayLink {
            heading: dates::heading(*shown, week.today, text),
            href: week.href(WeekPageKind::Timetable, day, &extra),
            is_chosen: *shown == chosen_day,
        }
    };
    let day_links: Vec<DayLink> = shown.iter().map(day_link).collect();
    let page = WeekTimetablePage {
        text,
        layout: request.layout("week"),
        title: text.week.class_title(grade, class),
        department: department_name(department, text),
        frame: week.frame(
            outcome.as_ref(),
            dates::range(&shown, text),
            [monday.plus_days(-7), monday.plus_days(7)],
            is_now,
            &extra,
        ),
        date: day.map_or_else(String::new, |day: Date| day.to_string()),
        grades: options(week.list.number_bounds("grade"), grade),
        classes: options(week.list.number_bounds("classNum"), class),
        departments: if departments.len() > 1 {
            departments
                .iter()
                .map(|name| SelectOption {
                    value: (*name).to_owned(),
                    label: department_name(name, text).into(),
                    is_on: *name == department,
                })
                .collect()
        } else {
            Vec::new()
        },
        grade: grade_value,
        class: class_value,
        days: day_links,
        is_free_day: lessons.iter().all(|lesson| !is_on(lesson, chosen_day)),
        rows: rows(&shown, (week.today, chosen_day), &lessons),
        has_event_in_view: events
            .iter()
            .any(|day| day.is_chosen && !day.of_day.is_empty()),
        events,
        lunch: text
            .school
            .word("MealType", MealType::Lunch.as_str())
            .unwrap_or_default(),
        has_allergens: meals::have_allergens(&lunches),
        lunches: lunches
            .into_iter()
            .map(|(day, card)| (day == chosen_day, card))
            .collect(),
    };
    week.render(outcome.as_ref(), &page)
}

/// The class of a student. The user's own record needs no key.
pub(super) fn class_of_student(profile: &StudentProfile) -> Option<(i64, i64)> {
    let enrollment = profile.student.enrollment()?;
    let (grade, class) = (enrollment.grade.get(), enrollment.class_num.get());
    Some((grade.into(), class.into()))
}

/// The lessons of a class, in one of its departments.
pub(super) struct ClassLessons<'r> {
    pub(super) lessons: Vec<&'r Value>,
    pub(super) departments: BTreeSet<&'r str>,
    /// The wanted department if the class has it, or else its first; an empty text without any.
    pub(super) department: &'r str,
}

impl<'r> ClassLessons<'r> {
    pub(super) fn new(records: &'r [Value], class: (i64, i64), wanted: Option<&str>) -> Self {
        let lessons = records
            .iter()
            .filter(|lesson| class_of(lesson) == Some(class));
        let mut lessons: Vec<&Value> = lessons.collect();
        let departments: BTreeSet<&str> = lessons
            .iter()
            .map(|lesson| text_of(lesson, "department"))
            .filter(|department| !department.is_empty())
            .collect();
        let department = wanted
            .and_then(|wanted| departments.get(wanted))
            .or_else(|| departments.first())
            .copied()
            .unwrap_or_default();
        lessons.retain(|lesson| ["", department].contains(&text_of(lesson, "department")));
        Self {
            lessons,
            departments,
            department,
        }
    }
}

fn class_of(lesson: &Value) -> Option<(i64, i64)> {
    Some((lesson["grade"].as_i64()?, lesson["classNum"].as_i64()?))
}

/// Monday to Friday, and days of the weekend with lessons.
fn shown_days(days: &[Date], lessons: &[&Value]) -> Vec<Date> {
    let has_lesson = |day| lessons.iter().any(|lesson| is_on(lesson, day));
    let mut shown = days.to_vec();
    while let Some(last) = shown.last()
        && i32::from(last.weekday()) > dates::WORKDAYS
        && !has_lesson(*last)
    {
        shown.pop();
    }
    shown
}

fn is_on(lesson: &Value, day: Date) -> bool {
    text_of(lesson, "timetableDate") == day.to_string()
}

/// The day of a narrow screen: the one whose weekday, from 1 for Monday, is asked for, or today, or
/// else the first with lessons.
fn chosen_day(asked: Option<&str>, days: &[Date], today: Date, lessons: &[&Value]) -> Date {
    let asked: Option<i8> = asked.and_then(|number| number.parse().ok());
    let mut candidates = days.iter();
    let asked = candidates.find(|day| Some(day.weekday()) == asked);
    let now = days.iter().find(|day| **day == today);
    let has_lesson = |day: &&Date| lessons.iter().any(|lesson| is_on(lesson, **day));
    let day = asked.or(now).or(days.iter().find(has_lesson));
    day.or(days.first()).copied().unwrap_or(today)
}

/// The events of the days, if there is one and they may be read.
async fn events(
    week: &WeekRequest<'_>,
    days: &[Date],
    chosen: Date,
) -> Result<Vec<WeekDayEvents>, Error> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Ok(Vec::new());
    };
    let records = week
        .read_beside(WeekPageKind::Month, (*first, *last))
        .await?;
    if records.is_empty() {
        return Ok(Vec::new());
    }
    let of_day = |day: &Date| WeekDayEvents {
        heading: dates::heading(*day, week.today, week.request.texts()),
        is_chosen: *day == chosen,
        of_day: month::day_events(week.request, &records, *day),
    };
    Ok(days.iter().map(of_day).collect())
}

/// The lunches of the days, if one is known and may be read.
async fn lunches(
    week: &WeekRequest<'_>,
    days: &[Date],
    text: &Texts,
) -> Result<Vec<(Date, MealCard)>, Error> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Ok(Vec::new());
    };
    let records = week
        .read_beside(WeekPageKind::Meals, (*first, *last))
        .await?;
    let cards = meals::cards(&records, days, week.today, MealType::Lunch, text);
    let is_known = cards.iter().any(|(_, card)| !card.dishes.is_empty());
    Ok(if is_known { cards } else { Vec::new() })
}

/// Whether a department is called like a major, in any language.
pub(super) fn is_major(department: &str, major: &str) -> bool {
    let mut languages = LANGUAGES.iter();
    languages.any(|language| language.school.major_called(department) == Some(major))
}

/// The name of a department: that of a major in the words of the reader, if it is called like one.
pub(super) fn department_name(name: &str, text: &Texts) -> String {
    let known = LANGUAGES
        .iter()
        .find_map(|language| language.school.major_called(name));
    let word = known.and_then(|major| text.school.word("Major", major));
    word.unwrap_or(name).to_owned()
}

/// A row for each period up to the last with a lesson.
pub(super) fn rows(
    days: &[Date],
    (today, chosen): (Date, Date),
    lessons: &[&Value],
) -> Vec<PeriodRow> {
    let period = |lesson: &Value| lesson["period"].as_i64();
    let periods: BTreeSet<i64> = lessons.iter().filter_map(|lesson| period(lesson)).collect();
    let (Some(first), Some(last)) = (periods.first(), periods.last()) else {
        return Vec::new();
    };
    let cell = |day: Date, number: i64| {
        let lessons = lessons
            .iter()
            .filter(|lesson| period(lesson) == Some(number) && is_on(lesson, day));
        LessonCell {
            is_today: day == today,
            is_chosen: day == chosen,
            lessons: lessons
                .map(|lesson| LessonText {
                    subject: text_of(lesson, "subject").to_owned(),
                    classroom: text_of(lesson, "classroom").to_owned(),
                })
                .collect(),
        }
    };
    // A period without a lesson is a free one, unless the numbers are far apart.
    let numbers: Vec<i64> = if last - first < 24 {
        (1.min(*first)..=*last).collect()
    } else {
        periods.into_iter().collect()
    };
    numbers
        .into_iter()
        .map(|number| PeriodRow {
            period: number,
            cells: days.iter().map(|day| cell(*day, number)).collect(),
        })
        .collect()
}

/// Options of a number; none if there are too many.
fn options(bounds: Option<RangeInclusive<i64>>, chosen: i64) -> Vec<SelectOption> {
    let Some(bounds) = bounds.filter(|bounds| bounds.end() - bounds.start() < MAX_OPTIONS) else {
        return Vec::new();
    };
    bounds
        .map(|number| SelectOption {
            value: number.to_string(),
            label: number.to_string().into(),
            is_on: number == chosen,
        })
        .collect()
}
