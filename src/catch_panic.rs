use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use pin_project_lite::pin_project;

/// Returns the output of a future, or `None` if it panics.
pub(crate) fn catch_panic<F: Future>(future: F) -> CatchPanic<F> {
    CatchPanic { future }
}

pin_project! {
    /// Future of [`catch_panic`]. Written by hand, because an async block would hold the future
    /// twice: as its argument, and while it awaits it.
    pub(crate) struct CatchPanic<F> {
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for CatchPanic<F> {
    type Output = Option<F::Output>;

    /// `None` completes this future, so a panicked future is not polled again.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<F::Output>> {
        let future = self.project().future;
        match std::panic::catch_unwind(AssertUnwindSafe(|| future.poll(context))) {
            Ok(progress) => progress.map(Some),
            Err(_) => Poll::Ready(None),
        }
    }
}
