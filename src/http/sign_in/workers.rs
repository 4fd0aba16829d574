use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;
use metrics::Gauge;

use crate::metrics::{Gauges, Histograms, PASSWORD_QUEUE, PASSWORD_TIME, Stopwatch};

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// More work is waiting than may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Busy;

/// Threads for work that would hold up the others: a few of them, with a short queue, so that a flood of it is refused early instead of
/// being worked off for minutes. Each thread has a state of its own, which its jobs use one after the other. They end when this is dropped.
pub(super) struct Workers<S> {
    queue: SyncSender<Job<S>>,
    waiting: Gauges<0>,
    times: Histograms<1>,
}

impl<S: Default + 'static> Workers<S> {
    /// Starts `threads` threads, for which up to `waiting` jobs may wait.
    pub(super) fn start(threads: usize, waiting: usize) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(waiting);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new().name("lyceum-password".to_owned()).spawn(move || work(&jobs))?;
        }
        Ok(Self::behind(queue))
    }

    fn behind(queue: SyncSender<Job<S>>) -> Self {
        Self { queue, waiting: Gauges::new(PASSWORD_QUEUE), times: Histograms::new(PASSWORD_TIME) }
    }

    /// Does some work on one of the threads, with the thread's state. Dropping the future before the work has begun cancels it.
    pub(super) async fn run<T: Send + 'static>(&self, work: impl FnOnce(&mut S) -> T + Send + 'static) -> Result<T, Busy> {
        let (answer, answered) = oneshot::channel();
        let [waits, works] = ["wait", "work"].map(|stage| self.times.with([stage]));
        let (waiting, since) = (InQueue::enter(self.waiting.with([])), Stopwatch::start());
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
struct InQueue(Gauge);

impl InQueue {
    fn enter(waiting: Gauge) -> Self {
        waiting.increment(1.0);
        Self(waiting)
    }
}

impl Drop for InQueue {
    fn drop(&mut self) {
        self.0.decrement(1.0);
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
        let nobody = Workers::<()>::behind(queue);
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = pin!(nobody.run(|()| 1));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        let mut refused = pin!(nobody.run(|()| 2));
        assert_eq!(refused.as_mut().poll(&mut context), Poll::Ready(Err(Busy)));
    }

    #[tokio::test]
    async fn a_job_that_panics_leaves_its_thread_working() {
        let workers = Workers::<u8>::start(1, 4).unwrap();
        let panics = |state: &mut u8| -> u8 {
            *state = 9;
            panic!("planted")
        };
        assert_eq!(workers.run(panics).await, Err(Busy));
        assert_eq!(workers.run(|state| *state + 3).await, Ok(3), "and with a new state");
    }
}
