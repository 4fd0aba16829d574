use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use futures_channel::oneshot;

use crate::store::StorageError;
use crate::store::sql::executor::Executor;

/// What a transition does once it has a transaction.
pub(in crate::store::sql) type Transition<'t, T> = Pin<Box<dyn Future<Output = Result<T, StorageError>> + Send + 't>>;

/// A transition on its way to a thread. It is called with an open transaction, or with the reason why there is none.
pub(super) type Job = Box<dyn FnOnce(Result<&mut dyn Executor, StorageError>) -> Done + Send>;

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
    run: impl for<'t> FnOnce(&'t mut dyn Executor) -> Transition<'t, T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, StorageError>>) {
    let (sender, receiver) = oneshot::channel();
    let job: Job = Box::new(move |executor| {
        let outcome = executor.and_then(|executor| drive(run(executor)));
        let is_good = outcome.is_ok();
        Done { is_good, answer: Box::new(move |kept| drop(sender.send(outcome.and_then(|value| kept.map(|()| value))))) }
    });
    (job, receiver)
}

/// Runs a transition to its end on this thread. None ever waits here, because SQLite answers at once.
pub(super) fn drive<T>(transition: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
    match pin!(transition).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(StorageError::corrupt("a transition waited for something that is not the database")),
    }
}
