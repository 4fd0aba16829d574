//! Chart of a key's requests.

use serde::Serialize;

use crate::domain::{Date, DateRange};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Distance between the starts of bars, in the units of the chart.
const BAR_SPACING: u64 = 10;
const MAX_BAR_HEIGHT: f64 = 76.0;
const BASELINE_Y: f64 = 79.0;

/// Requests of one day, as a bar of the chart.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UsageBar {
    pub(crate) x: u64,
    pub(crate) height: f64,
    pub(crate) y: f64,
    pub(crate) date: DisplayTime,
    pub(crate) requests: u64,
}

/// Requests of the last days.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UsageChart {
    pub(crate) summary: String,
    pub(crate) max_requests: u64,
    pub(crate) first: DisplayTime,
    pub(crate) last: DisplayTime,
    pub(crate) days: Vec<UsageBar>,
}

impl UsageChart {
    /// Builds the chart. Days without calls are missing from `calls`.
    pub(crate) fn new(calls: &[(Date, u64)], days: DateRange, text: &Texts) -> Self {
        let max_requests = calls.iter().map(|(_, calls)| *calls).max().unwrap_or(0);
        let total: u64 = calls.iter().map(|(_, calls)| calls).sum();
        let on = |day: Date| {
            calls
                .iter()
                .find(|(found, _)| *found == day)
                .map_or(0, |(_, calls)| *calls)
        };
        let dates = (0..=days.from().days_until(days.to()))
            .filter_map(|number| days.from().plus_days(number));
        Self {
            summary: if total == 0 {
                text.usage_none.to_owned()
            } else {
                text.usage_summary(total)
            },
            max_requests,
            first: DisplayTime::from_date(days.from()),
            last: DisplayTime::from_date(days.to()),
            days: dates
                .zip((1..).step_by(BAR_SPACING as usize))
                .map(|(day, x)| UsageBar::new(day, x, on(day), max_requests))
                .collect(),
        }
    }
}

impl UsageBar {
    fn new(day: Date, x: u64, requests: u64, max_requests: u64) -> Self {
        // Rounded to tenths, and at least 1 if there were requests, so that the bar is visible.
        let share = if max_requests == 0 {
            0.0
        } else {
            requests as f64 / max_requests as f64
        };
        let least = if requests == 0 { 0.0 } else { 1.0 };
        let height = ((share * MAX_BAR_HEIGHT * 10.0).round() / 10.0).max(least);
        Self {
            x,
            height,
            y: ((BASELINE_Y - height) * 10.0).round() / 10.0,
            date: DisplayTime::from_date(day),
            requests,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::EN;

    /// Fails if a day without calls has no bar, or a bar leaves the chart.
    #[test]
    fn each_day_has_a_bar_that_is_as_high_as_its_share_of_the_most() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let days = DateRange::new(day("2026-02-27"), day("2026-03-02")).unwrap();
        let calls = [
            (day("2026-02-27"), 1_000_000),
            (day("2026-03-01"), 250_000),
            (day("2026-03-02"), 1),
        ];
        let usage = UsageChart::new(&calls, days, &EN);
        let bars: Vec<_> = usage
            .days
            .iter()
            .map(|day| (&*day.date.text, day.x, day.height, day.y, day.requests))
            .collect();
        let expected = [
            ("2026-02-27", 1, 76.0, 3.0, 1_000_000),
            ("2026-02-28", 11, 0.0, 79.0, 0),
            ("2026-03-01", 21, 19.0, 60.0, 250_000),
            ("2026-03-02", 31, 1.0, 78.0, 1),
        ];
        assert_eq!(bars, expected);
        assert_eq!(
            (usage.max_requests, &*usage.summary),
            (1_000_000, "1250001 requests in the last 30 days.")
        );
        let unused = UsageChart::new(&[], days, &EN);
        assert!(
            unused.max_requests == 0
                && unused.days.iter().all(|day| day.height == 0.0)
                && unused.summary.starts_with("No requests")
        );
    }
}
