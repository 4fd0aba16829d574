use serde_json::Value;

use super::{ReadOutcome, WeekPageKind, WeekRequest, dates, text_of};
use crate::domain::Date;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{DayEvents, EventText, MonthDay, MonthPage};
use crate::http::pages::texts::Texts;

/// Kinds of days, as the ministry's portal writes them.
const PUBLIC_HOLIDAY: &str = "공휴일";
const DAY_OFF: &str = "휴업일";
/// The kind of an ordinary day.
const ORDINARY: &str = "해당없음";

/// `GET /month`: the events of the school's calendar in a month.
pub(crate) async fn show(request: &UserRequest<'_>) -> HandlerResult {
    let week = WeekRequest::load(request, WeekPageKind::Month).await?;
    let query = request.query()?;
    let sent = query.value("month").and_then(dates::parse_month);
    let first = sent.unwrap_or_else(|| dates::first_of_month(week.today));
    let [before, after] = dates::neighbours(first);
    let is_of_month = |day: Date| (day.year(), day.month()) == (first.year(), first.month());
    let weeks = weeks(first);
    let all: Vec<Date> = weeks.iter().flatten().copied().collect();
    let (from, to) = (
        all.first().copied().unwrap_or(first),
        all.last().copied().unwrap_or(first),
    );
    let outcome = week.read((from, to), &[]).await?;
    let events = match &outcome {
        Some(ReadOutcome::Records(records)) => &records[..],
        _ => &[],
    };
    let text = request.texts();
    let view = |day: &Date| {
        let DayEvents { holiday, events } = day_events(request, events, *day);
        MonthDay {
            heading: dates::heading(*day, week.today, text),
            is_other_month: !is_of_month(*day),
            holiday,
            events,
        }
    };
    let weeks: Vec<Vec<MonthDay>> = weeks
        .iter()
        .map(|days| days.iter().map(view).collect())
        .collect();
    let page = MonthPage {
        text,
        layout: request.layout("week"),
        title: dates::month_title(first, text),
        frame: week.frame(
            outcome.as_ref(),
            String::new(),
            [before, after],
            is_of_month(week.today),
            &[],
        ),
        month: sent.map_or_else(String::new, dates::month_value),
        weekdays: dates::days_from(dates::monday(week.today), dates::ALL_DAYS)
            .into_iter()
            .map(|day| dates::weekday(day, text))
            .collect(),
        has_events: weeks
            .iter()
            .flatten()
            .any(|day| !day.is_other_month && !day.events.is_empty()),
        weeks,
    };
    week.render(outcome.as_ref(), &page)
}

/// The weeks of a month, with days of its neighbours.
fn weeks(first: Date) -> Vec<Vec<Date>> {
    let mut weeks = Vec::new();
    let mut monday = Some(dates::monday(first));
    while let Some(start) = monday
        && (start <= first || start.month() == first.month())
    {
        weeks.push(dates::days_from(start, dates::ALL_DAYS));
        monday = start.plus_days(dates::ALL_DAYS);
    }
    weeks
}

/// The events of a day, from those of several.
pub(super) fn day_events(request: &UserRequest<'_>, events: &[Value], day: Date) -> DayEvents {
    let (text, iso) = (request.texts(), day.to_string());
    let grades = grade_count(request);
    let of_day: Vec<&Value> = events
        .iter()
        .filter(|event| text_of(event, "scheduleDate") == iso)
        .collect();
    DayEvents {
        holiday: holiday(&of_day, text),
        events: of_day
            .iter()
            .map(|event| event_text(event, grades, text))
            .collect(),
    }
}

/// Number of the school's grades, or 0 if it is not known.
fn grade_count(request: &UserRequest<'_>) -> usize {
    let lists = request.server.lists().into_iter();
    lists
        .filter(|list| list.name == "timetables")
        .find_map(|list| list.number_bounds("grade"))
        .map_or(0, |bounds| bounds.count())
}

/// Whether an event is for a grade or for everybody. Without a grade, only events for everybody are.
pub(super) fn is_for(request: &UserRequest<'_>, event: &Value, grade: Option<i64>) -> bool {
    let grades = event["targetGrades"].as_array().map_or(&[][..], |it| it);
    grades.is_empty()
        || match grade {
            Some(grade) => grades.iter().any(|it| it.as_i64() == Some(grade)),
            None => grades.len() >= grade_count(request),
        }
}

/// The word of a day without school.
fn holiday(events: &[&Value], text: &Texts) -> Option<&'static str> {
    let is_a = |kind: &str| {
        events
            .iter()
            .any(|event| text_of(event, "dayCategory") == kind)
    };
    if is_a(PUBLIC_HOLIDAY) {
        Some(text.week.holiday)
    } else if is_a(DAY_OFF) {
        Some(text.week.day_off)
    } else {
        None
    }
}

/// An event with what readers need beside its name: its text, another kind of day, and its grades
/// if they are not all.
fn event_text(event: &Value, all_grades: usize, text: &Texts) -> EventText {
    let grades: Vec<String> = event["targetGrades"]
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::to_string)
        .collect();
    let kind = text_of(event, "dayCategory");
    let kind = Some(kind).filter(|kind| ![PUBLIC_HOLIDAY, DAY_OFF, ORDINARY, ""].contains(kind));
    let content = Some(text_of(event, "eventContent")).filter(|content| !content.is_empty());
    let for_grades = (!grades.is_empty() && grades.len() < all_grades)
        .then(|| text.week.grades(grades.join(", ")));
    let notes = [
        kind.map(str::to_owned),
        content.map(str::to_owned),
        for_grades,
    ];
    EventText {
        name: text_of(event, "eventName").to_owned(),
        notes: notes.into_iter().flatten().collect::<Vec<_>>().join(" · "),
    }
}
