//! The day of a student, for the start page.

use serde_json::Value;

use super::timetable::{self, ClassLessons, class_of_student};
use super::{ReadOutcome, Reader, WeekPageKind, WeekRequest, dates, meals, month, text_of};
use crate::domain::{Date, MealType, StudentProfile};
use crate::http::KeyLimit;
use crate::http::console::error::Error;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{DayCard, DayEvents, DayMeal};

/// Days after today in which the next school day is looked for.
const LOOK_AHEAD: i32 = 7;

/// Lessons, the next meal and the events of today, or of the next school day. Events are those for
/// the grade of the student and those for everybody. `None` if the
/// server has no timetable, and for an administrator without a class.
///
/// It is read and recorded as the timetable is, but does not count towards the limit of the key: the
/// user opens the start page for many reasons, and it reads no more than one class and one day. A
/// start page without the day is better than none, so an error of the data API is a message on the
/// card.
pub(crate) async fn card(
    request: &UserRequest<'_>,
    student: &StudentProfile,
) -> Result<Option<DayCard>, Error> {
    let (server, class) = (request.server, class_of_student(student));
    let has_pages = WeekPageKind::ALL.iter().all(|kind| {
        let mut lists = server.lists().into_iter();
        lists.any(|list| list.name == kind.list())
    });
    if server.shared.data.is_none() || server.api_keys().is_none() || !has_pages {
        return Ok(None);
    }
    if class.is_none() && request.is_administrator() {
        return Ok(None);
    }
    let text = request.texts();
    let mut week = WeekRequest::with_key(request, WeekPageKind::Timetable, None).await?;
    match &mut week.reader {
        Some(Reader::Key { limit, .. }) => *limit = KeyLimit::Exempt,
        Some(Reader::Administrator) => {}
        None => {
            return Ok(Some(DayCard {
                needs_key: true,
                ..DayCard::default()
            }));
        }
    }
    let read = filled(&week, class, student).await.unwrap_or_else(|error| {
        tracing::warn!(target: "lyceum::console", ?error, "the day of a student could not be read");
        DayCard {
            message: Some(text.errors.unreadable.to_owned()),
            ..DayCard::default()
        }
    });
    Ok(Some(read))
}

/// What the user's authority reads.
async fn filled(
    week: &WeekRequest<'_>,
    class: Option<(i64, i64)>,
    student: &StudentProfile,
) -> Result<DayCard, Error> {
    let (today, text) = (week.today, week.request.texts());
    let records = match class {
        Some((grade, class)) => {
            let last = today.plus_days(LOOK_AHEAD).unwrap_or(today);
            let filters = [("grade", grade), ("classNum", class)];
            match week.read((today, last), &filters).await? {
                Some(ReadOutcome::Records(records)) => records,
                Some(ReadOutcome::Error(error)) => {
                    return Ok(DayCard {
                        message: Some(week.problem(&error)),
                        ..DayCard::default()
                    });
                }
                None => Vec::new(),
            }
        }
        None => Vec::new(),
    };
    // A class may have departments with lessons of their own; the student's is called like the major.
    let major = student.student.enrollment().map(|it| it.major.as_str());
    let own = records
        .iter()
        .map(|lesson| text_of(lesson, "department"))
        .find(|name| major.is_some_and(|major| timetable::is_major(name, major)));
    let of_class = class.map(|class| (class, ClassLessons::new(&records, class, own)));
    let title = of_class.as_ref().map(|((grade, class), lessons)| {
        let title = text.week.class_title(*grade, *class);
        if lessons.departments.len() < 2 {
            return title;
        }
        let department = timetable::department_name(lessons.department, text);
        format!("{title} · {department}")
    });
    let lessons = of_class.map_or_else(Vec::new, |(_, of_class)| of_class.lessons);
    let day = lessons
        .iter()
        .filter_map(|lesson| day_of(lesson))
        .min()
        .unwrap_or(today);
    let mut events = week.read_beside(WeekPageKind::Month, (today, day)).await?;
    let grade = class.map(|(grade, _)| grade);
    events.retain(|event| month::is_for(week.request, event, grade));
    let meals = week.read_beside(WeekPageKind::Meals, (day, day)).await?;
    let of_day = |day| month::day_events(week.request, &events, day);
    Ok(DayCard {
        class: title.unwrap_or_default(),
        message: match class {
            None => Some(text.week.no_class.to_owned()),
            Some(_) if lessons.is_empty() || day != today => {
                Some(text.week.no_lessons_today.to_owned())
            }
            Some(_) => None,
        },
        events: of_day(today),
        next_day: (day != today).then(|| {
            let weekday = dates::weekday(day, text);
            text.week.next_school_day(weekday, dates::date(day, text))
        }),
        next_events: match day == today {
            true => DayEvents::default(),
            false => of_day(day),
        },
        rows: timetable::rows(&[day], (today, day), &lessons),
        meal: meal(week, &meals, day),
        ..DayCard::default()
    })
}

/// The meal of today that comes next, or the main one of a later day.
fn meal(week: &WeekRequest<'_>, records: &[Value], day: Date) -> Option<DayMeal> {
    let (server, text) = (week.request.server, week.request.texts());
    let from = match day == week.today {
        true => meals::by_clock(server.now(), server.zone()),
        false => MealType::Lunch,
    };
    let kind = meals::first_served(records, day, from)?;
    let (word, date) = (kind.as_str(), (day != week.today).then_some(day));
    let cards = meals::cards(records, &[day], week.today, kind, text);
    cards.into_iter().next().map(|(_, card)| DayMeal {
        name: text.school.word("MealType", word).unwrap_or(word),
        href: week.href(WeekPageKind::Meals, date, &[("meal", word)]),
        card,
    })
}

fn day_of(lesson: &Value) -> Option<Date> {
    text_of(lesson, "timetableDate").parse().ok()
}
