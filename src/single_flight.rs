use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::task::{Context, Poll, Wake, Waker};

type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future that many waiters share and any of them can poll.
///
/// It belongs to no single request. When a request is dropped, the other waiters poll the work on,
/// or it pauses until the next waiter polls it. A client that sends requests and disconnects can
/// therefore neither restart the work nor block it.
pub(crate) struct SingleFlight<T> {
    /// Locked while a waiter polls the work; `None` when it has completed.
    work: Mutex<Option<Work<T>>>,
    /// Result of the work, `None` inside when it was cancelled. Set before the waiters are woken,
    /// and read without the lock. A waiter that finds the work locked and this empty is woken by
    /// the waiter that sets it.
    outcome: OnceLock<Option<T>>,
    waiters: Mutex<Waiters>,
}

/// Wakers of the waiters that were not woken since their last poll, by the waiter's id.
#[derive(Default)]
struct Waiters {
    next_id: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl<T: Clone + Send + Sync + 'static> SingleFlight<T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Arc<Self> {
        Arc::new(Self {
            work: Mutex::new(Some(Box::pin(work))),
            outcome: OnceLock::new(),
            waiters: Mutex::default(),
        })
    }

    /// Waits for the result of the work; `None` when it was cancelled.
    pub(crate) fn wait(self: &Arc<Self>) -> Waiter<T> {
        let mut waiters = self.waiters();
        waiters.next_id += 1;
        Waiter {
            flight: Arc::clone(self),
            id: waiters.next_id,
            was_polled: false,
        }
    }

    /// Cancels the work. A poll already in progress is the last one.
    pub(crate) fn cancel(&self) {
        self.complete(None);
    }

    /// Sets the outcome, unless it is set already, and wakes the waiters.
    fn complete(&self, outcome: Option<T>) {
        // An outcome that is set stays, for instance when the work was cancelled during its last
        // poll.
        let _ = self.outcome.set(outcome);
        self.drop_completed_work();
        self.wake_all();
    }

    /// Drops the work when it has an outcome and no waiter polls it. A waiter that polls it calls
    /// this after the poll.
    fn drop_completed_work(&self) {
        if self.outcome.get().is_some()
            && let Ok(mut work) = self.work.try_lock()
        {
            *work = None;
        }
    }

    fn wake_all(&self) {
        let wakers = std::mem::take(&mut self.waiters().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    fn waiters(&self) -> MutexGuard<'_, Waiters> {
        self.waiters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(feature = "data-api")]
impl<T> SingleFlight<T> {
    /// Whether the work has not completed yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.outcome.get().is_none() && !self.work.is_poisoned()
    }

    /// Result of the work, if it has completed; `None` inside when it was cancelled.
    pub(crate) fn result(&self) -> Option<&Option<T>> {
        self.outcome.get()
    }
}

impl<T: Clone + Send + Sync + 'static> Wake for SingleFlight<T> {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}

/// Future of the outcome of a [`SingleFlight`].
pub(crate) struct Waiter<T: Clone + Send + Sync + 'static> {
    flight: Arc<SingleFlight<T>>,
    id: u64,
    was_polled: bool,
}

impl<T: Clone + Send + Sync + 'static> Future for Waiter<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.was_polled = true;
        let flight = &self.flight;
        // Registers the waker before checking the outcome, so that a waiter that completes the work
        // in between wakes this one.
        flight
            .waiters()
            .wakers
            .insert(self.id, context.waker().clone());
        if let Some(outcome) = flight.outcome.get() {
            return Poll::Ready(outcome.clone());
        }
        let mut work = match flight.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(work)) => work.into_inner(),
            Err(TryLockError::WouldBlock) => return Poll::Pending,
        };
        let progress = match work.as_mut() {
            Some(work) => work
                .as_mut()
                .poll(&mut Context::from_waker(&Waker::from(Arc::clone(flight)))),
            // Another waiter completed the work and is about to set the outcome.
            None => Poll::Pending,
        };
        if let Poll::Ready(outcome) = progress {
            *work = None;
            drop(work);
            flight.complete(Some(outcome));
        } else {
            drop(work);
            flight.drop_completed_work();
        }
        match flight.outcome.get() {
            Some(outcome) => Poll::Ready(outcome.clone()),
            None => Poll::Pending,
        }
    }
}

impl<T: Clone + Send + Sync + 'static> Drop for Waiter<T> {
    /// Wakes the other waiters if this one was woken since its last poll, because it may be the
    /// only one that was woken. Otherwise it wakes none, so that clients that disconnect while the
    /// work hangs cause no polls. A panic of the work wakes no waiter, so the waiter that polled it
    /// wakes the others here.
    fn drop(&mut self) {
        let was_woken = self.flight.waiters().wakers.remove(&self.id).is_none();
        if self.was_polled && (was_woken || self.flight.work.is_poisoned()) {
            self.flight.wake_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Work that has to be polled `times` times and is woken by itself or from another task.
    async fn yields(times: usize) {
        for turn in 0..times {
            if turn % 2 == 0 {
                tokio::task::yield_now().await
            } else {
                tokio::spawn(tokio::task::yield_now()).await.unwrap()
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn many_wait_for_one_piece_of_work_and_some_go_away() {
        for round in 0..2000_usize {
            let runs = Arc::new(AtomicUsize::new(0));
            let flight = SingleFlight::new({
                let runs = Arc::clone(&runs);
                async move {
                    yields(10).await;
                    runs.fetch_add(1, Ordering::SeqCst) + round
                }
            });
            let waiters: Vec<_> = (0..16).map(|_| tokio::spawn(flight.wait())).collect();
            for waiter in waiters.iter().skip(1).step_by(2) {
                waiter.abort();
            }
            for waiter in waiters.into_iter().step_by(2) {
                assert_eq!(waiter.await.unwrap(), Some(round));
            }
            assert_eq!(runs.load(Ordering::SeqCst), 1);
        }
    }

    #[tokio::test]
    async fn work_whose_waiters_were_dropped_continues_with_the_next_one() {
        let flight = SingleFlight::new(async {
            yields(3).await;
            7
        });
        let mut first = Box::pin(flight.wait());
        std::future::poll_fn(|context| {
            assert!(first.as_mut().poll(context).is_pending());
            Poll::Ready(())
        })
        .await;
        drop(first);
        assert_eq!(flight.wait().await, Some(7));
        assert_eq!(flight.wait().await, Some(7));
    }

    /// Counts its wake-ups.
    #[derive(Default)]
    struct CountingWaker(AtomicUsize);

    impl Wake for CountingWaker {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Fails if each dropped waiter makes all the others poll again.
    #[test]
    fn a_waiter_that_is_dropped_while_the_work_hangs_wakes_no_other() {
        let flight = SingleFlight::new(std::future::pending::<u8>());
        let wakes = Arc::new(CountingWaker::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let mut waiters: Vec<_> = (0..100).map(|_| Box::pin(flight.wait())).collect();
        for _ in 0..3 {
            for waiter in &mut waiters {
                assert!(
                    waiter
                        .as_mut()
                        .poll(&mut Context::from_waker(&waker))
                        .is_pending()
                );
            }
        }
        assert_eq!(
            flight.waiters().wakers.len(),
            100,
            "one waker for each waiter"
        );
        waiters.truncate(1);
        assert_eq!(
            (
                wakes.0.load(Ordering::SeqCst),
                flight.waiters().wakers.len()
            ),
            (0, 1)
        );
        flight.cancel();
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
    }

    /// Fails if a waiter that found the work locked sleeps on when the work panics.
    #[test]
    fn a_waiter_is_woken_when_another_sees_the_work_panic() {
        type BoxedWaiter = Pin<Box<Waiter<u8>>>;
        let second: Arc<Mutex<Option<BoxedWaiter>>> = Arc::default();
        let wakes = Arc::new(CountingWaker::default());
        let waker = Waker::from(Arc::clone(&wakes));
        let flight = SingleFlight::new({
            let (second, waker) = (Arc::clone(&second), waker.clone());
            std::future::poll_fn(move |_| {
                let mut second = second.lock().unwrap();
                assert!(
                    second
                        .as_mut()
                        .unwrap()
                        .as_mut()
                        .poll(&mut Context::from_waker(&waker))
                        .is_pending()
                );
                drop(second);
                panic!("expected panic")
            })
        });
        *second.lock().unwrap() = Some(Box::pin(flight.wait()));
        let mut first = Box::pin(flight.wait());
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            first.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        }));
        assert!(polled.is_err());
        drop(first);
        assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_waiter_of_cancelled_work_gets_no_result() {
        let flight = SingleFlight::new(std::future::pending::<u8>());
        let waiter = tokio::spawn(flight.wait());
        tokio::task::yield_now().await;
        flight.cancel();
        assert_eq!(waiter.await.unwrap(), None);
    }
}
