#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::list::STORE_WAIT;
use super::list::{STORE_ERRORS, STORE_TIME};
use super::{Counters, Histograms, Stopwatch};

/// The calls to a store.
#[derive(Debug)]
pub(crate) struct Calls {
    backend: &'static str,
    times: Histograms<2>,
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    waits: Histograms<2>,
    errors: Counters<2>,
}

impl Calls {
    pub(crate) fn to(backend: &'static str) -> Self {
        Self {
            backend,
            times: Histograms::new(STORE_TIME),
            #[cfg(any(feature = "sqlite", feature = "postgres"))]
            waits: Histograms::new(STORE_WAIT),
            errors: Counters::new(STORE_ERRORS),
        }
    }

    /// A call has come to its end.
    pub(crate) fn ended(&self, method: &'static str, since: Stopwatch, error: Option<&'static str>) {
        self.times.with([self.backend, method]).record(since.seconds());
        if let Some(kind) = error {
            self.errors.count([self.backend, kind]);
        }
    }

    /// The wait of a call for its turn to `read` or to `write`, which ends when this is dropped, on whatever thread.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn waiting(&self, access: &'static str) -> Waiting {
        Waiting { time: self.waits.with([self.backend, access]), since: Stopwatch::start() }
    }
}

/// A call that waits for its turn.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Waiting {
    time: metrics::Histogram,
    since: Stopwatch,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Drop for Waiting {
    fn drop(&mut self) {
        self.time.record(self.since.seconds());
    }
}
