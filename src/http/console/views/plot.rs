//! Chart of requests a day: those that were answered, and those that failed, stacked on top.

use serde::Serialize;

use crate::domain::{DailyCalls, Date, DateRange};
use crate::http::pages::DisplayTime;
use crate::http::pages::texts::Texts;

/// Width of the drawing in percent of what the page has room for: bars are as wide as the page
/// allows, and labels as large as other text.
const WIDTH: f64 = 100.0;

/// Baseline of the bars and height of the highest, in pixels of the drawing, which is 196 high.
const BASELINE: f64 = 168.0;
const HEIGHT: f64 = 160.0;

/// Height of the smallest error bar, so that a single error can be seen.
const LEAST: f64 = 2.0;

/// Share of a bar in the distance between two bars.
const BAR_SHARE: f64 = 0.68;

/// Days between two labels below the chart.
const LABEL_EVERY: usize = 7;

/// Least number of errors of a day that a sentence names.
const LEAST_OUTLIER: u64 = 5;

/// A horizontal line with its label.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlotLine {
    pub(crate) y: f64,
    pub(crate) text_y: f64,
    pub(crate) label: String,
}

/// A rectangle above a day.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlotBar {
    pub(crate) y: f64,
    pub(crate) height: f64,
}

/// One day: its bars, and its row in the table.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlotDay {
    /// In percent of the width, as all `x`.
    pub(crate) x: f64,
    pub(crate) title: String,
    pub(crate) answered: Option<PlotBar>,
    pub(crate) failed: Option<PlotBar>,
    pub(crate) date: DisplayTime,
    pub(crate) answered_count: String,
    pub(crate) failed_count: String,
}

/// A date below the chart.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlotLabel {
    pub(crate) x: f64,
    pub(crate) text: String,
}

/// Chart of the requests of some days, drawn by the macros of `plot.html`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plot {
    /// Description for readers who do not see the chart.
    pub(crate) label: String,
    pub(crate) is_empty: bool,
    pub(crate) bar_width: f64,
    pub(crate) lines: Vec<PlotLine>,
    pub(crate) days: Vec<PlotDay>,
    pub(crate) labels: Vec<PlotLabel>,
    pub(crate) answered: String,
    pub(crate) failed: String,
    /// Whether there were errors.
    pub(crate) has_failed: bool,
    /// Whether requests of the last minutes at other nodes may be missing.
    pub(crate) may_be_behind: bool,
    /// A sentence about the day on which most requests failed, if it stands out.
    pub(crate) outlier: Option<String>,
}

impl Plot {
    /// Draws the calls of the days, of which those without calls are missing.
    pub(crate) fn new(calls: &[DailyCalls], days: DateRange, text: &Texts) -> Self {
        let days: Vec<DailyCalls> = (0..=days.from().days_until(days.to()))
            .filter_map(|number| days.from().plus_days(number))
            .map(|day| on(calls, day))
            .collect();
        let total: u64 = days.iter().map(|of| of.calls).sum();
        let failed: u64 = days.iter().map(|of| of.errors).sum();
        let scale = Scale::new(days.iter().map(|of| of.calls).max().unwrap_or(0));
        let distance = WIDTH / days.len().max(1) as f64;
        let bar_width = distance * BAR_SHARE;
        let left = |number: usize| number as f64 * distance + (distance - bar_width) / 2.0;
        let last = days.len().saturating_sub(1);
        let label = |(number, of): (usize, &DailyCalls)| PlotLabel {
            // The last date ends with its bar, because half of it would stick out of the drawing.
            x: hundredths(
                left(number)
                    + if number == last {
                        bar_width
                    } else {
                        bar_width / 2.0
                    },
            ),
            text: short_date(of.day, text),
        };
        // Counted back from the last day, which is today and has a date.
        let mut labels: Vec<_> = days
            .iter()
            .enumerate()
            .rev()
            .step_by(LABEL_EVERY)
            .map(label)
            .collect();
        labels.reverse();
        Self {
            label: text.plot_label(grouped(total), grouped(failed)),
            is_empty: total == 0,
            bar_width: hundredths(bar_width),
            lines: scale.lines(),
            labels,
            outlier: outlier(&days, failed, text),
            days: days
                .iter()
                .enumerate()
                .map(|(number, of)| PlotDay::new(of, hundredths(left(number)), &scale, text))
                .collect(),
            answered: grouped(total - failed),
            failed: grouped(failed),
            has_failed: failed > 0,
            may_be_behind: false,
        }
    }
}

/// The calls of a day. Errors are counted with their calls, so they are never more.
fn on(calls: &[DailyCalls], day: Date) -> DailyCalls {
    let found = calls.iter().find(|of| of.day == day);
    found.map_or(
        DailyCalls {
            day,
            calls: 0,
            errors: 0,
        },
        |of| DailyCalls {
            errors: of.errors.min(of.calls),
            ..*of
        },
    )
}

impl PlotDay {
    fn new(of: &DailyCalls, x: f64, scale: &Scale, text: &Texts) -> Self {
        let failed = (of.errors > 0).then(|| scale.height(of.errors).max(LEAST));
        // The bars end where all calls of the day do, unless they are too small to be seen.
        let answered = (of.calls > of.errors)
            .then(|| (scale.height(of.calls) - failed.unwrap_or(0.0)).max(1.0));
        let bar = |bottom: f64, height: f64| PlotBar {
            y: tenths(BASELINE - bottom - height),
            height: tenths(height),
        };
        Self {
            x,
            title: text.plot_day(
                short_date(of.day, text),
                grouped(of.calls),
                grouped(of.errors),
            ),
            answered: answered.map(|height| bar(0.0, height)),
            failed: failed.map(|height| bar(answered.unwrap_or(0.0), height)),
            date: DisplayTime::from_date(of.day),
            answered_count: grouped(of.calls - of.errors),
            failed_count: grouped(of.errors),
        }
    }
}

/// The vertical axis: from zero to a multiple of a round step.
struct Scale {
    step: u64,
    steps: u64,
}

impl Scale {
    /// The smallest step of 1, 2 or 5 times a power of ten with which at most four reach `most`.
    fn new(most: u64) -> Self {
        let mut power: u64 = 1;
        loop {
            for factor in [1, 2, 5] {
                let step = power.saturating_mul(factor);
                if most.div_ceil(step) <= 4 {
                    return Self {
                        step,
                        steps: most.div_ceil(step).max(1),
                    };
                }
            }
            power = power.saturating_mul(10);
        }
    }

    fn height(&self, count: u64) -> f64 {
        count as f64 / self.step.saturating_mul(self.steps) as f64 * HEIGHT
    }

    /// The lines above the baseline, and the baseline first.
    fn lines(&self) -> Vec<PlotLine> {
        let line = |number: u64| {
            // Half a unit, so that a line of one unit is sharp.
            let y = (BASELINE - self.height(self.step.saturating_mul(number))).round() + 0.5;
            PlotLine {
                y,
                text_y: y + 3.5,
                label: grouped(self.step.saturating_mul(number)),
            }
        };
        (0..=self.steps).map(line).collect()
    }
}

/// Names the day with more than half of all errors, if these are several and there are other days
/// with calls.
fn outlier(days: &[DailyCalls], failed: u64, text: &Texts) -> Option<String> {
    let worst = days.iter().max_by_key(|of| of.errors)?;
    let others = days.iter().any(|of| of.day != worst.day && of.calls > 0);
    let stands_out = worst.errors >= LEAST_OUTLIER && worst.errors > failed / 2;
    (others && stands_out).then(|| {
        text.plot_outlier(
            short_date(worst.day, text),
            grouped(worst.errors),
            grouped(worst.calls),
        )
    })
}

/// Month and day.
fn short_date(day: Date, text: &Texts) -> String {
    text.plot_date(day.month(), day.day())
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::pages::texts::{EN, KO};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn calls(on: &str, calls: u64, errors: u64) -> DailyCalls {
        DailyCalls {
            day: day(on),
            calls,
            errors,
        }
    }

    fn plot(calls: &[DailyCalls]) -> Plot {
        let days = DateRange::new(day("2026-10-24"), day("2026-11-22")).unwrap();
        Plot::new(calls, days, &EN)
    }

    /// Fails if the axis does not begin at zero, ends below a bar, or has steps that are not round.
    #[test]
    fn the_axis_goes_in_round_steps_from_zero_to_above_the_most() {
        for (most, labels) in [
            (0, "0 1"),
            (1, "0 1"),
            (4, "0 1 2 3 4"),
            (5, "0 2 4 6"),
            (576, "0 200 400 600"),
            (1_001, "0 500 1,000 1,500"),
            (8_000, "0 2,000 4,000 6,000 8,000"),
        ] {
            let lines = Scale::new(most).lines();
            let told: Vec<_> = lines.iter().map(|line| &*line.label).collect();
            assert_eq!(told.join(" "), labels, "{most}");
            assert_eq!((lines[0].y, lines[lines.len() - 1].y), (168.5, 8.5));
        }
        assert!(Scale::new(u64::MAX).lines().len() <= 5);
    }

    /// Fails if a bar leaves the chart, errors are not on top, or a single error cannot be seen.
    #[test]
    fn errors_stand_on_top_and_a_single_one_is_visible() {
        let plot = plot(&[
            calls("2026-10-24", 600, 0),
            calls("2026-11-11", 576, 168),
            calls("2026-11-12", 500, 1),
            calls("2026-11-22", 3, 3),
        ]);
        assert_eq!(plot.days.len(), 30);
        let bars: Vec<_> = plot
            .days
            .iter()
            .filter(|day| day.answered.is_some() || day.failed.is_some())
            .map(|day| {
                let of = |bar: &Option<PlotBar>| bar.as_ref().map(|bar| (bar.y, bar.height));
                (of(&day.answered), of(&day.failed))
            })
            .collect();
        assert_eq!(
            bars,
            [
                (Some((8.0, 160.0)), None),
                (Some((59.2, 108.8)), Some((14.4, 44.8))),
                (Some((36.7, 131.3)), Some((34.7, 2.0))),
                (None, Some((166.0, 2.0))),
            ]
        );
        let (first, last) = (&plot.days[0], &plot.days[29]);
        assert!(first.x >= 0.0 && last.x + plot.bar_width <= WIDTH);
        assert_eq!(last.title, "Nov 22: 3 requests, 3 errors");
        assert_eq!(
            (&*plot.answered, &*plot.failed, plot.is_empty),
            ("1,507", "172", false)
        );
    }

    #[test]
    fn the_last_day_and_every_seventh_before_it_are_named_and_every_day_is_in_the_table() {
        let plot = plot(&[calls("2026-11-01", 1_234, 34)]);
        let labels: Vec<_> = plot.labels.iter().map(|label| &*label.text).collect();
        assert_eq!(labels, ["Oct 25", "Nov 1", "Nov 8", "Nov 15", "Nov 22"]);
        let (end, last) = (&plot.labels[4], &plot.days[29]);
        assert!((end.x - last.x - plot.bar_width).abs() < 0.02 && end.x <= WIDTH);
        let row = &plot.days[8];
        assert_eq!(
            (&*row.date.text, &*row.answered_count, &*row.failed_count),
            ("2026-11-01", "1,200", "34")
        );
        assert_eq!(short_date(day("2026-11-01"), &KO), "11월 1일");
    }

    #[test]
    fn a_day_is_named_only_if_it_stands_out() {
        let quiet = calls("2026-11-10", 400, 4);
        let named = plot(&[quiet, calls("2026-11-11", 576, 168)]).outlier;
        assert_eq!(
            named.as_deref(),
            Some("Most errors were on Nov 11: 168 of 576 requests.")
        );
        for calm in [
            &[quiet, calls("2026-11-11", 400, 4)][..],
            &[quiet],
            &[calls("2026-11-11", 576, 168)],
            &[],
        ] {
            assert_eq!(plot(calm).outlier, None);
        }
        assert!(plot(&[]).is_empty);
    }
}
