use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// How many steps of SQLite's virtual machine a read takes between two looks at its limits.
const STEPS: i32 = 1_000;

/// What ends a job early: its caller has gone, or its time is over.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    caller: Weak<()>,
    /// `None` where the job may take as long as it takes.
    deadline: Option<Instant>,
}

impl Limits {
    /// The limits of a job whose caller holds on to the other value for as long as the answer is wanted.
    #[expect(clippy::disallowed_methods, reason = "how long a read takes is measured by a clock that nobody sets, as tokio's timeouts are")]
    pub(super) fn new(at_most: Option<Duration>) -> (Self, Arc<()>) {
        let caller = Arc::new(());
        let deadline = at_most.and_then(|at_most| Instant::now().checked_add(at_most));
        (Self { caller: Arc::downgrade(&caller), deadline }, caller)
    }

    /// Whether the caller still waits for the answer.
    pub(super) fn is_wanted(&self) -> bool {
        self.caller.strong_count() > 0
    }

    /// Whether the deadline has passed.
    #[expect(clippy::disallowed_methods, reason = "how long a read takes is measured by a clock that nobody sets, as tokio's timeouts are")]
    pub(super) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Lets SQLite interrupt what runs on the connection once a limit is reached.
    pub(super) fn watch(&self, connection: &mut rusqlite::Connection) -> rusqlite::Result<()> {
        let limits = self.clone();
        connection.progress_handler(STEPS, Some(move || !limits.is_wanted() || limits.is_late()))
    }

    /// Lets everything run to its end on the connection again.
    pub(super) fn unwatch(connection: &mut rusqlite::Connection) -> rusqlite::Result<()> {
        connection.progress_handler(0, None::<fn() -> bool>)
    }
}
