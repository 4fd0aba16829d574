use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Steps of SQLite's virtual machine between two checks of a read's cancellation.
const STEPS: i32 = 1_000;

/// Cancels a job when its caller is gone or its deadline has passed.
#[derive(Debug, Clone)]
pub(super) struct Cancellation {
    caller: Weak<()>,
    /// `None` for a job without a deadline.
    deadline: Option<Instant>,
}

impl Cancellation {
    /// Returns the cancellation of a job, and a guard that the caller keeps as long as it waits for
    /// the result.
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a read takes is measured by the monotonic clock, as tokio's timeouts are"
    )]
    pub(super) fn new(timeout: Option<Duration>) -> (Self, Arc<()>) {
        let caller = Arc::new(());
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        (
            Self {
                caller: Arc::downgrade(&caller),
                deadline,
            },
            caller,
        )
    }

    /// Whether the caller still waits for the result.
    pub(super) fn has_caller(&self) -> bool {
        self.caller.strong_count() > 0
    }

    /// Whether the deadline has passed.
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a read takes is measured by the monotonic clock, as tokio's timeouts are"
    )]
    pub(super) fn is_past_deadline(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Makes SQLite interrupt statements on the connection once the job is cancelled.
    pub(super) fn install(&self, connection: &mut rusqlite::Connection) -> rusqlite::Result<()> {
        let cancellation = self.clone();
        connection.progress_handler(
            STEPS,
            Some(move || !cancellation.has_caller() || cancellation.is_past_deadline()),
        )
    }

    /// Stops interrupting statements on the connection.
    pub(super) fn uninstall(connection: &mut rusqlite::Connection) -> rusqlite::Result<()> {
        connection.progress_handler(0, None::<fn() -> bool>)
    }
}
