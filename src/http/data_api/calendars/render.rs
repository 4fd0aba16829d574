use std::fmt::Write as _;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::content_lines::ContentLines;
use super::{Calendar, Calendars, time_zone, words};
use crate::directory::Snapshot;
use crate::domain::{
    AcademicYear, CalendarFeed, Date, Lesson, Meal, PeriodTimes, SchoolEvent, SchoolIdentity,
};

/// What a calendar is made of: nothing else changes its bytes.
pub(in crate::http::data_api) struct CalendarSource<'a> {
    pub(in crate::http::data_api) calendars: &'a Calendars,
    pub(in crate::http::data_api) snapshot: &'a Snapshot,
    pub(in crate::http::data_api) zone: &'a TimeZone,
    pub(in crate::http::data_api) year: AcademicYear,
}

/// Renders a calendar.
pub(in crate::http::data_api) fn render(
    source: &CalendarSource<'_>,
    calendar: Calendar,
) -> Vec<u8> {
    let (snapshot, days) = (source.snapshot, source.year.days());
    match calendar {
        Calendar::Schedules => {
            let events = snapshot.events(days);
            let name = name(events.first().map(|event| &event.school), words::SCHEDULES);
            document(source, &name, events, write_event)
        }
        Calendar::Meals => {
            let meals = snapshot.meals(days);
            let name = name(meals.first().map(|meal| &meal.school), words::MEALS);
            document(source, &name, meals, write_meal)
        }
        Calendar::Timetable(grade, class) => {
            let lessons = snapshot.lessons(days).iter();
            let lessons: Vec<_> = lessons
                .filter(|lesson| lesson.grade == grade && lesson.class_num == class)
                .cloned()
                .collect();
            let class = format!("{grade}학년 {class}반 {}", words::TIMETABLE);
            let name = name(lessons.first().map(|lesson| &lesson.school), &class);
            document(source, &name, &lessons, write_lesson)
        }
    }
}

/// The name of a calendar, with the school's if a record has that.
fn name(school: Option<&SchoolIdentity>, what: &str) -> String {
    match school {
        Some(school) => format!("{} {what}", school.school_name),
        None => what.to_owned(),
    }
}

/// Renders a calendar with an event for each record. The zone's definition is in every calendar,
/// because one without any component is not valid.
fn document<T>(
    source: &CalendarSource<'_>,
    name: &str,
    records: &[Arc<T>],
    write: fn(&mut Event<'_>, &T),
) -> Vec<u8> {
    let mut lines = ContentLines::default();
    lines.property("BEGIN", "VCALENDAR");
    lines.property("VERSION", "2.0");
    lines.property("PRODID", "-//lyceum//calendars//KO");
    lines.property("CALSCALE", "GREGORIAN");
    for property in ["NAME", "X-WR-CALNAME"] {
        lines.text(property, name);
    }
    lines.text("X-WR-TIMEZONE", time_zone::name(source.zone));
    let interval = CalendarFeed::REFRESH_INTERVAL.as_secs() / 3600;
    for property in ["REFRESH-INTERVAL;VALUE=DURATION", "X-PUBLISHED-TTL"] {
        lines.property(property, format_args!("PT{interval}H"));
    }
    let year = [source.year.first_day(), source.year.last_day()];
    time_zone::write(&mut lines, source.zone, year);
    let stamp = time_zone::midnight(source.zone, source.year.first_day());
    let stamp = stamp.strftime("%Y%m%dT%H%M%SZ").to_string();
    for record in records {
        lines.property("BEGIN", "VEVENT");
        let mut event = Event {
            lines: &mut lines,
            source,
            stamp: &stamp,
        };
        write(&mut event, record);
        lines.property("END", "VEVENT");
    }
    lines.property("END", "VCALENDAR");
    lines.into_bytes()
}

/// An event that is being written.
struct Event<'a> {
    lines: &'a mut ContentLines,
    source: &'a CalendarSource<'a>,
    /// `DTSTAMP`, which RFC 5545 defines as the time of the last revision. The directory does not
    /// know when a record changed, and the times that it knows move while records stay: a kind is
    /// confirmed by each sync, and a version is that of all kinds. Programs would then fetch the
    /// year again each day. So it is the beginning of the year: the same records have the same
    /// bytes.
    stamp: &'a str,
}

impl Event<'_> {
    /// Writes the id, which stays when the record is synchronized again. Ids of records are unique
    /// within their kind.
    fn id(&mut self, kind: &str, id: &str) {
        let host = &self.source.calendars.host;
        self.lines.text("UID", &format!("{kind}-{id}@{host}"));
        self.lines.property("DTSTAMP", self.stamp);
    }

    fn whole_day(&mut self, day: Date) {
        self.lines.property("DTSTART;VALUE=DATE", basic(day));
        if let Some(next) = day.plus_days(1) {
            self.lines.property("DTEND;VALUE=DATE", basic(next));
        }
        // It does not make anyone busy.
        self.lines.property("TRANSP", "TRANSPARENT");
    }

    fn times(&mut self, day: Date, PeriodTimes { begins, ends }: PeriodTimes) {
        let zone = time_zone::name(self.source.zone);
        for (property, minutes) in [("DTSTART", begins), ("DTEND", ends)] {
            let (hour, minute) = (minutes / 60, minutes % 60);
            self.lines.property(
                &format!("{property};TZID={zone}"),
                format_args!("{}T{hour:02}{minute:02}00", basic(day)),
            );
        }
    }

    fn optional(&mut self, property: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.lines.text(property, value);
        }
    }
}

fn basic(day: Date) -> String {
    format!("{:04}{:02}{:02}", day.year(), day.month(), day.day())
}

fn write_event(event: &mut Event<'_>, record: &SchoolEvent) {
    event.id("schedules", &record.id);
    event.whole_day(record.date);
    event.lines.text("SUMMARY", &record.name);
    let grades: Vec<String> = record
        .target_grades
        .iter()
        .map(|grade| format!("{grade}학년"))
        .collect();
    let mut description = record.content.as_deref().unwrap_or_default().to_owned();
    if !grades.is_empty() {
        let line_break = if description.is_empty() { "" } else { "\n" };
        // Writing to a text never fails.
        let _ = write!(
            description,
            "{line_break}{}: {}",
            words::GRADES,
            grades.join(", ")
        );
    }
    event.optional("DESCRIPTION", Some(&description));
    event.optional("CATEGORIES", record.day_category.as_deref());
}

fn write_meal(event: &mut Event<'_>, meal: &Meal) {
    event.id("meals", &meal.id());
    event.whole_day(meal.date);
    let dishes: Vec<&str> = meal.dishes.iter().map(|dish| dish.name.as_str()).collect();
    let kind = words::meal(meal.kind);
    let summary = if dishes.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind}: {}", dishes.join(", "))
    };
    event.lines.text("SUMMARY", &summary);
    let dishes = meal.dishes.iter().map(|dish| {
        let allergens: Vec<String> = dish
            .allergens
            .iter()
            .map(|allergen| format!("{}.{}", allergen.get(), words::allergen(*allergen)))
            .collect();
        if allergens.is_empty() {
            dish.name.to_string()
        } else {
            format!("{} ({})", dish.name, allergens.join(", "))
        }
    });
    let calories = meal.calories.as_ref();
    let calories = calories.map(|calories| format!("{}: {calories}", words::CALORIES));
    let description: Vec<String> = dishes.chain(calories).collect();
    event.optional("DESCRIPTION", Some(&description.join("\n")));
}

fn write_lesson(event: &mut Event<'_>, lesson: &Lesson) {
    event.id("timetables", &lesson.id);
    match event.source.calendars.periods.times(lesson.period) {
        Some(times) => event.times(lesson.date, times),
        None => event.whole_day(lesson.date),
    }
    let period = format!("{}교시", lesson.period);
    let subject = lesson
        .subject
        .as_deref()
        .filter(|subject| !subject.is_empty());
    event.lines.text("SUMMARY", subject.unwrap_or(&period));
    event.optional("LOCATION", lesson.classroom.as_deref());
    let department = lesson.department.as_deref().filter(|text| !text.is_empty());
    let description = match department {
        Some(department) => format!("{period}\n{department}"),
        None => period,
    };
    event.lines.text("DESCRIPTION", &description);
}
