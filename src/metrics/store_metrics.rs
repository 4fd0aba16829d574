#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::definitions::STORE_WAIT;
use super::definitions::{STORE_DURATION, STORE_ERRORS};
use super::measurement::{Counters, Histograms, Stopwatch};

/// Metrics of the calls to one store.
#[derive(Debug)]
pub(crate) struct StoreMetrics {
    backend: &'static str,
    times: Histograms<2>,
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    waits: Histograms<2>,
    errors: Counters<2>,
}

impl StoreMetrics {
    pub(crate) fn new(backend: &'static str) -> Self {
        Self {
            backend,
            times: Histograms::new(STORE_DURATION),
            #[cfg(any(feature = "sqlite", feature = "postgres"))]
            waits: Histograms::new(STORE_WAIT),
            errors: Counters::new(STORE_ERRORS),
        }
    }

    /// Records a completed call.
    pub(crate) fn record(
        &self,
        method: &'static str,
        since: Stopwatch,
        error: Option<&'static str>,
    ) {
        self.times
            .with_labels([self.backend, method])
            .record(since.seconds());
        if let Some(kind) = error {
            self.errors.increment([self.backend, kind]);
        }
    }

    /// Starts measuring the wait of a call to `read` or to `write`. The measurement ends when the
    /// timer is dropped, on any thread.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn start_wait(&self, access: &'static str) -> WaitTimer {
        WaitTimer {
            time: self.waits.with_labels([self.backend, access]),
            since: Stopwatch::start(),
        }
    }
}

/// Timer of a call that waits for a connection or a lock.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct WaitTimer {
    time: metrics::Histogram,
    since: Stopwatch,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Drop for WaitTimer {
    fn drop(&mut self) {
        self.time.record(self.since.seconds());
    }
}
