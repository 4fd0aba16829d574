//! Counters, histograms, and the durations that these have.

use std::time::Instant;

use metrics::{Counter, Histogram, Key, Metadata, Recorder};

use super::family::{MetricFamily, MetricHandle};

/// Counters of one metric, by label values.
pub(crate) type Counters<const N: usize> = MetricFamily<Counter, N>;

/// Histograms of one metric, by label values.
pub(crate) type Histograms<const N: usize> = MetricFamily<Histogram, N>;

impl<const N: usize> MetricFamily<Counter, N> {
    /// Increments the counter by one.
    pub(crate) fn increment(&self, values: [&'static str; N]) {
        self.with_labels(values).increment(1);
    }
}

impl MetricHandle for Counter {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_counter(key, metadata)
    }
}

impl MetricHandle for Histogram {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_histogram(key, metadata)
    }
}

/// Measures durations on the monotonic clock.
///
/// The result is only reported and never affects a decision, so unlike
/// [`Clock`](crate::http::Clock) it is not a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "durations are only reported and affect no decision"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the seconds since the start.
    pub(crate) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
