use std::fmt;
use std::sync::OnceLock;

use metrics::{Key, Label, Level, Metadata, Recorder, with_recorder};

use super::Metric;

/// Maximum number of label combinations with a cached handle. Others are registered on each use.
const MAX_CACHED_HANDLES: usize = 128;

/// One metric of one service. The handle for each combination of label values is registered with
/// the recorder once, and afterwards found without a lock or an allocation.
pub(crate) struct MetricFamily<H, const N: usize> {
    metric: Metric,
    /// Filled from the front, and never cleared.
    cached: Box<[OnceLock<CachedHandle<H, N>>]>,
}

/// Label values and their handle.
type CachedHandle<H, const N: usize> = ([&'static str; N], H);

/// A handle that a recorder registers for a metric.
pub(crate) trait MetricHandle: Clone {
    fn register(recorder: &dyn Recorder, key: &Key, metadata: &Metadata<'_>) -> Self;
}

impl<H: MetricHandle, const N: usize> MetricFamily<H, N> {
    pub(crate) fn new(metric: Metric) -> Self {
        debug_assert_eq!(metric.labels.len(), N, "{} has other labels", metric.name);
        Self {
            metric,
            cached: std::iter::repeat_with(OnceLock::new)
                .take(MAX_CACHED_HANDLES)
                .collect(),
        }
    }

    /// Returns the handle for these label values.
    pub(crate) fn with_labels(&self, values: [&'static str; N]) -> H {
        for slot in &self.cached {
            let (cached, handle) = slot.get_or_init(|| (values, self.register(values)));
            if *cached == values {
                return handle.clone();
            }
        }
        self.register(values)
    }

    fn register(&self, values: [&'static str; N]) -> H {
        const METADATA: Metadata<'static> = Metadata::new("lyceum", Level::INFO, None);
        let labels = self
            .metric
            .labels
            .iter()
            .zip(values)
            .map(|(name, value)| Label::from_static_parts(name, value));
        let key = Key::from_parts(self.metric.name, labels.collect::<Vec<_>>());
        with_recorder(|recorder| H::register(recorder, &key, &METADATA))
    }
}

impl<H, const N: usize> fmt::Debug for MetricFamily<H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MetricFamily")
            .field(&self.metric.name)
            .finish()
    }
}
