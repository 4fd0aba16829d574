use std::time::Instant;

/// Measures durations on the monotonic clock.
///
/// The result is only reported and never affects a decision, so unlike
/// [`Clock`](crate::http::Clock) it is not a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "durations are only reported and affect no decision"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the seconds since the start.
    pub(crate) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
