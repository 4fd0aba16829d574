//! What is measured while a test runs, as an operator's Prometheus would read it.

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

/// Everything that was measured on this thread since.
pub struct Measured(PrometheusHandle);

/// Runs a test on a recorder of its own, with all that it polls on this thread.
pub fn measured<T>(test: impl AsyncFnOnce(&Measured) -> T) -> T {
    let recorder = PrometheusBuilder::new().build_recorder();
    let measured = Measured(recorder.handle());
    metrics::with_local_recorder(&recorder, || {
        lyceum::metrics::describe();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(test(&measured))
    })
}

impl Measured {
    /// What Prometheus would be given.
    pub fn text(&self) -> String {
        self.0.render()
    }

    /// The value of a metric with exactly these labels, in the order of its row; 0 when there is none.
    pub fn of(&self, name: &str, values: &[&str]) -> f64 {
        let metric =
            lyceum::metrics::ALL.iter().find(|metric| name.starts_with(metric.name)).unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(metric.labels.len(), values.len(), "{metric:?}");
        let labels: Vec<String> = metric.labels.iter().zip(values).map(|(label, value)| format!("{label}=\"{value}\"")).collect();
        let start = if labels.is_empty() { format!("{name} ") } else { format!("{name}{{{}}} ", labels.join(",")) };
        self.text().lines().find_map(|line| line.strip_prefix(&*start)).map_or(0.0, |value| value.parse().unwrap())
    }
}
