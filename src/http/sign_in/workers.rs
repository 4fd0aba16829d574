use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;
use metrics::Gauge;

use crate::metrics::{Gauges, Histograms, PASSWORD_QUEUE, PASSWORD_TIME, Stopwatch};

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// Where work comes from, which decides what places in the queue it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Anywhere: an attempt to sign in of which nothing is known.
    Open,
    /// Somebody who is signed in, or an account that has signed in from this network before. Some places are kept for these alone, so that a flood
    /// of the others does not keep them out.
    Kept,
}

/// More work is waiting than may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Busy;

/// Threads for work that would hold up the others: a few of them, with a short queue, so that a flood of it is refused early instead of
/// being worked off for minutes. Each thread has a state of its own, which its jobs use one after the other. They end when this is dropped.
pub(super) struct Workers<S> {
    queue: SyncSender<Job<S>>,
    /// How many jobs wait, and how many may for those of open places to be let in.
    in_queue: Arc<AtomicUsize>,
    open: usize,
    waiting: Gauges<0>,
    times: Histograms<1>,
}

impl<S: Default + 'static> Workers<S> {
    /// Starts `threads` threads, for which up to `waiting` jobs may wait, and a quarter more in kept places.
    pub(super) fn start(threads: usize, waiting: usize) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(waiting + waiting.div_ceil(4));
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new().name("lyceum-password".to_owned()).spawn(move || work(&jobs))?;
        }
        Ok(Self::behind(queue, waiting))
    }

    fn behind(queue: SyncSender<Job<S>>, open: usize) -> Self {
        Self { queue, in_queue: Arc::default(), open, waiting: Gauges::new(PASSWORD_QUEUE), times: Histograms::new(PASSWORD_TIME) }
    }

    /// Does some work on one of the threads, with the thread's state. Dropping the future before the work has begun cancels it.
    pub(super) async fn run<T: Send + 'static>(&self, place: Place, work: impl FnOnce(&mut S) -> T + Send + 'static) -> Result<T, Busy> {
        let (answer, answered) = oneshot::channel();
        let [waits, works] = ["wait", "work"].map(|stage| self.times.with([stage]));
        let (waiting, since) = (InQueue::enter(self.waiting.with([]), &self.in_queue), Stopwatch::start());
        // Without a place the queue only hands over to a thread that is idle.
        if place == Place::Open && self.open > 0 && waiting.number > self.open {
            return Err(Busy);
        }
        let job = move |state: &mut S| {
            drop(waiting);
            waits.record(since.seconds());
            if !answer.is_canceled() {
                let since = Stopwatch::start();
                let done = work(state);
                works.record(since.seconds());
                // Whoever asked may have gone in the meantime.
                let _ = answer.send(done);
            }
        };
        self.queue.try_send(Box::new(job)).map_err(|_| Busy)?;
        answered.await.map_err(|_| Busy)
    }
}

impl<S> fmt::Debug for Workers<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Workers")
    }
}

/// A place in the queue, which is free again when this is dropped.
struct InQueue {
    gauge: Gauge,
    in_queue: Arc<AtomicUsize>,
    /// How many wait with this one.
    number: usize,
}

impl InQueue {
    fn enter(gauge: Gauge, in_queue: &Arc<AtomicUsize>) -> Self {
        gauge.increment(1.0);
        let number = in_queue.fetch_add(1, Ordering::Relaxed) + 1;
        Self { gauge, in_queue: Arc::clone(in_queue), number }
    }
}

impl Drop for InQueue {
    fn drop(&mut self) {
        self.gauge.decrement(1.0);
        self.in_queue.fetch_sub(1, Ordering::Relaxed);
    }
}

fn work<S: Default>(jobs: &Mutex<Receiver<Job<S>>>) {
    let mut state = S::default();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A job that panics must not take the thread with it, nor leave a half-changed state. Its caller sees that no answer came.
        if std::panic::catch_unwind(AssertUnwindSafe(|| job(&mut state))).is_err() {
            state = S::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn s34_what_does_not_fit_into_the_queue_is_refused_at_once() {
        let (queue, _never_worked_on) = sync_channel(1);
        let nobody = Workers::<()>::behind(queue, 1);
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = pin!(nobody.run(Place::Kept, |()| 1));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        let mut refused = pin!(nobody.run(Place::Kept, |()| 2));
        assert_eq!(refused.as_mut().poll(&mut context), Poll::Ready(Err(Busy)));
    }

    /// Holds the only thread until the sender is dropped.
    fn held() -> (Workers<()>, std::sync::mpsc::Sender<()>) {
        let workers = Workers::<()>::start(1, 4).unwrap();
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let (begun, has_begun) = std::sync::mpsc::channel();
        let mut holds = Box::pin(workers.run(Place::Kept, move |()| {
            begun.send(()).unwrap();
            may_go_on.recv().is_ok()
        }));
        assert!(holds.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        has_begun.recv().unwrap();
        drop(holds);
        (workers, go_on)
    }

    /// Fails if any attempt may take any place.
    #[test]
    fn s34_some_places_are_kept_from_attempts_of_which_nothing_is_known() {
        let (workers, _go_on) = held();
        let mut context = Context::from_waker(Waker::noop());
        let mut ask = |place| {
            let mut asked = Box::pin(workers.run(place, |()| ()));
            let is_let_in = asked.as_mut().poll(&mut context).is_pending();
            (is_let_in, asked)
        };
        let strangers: Vec<_> = (0..6).map(|_| ask(Place::Open)).collect();
        assert_eq!(strangers.iter().filter(|(is_let_in, _)| *is_let_in).count(), 4);
        let known: Vec<_> = (0..3).map(|_| ask(Place::Kept)).collect();
        assert_eq!(known.iter().filter(|(is_let_in, _)| *is_let_in).count(), 1, "a quarter more");
    }

    /// Fails if work is done for callers who have gone.
    #[tokio::test]
    async fn s34_work_whose_caller_has_gone_is_not_begun() {
        let (workers, go_on) = held();
        let (ran, has_run) = std::sync::mpsc::channel();
        let mut gone = Box::pin(workers.run(Place::Open, move |()| ran.send(())));
        assert!(gone.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop((gone, go_on));
        assert_eq!(workers.run(Place::Open, |()| 3).await, Ok(3));
        assert!(has_run.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_job_that_panics_leaves_its_thread_working() {
        let workers = Workers::<u8>::start(1, 4).unwrap();
        let panics = |state: &mut u8| -> u8 {
            *state = 9;
            panic!("planted")
        };
        assert_eq!(workers.run(Place::Open, panics).await, Err(Busy));
        assert_eq!(workers.run(Place::Open, |state| *state + 3).await, Ok(3), "and with a new state");
    }
}
