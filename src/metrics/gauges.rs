use metrics::{Gauge, Key, Metadata, Recorder};

use super::family::{MetricFamily, MetricHandle};

/// Gauges of one metric, by label values.
pub(crate) type Gauges<const N: usize> = MetricFamily<Gauge, N>;

impl<const N: usize> MetricFamily<Gauge, N> {
    /// Sets the gauge.
    pub(crate) fn set(&self, values: [&'static str; N], value: f64) {
        self.with_labels(values).set(value);
    }
}

impl MetricHandle for Gauge {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self {
        recorder.register_gauge(key, metadata)
    }
}
