use std::fmt;
use std::sync::OnceLock;

use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder, with_recorder};

use super::Metric;

/// How many values of labels have their handles at hand. Beyond that they are asked for each time.
const KEPT: usize = 128;

/// The counters of a metric, by the values of its labels.
pub(crate) type Counters<const N: usize> = Handles<Counter, N>;

/// The gauges of a metric, by the values of its labels.
pub(crate) type Gauges<const N: usize> = Handles<Gauge, N>;

/// The histograms of a metric, by the values of its labels.
pub(crate) type Histograms<const N: usize> = Handles<Histogram, N>;

/// A metric in one service. What belongs to the values of its labels is asked of the recorder once, and then found without a lock or an allocation.
pub(crate) struct Handles<H, const N: usize> {
    metric: Metric,
    /// Filled from the front, and never emptied.
    kept: Box<[OnceLock<Kept<H, N>>]>,
}

/// A handle, and the values of the labels that it is for.
type Kept<H, const N: usize> = ([&'static str; N], H);

/// What a recorder gives for a metric.
pub(crate) trait Handle: Clone {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self;
}

impl<H: Handle, const N: usize> Handles<H, N> {
    pub(crate) fn new(metric: Metric) -> Self {
        debug_assert_eq!(metric.labels.len(), N, "{} has other labels", metric.name);
        Self { metric, kept: std::iter::repeat_with(OnceLock::new).take(KEPT).collect() }
    }

    /// The handle for these values, which are as many as the metric has labels.
    pub(crate) fn with(&self, values: [&'static str; N]) -> H {
        for slot in &self.kept {
            let (kept, handle) = slot.get_or_init(|| (values, self.register(values)));
            if *kept == values {
                return handle.clone();
            }
        }
        self.register(values)
    }

    fn register(&self, values: [&'static str; N]) -> H {
        const METADATA: Metadata<'static> = Metadata::new("lyceum", Level::INFO, None);
        let labels = self.metric.labels.iter().zip(values).map(|(name, value)| Label::from_static_parts(name, value));
        let key = Key::from_parts(self.metric.name, labels.collect::<Vec<_>>());
        with_recorder(|recorder| H::register(recorder, &key, &METADATA))
    }
}

impl<const N: usize> Handles<Counter, N> {
    /// Counts one.
    pub(crate) fn count(&self, values: [&'static str; N]) {
        self.with(values).increment(1);
    }
}

impl<const N: usize> Handles<Gauge, N> {
    /// Sets the value.
    pub(crate) fn set(&self, values: [&'static str; N], value: f64) {
        self.with(values).set(value);
    }
}

impl<H, const N: usize> fmt::Debug for Handles<H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handles").field(&self.metric.name).finish()
    }
}

impl Handle for Counter {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_counter(key, metadata)
    }
}

impl Handle for Gauge {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_gauge(key, metadata)
    }
}

impl Handle for Histogram {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_histogram(key, metadata)
    }
}
