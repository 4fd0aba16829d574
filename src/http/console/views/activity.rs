//! Activity of a client or an API key, for its owner.

use askama::Template;
use serde::Serialize;

use super::{Layout, PageLinks};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Distance between the starts of bars, in the units of the chart.
const BAR_SPACING: u64 = 10;
const MAX_BAR_HEIGHT: f64 = 76.0;
const BASELINE_Y: f64 = 79.0;

/// Counts of one day.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ActivityDay {
    pub(crate) date: DisplayTime,
    pub(crate) good: u64,
    pub(crate) refused: u64,
}

/// Bars of one day, the refusals above the rest.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ActivityBar {
    pub(crate) x: u64,
    pub(crate) good_y: f64,
    pub(crate) good_height: f64,
    pub(crate) refused_y: f64,
    pub(crate) refused_height: f64,
    pub(crate) title: String,
}

/// Chart of the days.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ActivityChart {
    /// The largest number of a day.
    pub(crate) most: u64,
    pub(crate) bars: Vec<ActivityBar>,
}

impl ActivityChart {
    /// Builds the chart. The axis begins at zero.
    pub(crate) fn new(days: &[ActivityDay]) -> Self {
        let most = days.iter().map(|day| day.good + day.refused).max();
        let most = most.unwrap_or(0);
        let bars = days.iter().zip((1..).step_by(BAR_SPACING as usize));
        Self {
            most,
            bars: bars
                .map(|(day, x)| ActivityBar::new(day, x, most))
                .collect(),
        }
    }
}

impl ActivityBar {
    fn new(day: &ActivityDay, x: u64, most: u64) -> Self {
        // Rounded to tenths. Refusals are at least 2 high, so that a single one is visible.
        let height = |count: u64, least: f64| match count {
            0 => 0.0,
            count => round(count as f64 / most as f64 * MAX_BAR_HEIGHT).max(least),
        };
        let refused_height = height(day.refused, 2.0);
        let good_height = height(day.good, 1.0).min(BASELINE_Y - refused_height);
        Self {
            x,
            good_y: round(BASELINE_Y - good_height),
            good_height,
            refused_y: round(BASELINE_Y - good_height - refused_height),
            refused_height,
            title: format!("{}: {} + {}", day.date.text, day.good, day.refused),
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// A refused request.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RefusalRow {
    pub(crate) at: DisplayTime,
    pub(crate) title: String,
    pub(crate) explanation: String,
    pub(crate) rule: String,
    pub(crate) status: String,
    pub(crate) endpoint: String,
    pub(crate) request_id: String,
}

/// Counts and refusals of a client or a key.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/activity.html")]
pub(crate) struct ActivityPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    /// Whether audit events are stored.
    pub(crate) has_audit_store: bool,
    /// Path of the client or the key, below the root.
    pub(crate) back: String,
    /// Name of the client, or description of the key.
    pub(crate) name: String,
    /// The word for what is counted beside refusals.
    pub(crate) good_label: &'static str,
    pub(crate) good_total: u64,
    pub(crate) refused_total: u64,
    pub(crate) chart: ActivityChart,
    pub(crate) days: Vec<ActivityDay>,
    pub(crate) refusals: Vec<RefusalRow>,
    pub(crate) page_links: PageLinks,
}

/// Events of a request of the user, or of the user's clients and keys.
#[derive(Debug, Serialize, Template)]
#[template(path = "console/own_request.html")]
pub(crate) struct OwnRequestPage {
    #[serde(skip)]
    pub(crate) text: &'static Texts,
    pub(crate) layout: Layout,
    pub(crate) has_audit_store: bool,
    pub(crate) id: String,
    pub(crate) events: Vec<RefusalRow>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Date;

    /// Fails if a single refusal is invisible, or the bars of a day leave the chart.
    #[test]
    fn refusals_are_stacked_and_a_single_one_is_visible() {
        let day = |good, refused| ActivityDay {
            date: DisplayTime::from_date(Date::new(2026, 3, 2).unwrap()),
            good,
            refused,
        };
        let chart = ActivityChart::new(&[day(1000, 1), day(0, 0), day(500, 500), day(1, 0)]);
        let bars: Vec<_> = chart
            .bars
            .iter()
            .map(|bar| (bar.x, bar.good_height, bar.refused_height))
            .collect();
        let expected = [
            (1, 75.9, 2.0),
            (11, 0.0, 0.0),
            (21, 38.0, 38.0),
            (31, 1.0, 0.0),
        ];
        assert_eq!((chart.most, bars), (1001, expected.to_vec()));
        assert!(chart.bars.iter().all(|bar| bar.refused_y >= 0.0));
        assert_eq!(ActivityChart::new(&[]).most, 0);
    }
}
