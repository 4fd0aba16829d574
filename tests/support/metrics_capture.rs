//! Captures the metrics that a test records, in the format of Prometheus.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// The metrics recorded on this thread since the capture began.
pub struct CapturedMetrics(PrometheusHandle);

/// Runs a test with a separate recorder, which also records the futures that it polls on this
/// thread.
pub fn capture_metrics<T>(test: impl AsyncFnOnce(&CapturedMetrics) -> T) -> T {
    let recorder = PrometheusBuilder::new().build_recorder();
    let measured = CapturedMetrics(recorder.handle());
    metrics::with_local_recorder(&recorder, || {
        lyceum::metrics::describe();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let outcome = runtime.block_on(test(&measured));
        measured.check();
        outcome
    })
}

impl CapturedMetrics {
    /// Asserts that every recorded metric is documented and that each label value is a word.
    fn check(&self) {
        let text = self.text();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (name, labels) = line
                .split_once('{')
                .unwrap_or((line.split(' ').next().unwrap(), "} "));
            let metric = lyceum::metrics::ALL
                .iter()
                .find(|metric| name.starts_with(metric.name))
                .unwrap_or_else(|| panic!("{line}"));
            let labels = labels
                .split('}')
                .next()
                .unwrap()
                .split(',')
                .filter_map(|label| label.split_once('='));
            let labels = labels.filter(|(name, _)| !["quantile", "le"].contains(name));
            assert_eq!(
                labels.clone().map(|(name, _)| name).collect::<Vec<_>>(),
                metric.labels,
                "{line}"
            );
            let is_word = |value: &str| {
                value.len() <= 32
                    && value.bytes().all(|byte| {
                        byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'
                    })
            };
            assert!(
                labels
                    .clone()
                    .all(|(_, value)| is_word(value.trim_matches('"'))),
                "{line}"
            );
        }
    }

    /// Returns the metrics as Prometheus scrapes them.
    pub fn text(&self) -> String {
        self.0.render()
    }

    /// Returns the value of a metric with exactly these labels, in the order of its documented row;
    /// 0 if it was not recorded.
    pub fn value(&self, name: &str, values: &[&str]) -> f64 {
        let metric = lyceum::metrics::ALL
            .iter()
            .find(|metric| name.starts_with(metric.name))
            .unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(metric.labels.len(), values.len(), "{metric:?}");
        let labels: Vec<String> = metric
            .labels
            .iter()
            .zip(values)
            .map(|(label, value)| format!("{label}=\"{value}\""))
            .collect();
        let start = if labels.is_empty() {
            format!("{name} ")
        } else {
            format!("{name}{{{}}} ", labels.join(","))
        };
        self.text()
            .lines()
            .find_map(|line| line.strip_prefix(&*start))
            .map_or(0.0, |value| value.parse().unwrap())
    }
}
