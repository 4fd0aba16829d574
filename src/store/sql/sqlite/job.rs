use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures_channel::oneshot;

use super::limits::Limits;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Snapshot, Transition};
use crate::store::sql::watch::Watched;

/// A transition on its way to a thread.
pub(super) struct Job {
    /// Who sees its steps.
    pub(super) watched: Watched,
    /// What ends it early.
    pub(super) limits: Limits,
    /// What it must see as one state, if it only reads.
    pub(super) snapshot: Snapshot,
    run: Run,
}

/// It is called with an open transaction, or with the reason why there is none.
type Run = Box<dyn FnOnce(Result<&mut dyn Executor, StorageError>) -> Done + Send>;

impl Job {
    /// Runs the transition in a transaction, or lets it answer that there is none.
    pub(super) fn run(self, executor: Result<&mut dyn Executor, StorageError>) -> Done {
        (self.run)(executor)
    }
}

/// A transition that has run and is not yet answered.
pub(super) struct Done {
    /// Whether what it did is to be kept.
    pub(super) is_good: bool,
    /// Answers the caller, once it is known whether what was done is kept. Nobody may be listening any more; that is no fault.
    answer: Box<dyn FnOnce(Result<(), StorageError>) + Send>,
}

impl Done {
    /// Answers the caller. This wakes code that is not ours, and if that panics it is not the next caller's loss.
    pub(super) fn answer(self, kept: Result<(), StorageError>) {
        let _ = catch_unwind(AssertUnwindSafe(|| (self.answer)(kept)));
    }
}

/// A job and where its answer arrives.
pub(super) fn job<T: Send + 'static>(
    watched: Watched,
    limits: Limits,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, StorageError>>) {
    let (sender, receiver) = oneshot::channel();
    let run: Run = Box::new(move |executor| {
        let outcome = executor.and_then(|executor| drive(run(executor)));
        let is_good = outcome.is_ok();
        Done { is_good, answer: Box::new(move |kept| drop(sender.send(outcome.and_then(|value| kept.map(|()| value))))) }
    });
    (Job { watched, limits, snapshot: Snapshot::Transaction, run }, receiver)
}

/// Runs a future to its end on this thread. SQLite answers at once; only who watches may make the thread wait.
pub(super) fn drive<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Waiting(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
            return outcome;
        }
        thread::park();
    }
}

/// Wakes the thread that waits for a future.
struct Waiting(Thread);

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
