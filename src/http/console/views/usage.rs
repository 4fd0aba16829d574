//! What a key was used for, as a chart.

use serde::Serialize;

use crate::domain::{Date, DateRange};
use crate::http::pages::Moment;
use crate::http::pages::texts::Texts;

/// How far apart bars begin, and how high the highest is, in the units of the chart.
const STEP: u64 = 10;
const HIGHEST: f64 = 76.0;
const FLOOR: f64 = 79.0;

/// What a key was used on one day, as a bar of the chart.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UsageDay {
    pub(crate) x: u64,
    pub(crate) height: f64,
    pub(crate) y: f64,
    pub(crate) date: Moment,
    pub(crate) requests: u64,
}

/// What a key was used on the last days.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Usage {
    pub(crate) summary: String,
    pub(crate) most: u64,
    pub(crate) first: Moment,
    pub(crate) last: Moment,
    pub(crate) days: Vec<UsageDay>,
}

impl Usage {
    /// The calls of these days, of which those are left out that have none.
    pub(crate) fn of(calls: &[(Date, u64)], days: DateRange, text: &Texts) -> Self {
        let most = calls.iter().map(|(_, calls)| *calls).max().unwrap_or(0);
        let total: u64 = calls.iter().map(|(_, calls)| calls).sum();
        let on = |day: Date| calls.iter().find(|(found, _)| *found == day).map_or(0, |(_, calls)| *calls);
        let dates = (0..=days.from().days_until(days.to())).filter_map(|number| days.from().plus_days(number));
        Self {
            summary: if total == 0 { text.usage_none.to_owned() } else { text.usage_summary.of(total) },
            most,
            first: Moment::on(days.from()),
            last: Moment::on(days.to()),
            days: dates.zip((1..).step_by(STEP as usize)).map(|(day, x)| UsageDay::of(day, x, on(day), most)).collect(),
        }
    }
}

impl UsageDay {
    fn of(day: Date, x: u64, requests: u64, most: u64) -> Self {
        // In tenths, and never so low that nobody sees it.
        let share = if most == 0 { 0.0 } else { requests as f64 / most as f64 };
        let least = if requests == 0 { 0.0 } else { 1.0 };
        let height = ((share * HIGHEST * 10.0).round() / 10.0).max(least);
        Self { x, height, y: ((FLOOR - height) * 10.0).round() / 10.0, date: Moment::on(day), requests }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::Language;

    /// Fails if a day without calls has no place, or a bar leaves the chart.
    #[test]
    fn each_day_has_a_bar_that_is_as_high_as_its_share_of_the_most() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let days = DateRange::new(day("2026-02-27"), day("2026-03-02")).unwrap();
        let calls = [(day("2026-02-27"), 1_000_000), (day("2026-03-01"), 250_000), (day("2026-03-02"), 1)];
        let usage = Usage::of(&calls, days, Language::English.texts());
        let bars: Vec<_> = usage.days.iter().map(|day| (&*day.date.text, day.x, day.height, day.y, day.requests)).collect();
        let expected = [
            ("2026-02-27", 1, 76.0, 3.0, 1_000_000),
            ("2026-02-28", 11, 0.0, 79.0, 0),
            ("2026-03-01", 21, 19.0, 60.0, 250_000),
            ("2026-03-02", 31, 1.0, 78.0, 1),
        ];
        assert_eq!(bars, expected);
        assert_eq!((usage.most, &*usage.summary), (1_000_000, "1250001 requests in the last 30 days."));
        let unused = Usage::of(&[], days, Language::English.texts());
        assert!(unused.most == 0 && unused.days.iter().all(|day| day.height == 0.0) && unused.summary.starts_with("No requests"));
    }
}
