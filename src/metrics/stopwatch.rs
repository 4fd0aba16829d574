use std::time::Instant;

/// Measures how long something takes, by a clock that nobody sets.
///
/// It decides nothing, so it is no parameter as [`Clock`](crate::http::Clock) is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "what is measured is told, and nothing is decided by it")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    pub(crate) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
