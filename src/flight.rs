use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::task::{Context, Poll, Wake, Waker};

type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Work that many wait for and each of them drives on.
///
/// It belongs to no single request: one that goes away leaves it to the others, or as it is until the next one comes. So whoever sends
/// requests and hangs up can neither begin it again and again nor hold it up.
pub(crate) struct Flight<T> {
    /// Locked while a waiter polls the work; `None` when it has ended.
    work: Mutex<Option<Work<T>>>,
    /// What came of the work, `None` inside when it was abandoned. Set before the waiters are woken, and read without a lock: a waiter that
    /// finds the work locked and this empty is woken by the one who sets it.
    outcome: OnceLock<Option<T>>,
    waiting: Mutex<Waiting>,
}

/// The wakers of waiters that were not woken since their last poll, by the waiter's number.
#[derive(Default)]
struct Waiting {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl<T: Clone + Send + Sync + 'static> Flight<T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Arc<Self> {
        Arc::new(Self { work: Mutex::new(Some(Box::pin(work))), outcome: OnceLock::new(), waiting: Mutex::default() })
    }

    /// What comes of the work; `None` when it was abandoned.
    pub(crate) fn outcome(self: &Arc<Self>) -> Outcome<T> {
        let mut waiting = self.waiting();
        waiting.next += 1;
        Outcome { flight: Arc::clone(self), number: waiting.next, was_polled: false }
    }

    /// Gives the work up. Where a waiter polls it at this moment, that poll is the last one.
    pub(crate) fn abandon(&self) {
        self.end(None);
    }

    /// Whether nothing has come of the work yet.
    pub(crate) fn is_under_way(&self) -> bool {
        self.outcome.get().is_none() && !self.work.is_poisoned()
    }

    /// What came of the work, if it has ended; `None` inside when it was abandoned.
    pub(crate) fn result(&self) -> Option<&Option<T>> {
        self.outcome.get()
    }

    /// Sets the outcome, unless there is one, and wakes the waiters.
    fn end(&self, outcome: Option<T>) {
        // An outcome that was set before stays, for instance when the work was abandoned during its last poll.
        let _ = self.outcome.set(outcome);
        self.drop_ended_work();
        self.wake_all();
    }

    /// Drops the work when it has an outcome and no waiter polls it; one that does calls this after the poll.
    fn drop_ended_work(&self) {
        if self.outcome.get().is_some()
            && let Ok(mut work) = self.work.try_lock()
        {
            *work = None;
        }
    }

    fn wake_all(&self) {
        let wakers = std::mem::take(&mut self.waiting().wakers);
        wakers.into_values().for_each(Waker::wake);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clone + Send + Sync + 'static> Wake for Flight<T> {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}

/// Waits for the outcome of a flight.
pub(crate) struct Outcome<T: Clone + Send + Sync + 'static> {
    flight: Arc<Flight<T>>,
    number: u64,
    was_polled: bool,
}

impl<T: Clone + Send + Sync + 'static> Future for Outcome<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        self.was_polled = true;
        let flight = &self.flight;
        // First the waker, then the look: the waiter that ends the work in between wakes this one.
        flight.waiting().wakers.insert(self.number, context.waker().clone());
        if let Some(outcome) = flight.outcome.get() {
            return Poll::Ready(outcome.clone());
        }
        let mut work = match flight.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(work)) => work.into_inner(),
            Err(TryLockError::WouldBlock) => return Poll::Pending,
        };
        let progress = match work.as_mut() {
            Some(work) => work.as_mut().poll(&mut Context::from_waker(&Waker::from(Arc::clone(flight)))),
            // Another waiter ended it and is about to set the outcome.
            None => Poll::Pending,
        };
        if let Poll::Ready(outcome) = progress {
            *work = None;
            drop(work);
            flight.end(Some(outcome));
        } else {
            drop(work);
            flight.drop_ended_work();
        }
        match flight.outcome.get() {
            Some(outcome) => Poll::Ready(outcome.clone()),
            None => Poll::Pending,
        }
    }
}

impl<T: Clone + Send + Sync + 'static> Drop for Outcome<T> {
    /// A dropped waiter may be the only one that was woken, so it wakes the others. If it was not woken since its last poll it wakes nobody, so
    /// clients that disconnect while the work hangs cost the others nothing. Work that panicked has woken no waiter, so the waiter that polled it does.
    fn drop(&mut self) {
        let was_woken = self.flight.waiting().wakers.remove(&self.number).is_none();
        if self.was_polled && (was_woken || self.flight.work.is_poisoned()) {
            self.flight.wake_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Work that has to be polled `turns` times, and asks for it by itself or from another task.
    async fn turns(turns: usize) {
        for turn in 0..turns {
            if turn % 2 == 0 { tokio::task::yield_now().await } else { tokio::spawn(tokio::task::yield_now()).await.unwrap() }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn many_wait_for_one_piece_of_work_and_some_go_away() {
        for round in 0..2000_usize {
            let runs = Arc::new(AtomicUsize::new(0));
            let flight = Flight::new({
                let runs = Arc::clone(&runs);
                async move {
                    turns(10).await;
                    runs.fetch_add(1, Ordering::SeqCst) + round
                }
            });
            let waiters: Vec<_> = (0..16).map(|_| tokio::spawn(flight.outcome())).collect();
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
    async fn work_that_was_left_alone_is_taken_up_again() {
        let flight = Flight::new(async {
            turns(3).await;
            7
        });
        let mut first = Box::pin(flight.outcome());
        std::future::poll_fn(|context| {
            assert!(first.as_mut().poll(context).is_pending());
            Poll::Ready(())
        })
        .await;
        drop(first);
        assert_eq!(flight.outcome().await, Some(7));
        assert_eq!(flight.outcome().await, Some(7));
    }

    /// Counts its wake-ups.
    #[derive(Default)]
    struct Told(AtomicUsize);

    impl Wake for Told {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Fails if each dropped waiter makes all the others poll again.
    #[test]
    fn a_waiter_that_is_dropped_while_the_work_hangs_wakes_no_other() {
        let flight = Flight::new(std::future::pending::<u8>());
        let told = Arc::new(Told::default());
        let waker = Waker::from(Arc::clone(&told));
        let mut waiters: Vec<_> = (0..100).map(|_| Box::pin(flight.outcome())).collect();
        for _ in 0..3 {
            for waiter in &mut waiters {
                assert!(waiter.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
            }
        }
        assert_eq!(flight.waiting().wakers.len(), 100, "one for each");
        waiters.truncate(1);
        assert_eq!((told.0.load(Ordering::SeqCst), flight.waiting().wakers.len()), (0, 1));
        flight.abandon();
        assert_eq!(told.0.load(Ordering::SeqCst), 1);
    }

    /// Fails if a waiter that found the work locked sleeps on when the work panics.
    #[test]
    fn a_waiter_is_woken_when_another_sees_the_work_panic() {
        type Waiter = Pin<Box<Outcome<u8>>>;
        let second: Arc<Mutex<Option<Waiter>>> = Arc::default();
        let told = Arc::new(Told::default());
        let waker = Waker::from(Arc::clone(&told));
        let flight = Flight::new({
            let (second, waker) = (Arc::clone(&second), waker.clone());
            std::future::poll_fn(move |_| {
                let mut second = second.lock().unwrap();
                assert!(second.as_mut().unwrap().as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
                drop(second);
                panic!("as told")
            })
        });
        *second.lock().unwrap() = Some(Box::pin(flight.outcome()));
        let mut first = Box::pin(flight.outcome());
        let polled =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| first.as_mut().poll(&mut Context::from_waker(Waker::noop()))));
        assert!(polled.is_err());
        drop(first);
        assert_eq!(told.0.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn who_waits_for_abandoned_work_is_told() {
        let flight = Flight::new(std::future::pending::<u8>());
        let waiter = tokio::spawn(flight.outcome());
        tokio::task::yield_now().await;
        flight.abandon();
        assert_eq!(waiter.await.unwrap(), None);
    }
}
