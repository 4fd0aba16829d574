//! Metrics of the services, through the facade of the crate [`metrics`](https://docs.rs/metrics).
//!
//! The host installs a recorder, such as a Prometheus exporter, before it creates stores and
//! services. Without a recorder a measurement costs some nanoseconds. docs/operations.md explains
//! which metrics to watch.
//!
//! Labels have few values, all of them constants of this library: no address, key, id or user name,
//! and no path as it was sent.

#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
mod cache_metrics;
pub(crate) mod definitions;
mod family;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "tls"))]
mod gauges;
#[cfg(any(
    feature = "data-api",
    feature = "auth-server",
    feature = "guard",
    feature = "sqlite",
    feature = "postgres",
    feature = "redis"
))]
pub(crate) mod measurement;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
mod store_metrics;

pub use definitions::{ALL, Metric, MetricKind};

#[cfg(any(feature = "data-api", feature = "auth-server", feature = "guard"))]
pub(crate) use cache_metrics::CacheMetrics;
#[cfg(any(feature = "data-api", feature = "auth-server", feature = "tls"))]
pub(crate) use gauges::Gauges;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
pub(crate) use store_metrics::StoreMetrics;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use store_metrics::WaitTimer;

/// Registers the unit and description of every metric with the installed recorder. Call it once,
/// after the recorder is installed.
///
/// ```
/// lyceum::metrics::describe();
/// assert!(lyceum::metrics::ALL.iter().all(|metric| metric.name.starts_with("lyceum_")));
/// ```
pub fn describe() {
    for metric in ALL {
        metric.describe();
    }
}
