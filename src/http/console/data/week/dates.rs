//! Weeks and months, and how pages call them.

use crate::domain::Date;
use crate::http::console::views::DayHeading;
use crate::http::pages::texts::Texts;

/// Days from Monday to Friday.
pub(super) const WORKDAYS: i32 = 5;
/// Days of a week.
pub(super) const ALL_DAYS: i32 = 7;

/// The Monday of a day's week; the calendar's first day in its first week.
pub(super) fn monday(day: Date) -> Date {
    day.plus_days(1 - i32::from(day.weekday())).unwrap_or(day)
}

/// A week from its Monday on. The calendar's last week may be shorter.
pub(super) fn days_from(first: Date, count: i32) -> Vec<Date> {
    (0..count)
        .filter_map(|offset| first.plus_days(offset))
        .collect()
}

/// The first day of a month, from a text such as `2026-11`.
pub(super) fn parse_month(text: &str) -> Option<Date> {
    format!("{text}-01").parse().ok()
}

/// A day's month, such as `2026-11`.
pub(super) fn month_value(day: Date) -> String {
    format!("{:04}-{:02}", day.year(), day.month())
}

/// The first day of a day's month.
pub(super) fn first_of_month(day: Date) -> Date {
    day.plus_days(1 - i32::from(day.day())).unwrap_or(day)
}

/// The first day of the month before and of the month after.
pub(super) fn neighbours(first: Date) -> [Option<Date>; 2] {
    let before = first.plus_days(-1).map(first_of_month);
    // Every month has ended 31 days after its first day.
    let after = first.plus_days(31).map(first_of_month);
    [before, after]
}

/// The days of a week, such as `November 23–27, 2026`.
pub(super) fn range(days: &[Date], text: &Texts) -> String {
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return String::new();
    };
    if first.month() == last.month() {
        let month = month_name(*first, text);
        return text
            .week
            .range_in_month(month, first.day(), last.day(), last.year());
    }
    let (from, to) = (date(*first, text), date(*last, text));
    if first.year() == last.year() {
        text.week.range(from, to, last.year())
    } else {
        text.week
            .range_over_years(from, first.year(), to, last.year())
    }
}

/// A day, such as `November 23`.
pub(super) fn date(day: Date, text: &Texts) -> String {
    text.week.date(month_name(day, text), day.day())
}

/// Name of a month, such as `November 2026`.
pub(super) fn month_title(day: Date, text: &Texts) -> String {
    text.week.month_title(month_name(day, text), day.year())
}

/// Heading of a day, such as `Mon 23`.
pub(super) fn heading(day: Date, today: Date, text: &Texts) -> DayHeading {
    DayHeading {
        iso: day.to_string(),
        weekday: weekday(day, text),
        day: day.day(),
        is_today: day == today,
        is_past: day < today,
    }
}

/// Short name of a day's weekday.
pub(super) fn weekday(day: Date, text: &Texts) -> &'static str {
    text.week.weekday_name(day.weekday())
}

fn month_name(day: Date, text: &Texts) -> &'static str {
    text.week.month_name(day.month())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::{EN, KO};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// Fails if a week begins on Sunday, or a month is skipped.
    #[test]
    fn weeks_begin_on_monday_and_months_follow_each_other() {
        for text in ["2026-11-23", "2026-11-26", "2026-11-29"] {
            assert_eq!(monday(day(text)), day("2026-11-23"), "{text}");
        }
        assert_eq!(
            neighbours(day("2026-01-01")),
            [Some(day("2025-12-01")), Some(day("2026-02-01"))]
        );
        assert_eq!(
            neighbours(day("2024-02-01")),
            [Some(day("2024-01-01")), Some(day("2024-03-01"))]
        );
        assert_eq!(first_of_month(day("2026-11-30")), day("2026-11-01"));
    }

    /// Fails if the first or the last day of the calendar panics.
    #[test]
    fn the_ends_of_the_calendar_have_weeks_and_months() {
        for end in [Date::MIN, Date::MAX] {
            assert!(!days_from(monday(end), ALL_DAYS).is_empty());
            assert!(neighbours(first_of_month(end)).iter().flatten().count() == 1);
        }
    }

    #[test]
    fn days_are_called_as_readers_call_them() {
        let week = days_from(day("2026-09-28"), WORKDAYS);
        assert_eq!(range(&week, &EN), "September 28 – October 2, 2026");
        assert_eq!(range(&week, &KO), "2026년 9월 28일 – 10월 2일");
        let week = days_from(day("2026-11-23"), WORKDAYS);
        assert_eq!(range(&week, &EN), "November 23–27, 2026");
        assert_eq!(range(&week, &KO), "2026년 11월 23일 – 11월 27일");
        let week = days_from(day("2026-12-28"), ALL_DAYS);
        assert_eq!(range(&week, &EN), "December 28, 2026 – January 3, 2027");
        assert_eq!(range(&week, &KO), "2026년 12월 28일 – 2027년 1월 3일");
        let week = days_from(day("2026-09-28"), WORKDAYS);
        assert_eq!(month_title(week[0], &EN), "September 2026");
        assert_eq!(month_title(week[0], &KO), "2026년 9월");
        assert_eq!(weekday(week[0], &KO), "월");
        assert_eq!(parse_month("2026-09"), Some(day("2026-09-01")));
        for text in ["", "2026", "2026-13", "2026-9", "x"] {
            assert_eq!(parse_month(text), None, "{text}");
        }
    }
}
