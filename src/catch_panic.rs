use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;

/// Returns the output of a future, or `None` if it panics.
pub(crate) async fn catch_panic<F: Future>(answer: F) -> Option<F::Output> {
    let mut answer = pin!(answer);
    // Returning `None` here completes this future, so a panicked future is not polled again.
    poll_fn(|context| {
        match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(progress) => progress.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}
