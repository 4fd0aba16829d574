use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::Timestamp;

/// How long nobody tries again after a failure.
const PAUSE: Duration = Duration::from_secs(5);

/// Lets one request at a time do what all would.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_taken: bool,
    failed_at: Option<Timestamp>,
}

impl Turns {
    /// The turn, unless somebody has it or had it in vain just now. It is given back when it is dropped, also by a request that is given up.
    pub(super) fn take(&self, now: Timestamp) -> Option<Turn<'_>> {
        let mut state = self.state();
        let pauses = state.failed_at.is_some_and(|at| at <= now && now < at.plus(PAUSE));
        if state.is_taken || pauses {
            return None;
        }
        *state = State { is_taken: true, failed_at: None };
        Some(Turn(self))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What only one request at a time has.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Turns);

impl Turn<'_> {
    /// Gives it back, to be taken again after a pause.
    pub(super) fn has_failed(self, now: Timestamp) {
        self.0.state().failed_at = Some(now);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state().is_taken = false;
    }
}
