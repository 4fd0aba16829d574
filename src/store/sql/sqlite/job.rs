use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use futures_channel::oneshot;

use super::cancellation::Cancellation;
use crate::store::StorageError;
use crate::store::sql::executor::{Executor, SnapshotScope, Transition};
use crate::store::sql::transaction_hook::OptionalHook;

/// A transition that is queued for a thread.
pub(super) struct Job {
    /// The hook that is called at each step of the transaction.
    pub(super) hook: OptionalHook,
    /// Cancels the job when its caller is gone or its deadline has passed.
    pub(super) cancellation: Cancellation,
    /// Statements that must see one state, if the job only reads.
    pub(super) snapshot: SnapshotScope,
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
    send_result: Box<dyn FnOnce(Result<(), StorageError>) + Send>,
}

impl FinishedJob {
    /// Sends the result to the caller. This wakes foreign code, and a panic there must not affect
    /// the next caller.
    pub(super) fn send_result(self, committed: Result<(), StorageError>) {
        let _ = catch_unwind(AssertUnwindSafe(|| (self.send_result)(committed)));
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
            send_result: Box::new(move |committed| {
                drop(sender.send(outcome.and_then(|value| committed.map(|()| value))))
            }),
        }
    });
    (
        Job {
            hook,
            cancellation,
            snapshot: SnapshotScope::Transaction,
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
