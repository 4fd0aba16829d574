//! What the services measure of themselves, through the facade of the crate [`metrics`](https://docs.rs/metrics).
//!
//! Nothing is kept here: the host installs a recorder, such as an exporter for Prometheus, before it makes stores and services. Without one a measurement
//! costs some nanoseconds. docs/operations.md says what to look at.
//!
//! Labels have few values, all of them words of this library: no address, key, id or name of anybody, nor a path as it was sent.

#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
mod calls;
mod handles;
mod list;
mod lookups;
mod stopwatch;

pub use list::{ALL, Kind, Metric};

#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
pub(crate) use calls::Calls;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use calls::Waiting;
pub(crate) use handles::{Counters, Gauges, Histograms};
pub(crate) use list::{
    AUDIT_LOST, CLOCK_OFFSET, DIRECTORY_AGE, EVENTS, LIMITER_VERDICTS, PASSWORD_QUEUE, PASSWORD_TIME, REFUSALS, REQUEST_TIME, REQUESTS,
    UNOPENED_KEYS,
};
pub(crate) use lookups::Lookups;
pub(crate) use stopwatch::Stopwatch;

/// Tells the installed recorder what each metric means and in which unit it is, for recorders that pass it on. Call it once, after the recorder was installed.
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
