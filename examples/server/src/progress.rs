//! The progress of a command.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two drawings of the bar, so that its seconds count also in a long step.
const INTERVAL: Duration = Duration::from_millis(200);

/// A bar with the step in progress, on standard error if that is a terminal and else nowhere. It is
/// gone when the value is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of this number of steps.
    pub fn new(steps: u64) -> Self {
        // One more than the steps, so that the bar is not full during the last one.
        let bar = ProgressBar::new(steps + 1);
        let style = ProgressStyle::with_template("{bar:24} {elapsed} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(INTERVAL);
        Self(bar)
    }

    /// Begins the next step.
    pub fn step(&self, name: &'static str) {
        self.0.inc(1);
        self.0.set_message(name);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
