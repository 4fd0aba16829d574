use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures_channel::oneshot;

use super::cancellation::Cancellation;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, Snapshot, Transition};
use crate::store::sql::transaction_hook::OptionalHook;

/// A transition that is queued for a thread.
pub(super) struct Job {
    /// The hook that is called at each step of the transaction.
    pub(super) hook: OptionalHook,
    /// Cancels the job when its caller is gone or its deadline has passed.
    pub(super) cancellation: Cancellation,
    /// Statements that must see one state, if the job only reads.
    pub(super) snapshot: Snapshot,
    run: Run,
}

/// Called with an open transaction, or with the error that prevented one.
type Run = Box<dyn FnOnce(Result<&mut dyn Executor, StorageError>) -> FinishedJob + Send>;

impl Job {
    /// Runs the transition in a transaction, or makes it return the error.
    pub(super) fn run(self, executor: Result<&mut dyn Executor, StorageError>) -> FinishedJob {
        (self.run)(executor)
    }
}

/// A transition that has run and whose caller has no result yet.
pub(super) struct FinishedJob {
    /// Whether its changes are to be committed.
    pub(super) succeeded: bool,
    /// Sends the result to the caller, once it is known whether the changes were committed. The
    /// caller may be gone.
    answer: Box<dyn FnOnce(Result<(), StorageError>) + Send>,
}

impl FinishedJob {
    /// Sends the result to the caller. This wakes foreign code, and a panic there must not affect
    /// the next caller.
    pub(super) fn answer(self, kept: Result<(), StorageError>) {
        let _ = catch_unwind(AssertUnwindSafe(|| (self.answer)(kept)));
    }
}

/// Creates a job and the receiver of its result.
pub(super) fn new_job<T: Send + 'static>(
    hook: OptionalHook,
    cancellation: Cancellation,
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, StorageError>>) {
    let (sender, receiver) = oneshot::channel();
    let run: Run = Box::new(move |executor| {
        let outcome = executor.and_then(|executor| block_on(run(executor)));
        let succeeded = outcome.is_ok();
        FinishedJob {
            succeeded,
            answer: Box::new(move |kept| {
                drop(sender.send(outcome.and_then(|value| kept.map(|()| value))))
            }),
        }
    });
    (
        Job {
            hook,
            cancellation,
            snapshot: Snapshot::Transaction,
            run,
        },
        receiver,
    )
}

/// Runs a future to completion on this thread. SQLite returns at once; only a test's hook makes the
/// thread wait.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(ThreadWaker(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(outcome) = future.as_mut().poll(&mut context) {
            return outcome;
        }
        thread::park();
    }
}

/// Wakes the thread that waits for a future.
struct ThreadWaker(Thread);

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
