use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::Timestamp;

/// Pause after a failure before the next attempt.
const RETRY_PAUSE: Duration = Duration::from_secs(5);

/// Lets one request at a time reload the keys on behalf of all.
#[derive(Debug, Default)]
pub(super) struct ReloadLock(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_held: bool,
    failed_at: Option<Timestamp>,
}

impl ReloadLock {
    /// Acquires the permit, unless another request holds it or has just failed. Dropping the permit
    /// releases it, also when a request is cancelled.
    pub(super) fn try_acquire(&self, now: Timestamp) -> Option<ReloadPermit<'_>> {
        let mut state = self.state();
        let is_paused = state
            .failed_at
            .is_some_and(|at| now.is_within(RETRY_PAUSE, at));
        if state.is_held || is_paused {
            return None;
        }
        *state = State {
            is_held: true,
            failed_at: None,
        };
        Some(ReloadPermit(self))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Permit for the one request that reloads.
#[derive(Debug)]
pub(super) struct ReloadPermit<'a>(&'a ReloadLock);

impl ReloadPermit<'_> {
    /// Releases the permit; it can be acquired again after a pause.
    pub(super) fn fail(self, now: Timestamp) {
        self.0.state().failed_at = Some(now);
    }
}

impl Drop for ReloadPermit<'_> {
    fn drop(&mut self) {
        self.0.state().is_held = false;
    }
}
