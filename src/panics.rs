use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::task::Poll;

/// What a future comes to, unless it panics.
pub(crate) async fn unless_it_panics<F: Future>(answer: F) -> Option<F::Output> {
    let mut answer = pin!(answer);
    // A future that panicked is not polled again: the first `None` ends this one.
    poll_fn(|context| match std::panic::catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
        Ok(progress) => progress.map(Some),
        Err(_) => Poll::Ready(None),
    })
    .await
}
