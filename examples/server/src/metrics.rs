use std::error::Error;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};

/// The page that Prometheus reads. Called once, before stores and services are made.
pub fn metrics() -> Result<Router, Box<dyn Error>> {
    let times = Matcher::Suffix("_seconds".to_owned());
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(times, &[0.0005, 0.002, 0.01, 0.05, 0.25, 1.0, 5.0])?;
    let handle = recorder.install_recorder()?;
    lyceum::metrics::describe();
    let kept_small = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(5)).await;
            kept_small.run_upkeep();
        }
    });
    // For operators alone: do not serve it on the public address.
    Ok(Router::new().route("/metrics", get(async move || handle.render())))
}
