use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::{ReadOutcome, WeekPageKind, WeekRequest, dates, text_of};
use crate::domain::Date;
use crate::http::console::error::Error;
use crate::http::console::route_matching::HandlerResult;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    LessonCell, LessonText, PeriodRow, SelectOption, WeekTimetablePage,
};

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
        _ => own_class(request).await?,
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
    let lessons: Vec<&Value> = records
        .iter()
        .filter(|lesson| class_of(lesson) == Some((grade, class)))
        .collect();
    let departments: BTreeSet<&str> = lessons
        .iter()
        .map(|lesson| text_of(lesson, "department"))
        .filter(|department| !department.is_empty())
        .collect();
    let department = query
        .value("department")
        .filter(|wanted| departments.contains(wanted))
        .or_else(|| departments.first().copied())
        .unwrap_or_default();
    let lessons: Vec<&Value> = lessons
        .into_iter()
        .filter(|lesson| ["", department].contains(&text_of(lesson, "department")))
        .collect();

    let shown = shown_days(&days, &lessons);
    let text = request.texts();
    let (grade_value, class_value) = (grade.to_string(), class.to_string());
    let mut extra = vec![("grade", &*grade_value), ("classNum", &*class_value)];
    if departments.len() > 1 {
        extra.push(("department", department));
    }
    let is_now = days.contains(&week.today);
    let page = WeekTimetablePage {
        text,
        layout: request.layout("week"),
        title: text.week.class_title(grade, class),
        department: department.to_owned(),
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
                    label: (*name).to_owned().into(),
                    is_on: *name == department,
                })
                .collect()
        } else {
            Vec::new()
        },
        grade: grade_value,
        class: class_value,
        days: shown
            .iter()
            .map(|day| dates::heading(*day, week.today, text))
            .collect(),
        rows: rows(&shown, week.today, &lessons),
    };
    week.render(outcome.as_ref(), &page)
}

/// The class of the signed-in user, who is a student. It is the user's own record, which needs no
/// key.
async fn own_class(request: &UserRequest<'_>) -> Result<Option<(i64, i64)>, Error> {
    let students = &request.server.shared.management.students;
    let student = students.find(&request.user.subject).await?;
    Ok(student.and_then(|record| {
        let enrollment = record.value().student.enrollment()?;
        let (grade, class) = (enrollment.grade.get(), enrollment.class_num.get());
        Some((grade.into(), class.into()))
    }))
}

fn class_of(lesson: &Value) -> Option<(i64, i64)> {
    Some((lesson["grade"].as_i64()?, lesson["classNum"].as_i64()?))
}

/// Monday to Friday, and days of the weekend with lessons.
fn shown_days(days: &[Date], lessons: &[&Value]) -> Vec<Date> {
    let has_lesson = |day: Date| {
        let day = day.to_string();
        lessons
            .iter()
            .any(|lesson| text_of(lesson, "timetableDate") == day)
    };
    let mut shown = days.to_vec();
    while let Some(last) = shown.last()
        && i32::from(last.weekday()) > dates::WORKDAYS
        && !has_lesson(*last)
    {
        shown.pop();
    }
    shown
}

/// A row for each period up to the last with a lesson.
fn rows(days: &[Date], today: Date, lessons: &[&Value]) -> Vec<PeriodRow> {
    let period = |lesson: &Value| lesson["period"].as_i64();
    let periods: BTreeSet<i64> = lessons.iter().filter_map(|lesson| period(lesson)).collect();
    let (Some(first), Some(last)) = (periods.first(), periods.last()) else {
        return Vec::new();
    };
    let cell = |day: Date, number: i64| {
        let iso = day.to_string();
        let lessons = lessons.iter().filter(|lesson| {
            period(lesson) == Some(number) && text_of(lesson, "timetableDate") == iso
        });
        LessonCell {
            is_today: day == today,
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
