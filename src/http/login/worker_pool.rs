use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use futures_channel::oneshot;
use metrics::Gauge;

use crate::metrics::Gauges;
use crate::metrics::definitions::{PASSWORD_DURATION, PASSWORD_QUEUE};
use crate::metrics::measurement::{Histograms, Stopwatch};

type Job<S> = Box<dyn FnOnce(&mut S) + Send>;

/// Priority of a job, which determines the part of the queue that it may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueuePriority {
    /// Any login attempt.
    Normal,
    /// A signed-in user, or an account that has signed in from this network before. Part of the
    /// queue is reserved for these, so that a flood of other attempts does not lock them out.
    Reserved,
}

/// The queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QueueFull;

/// Dedicated threads for expensive work, with a short queue, so that a flood of work is refused
/// early. Each thread has its own state, which its jobs use one after the other. The threads end
/// when the pool is dropped.
pub(super) struct WorkerPool<S> {
    queue: SyncSender<Job<S>>,
    /// Number of waiting jobs.
    queued: Arc<AtomicUsize>,
    /// Number of waiting jobs up to which jobs of normal priority are accepted.
    unreserved: usize,
    /// The metric of `queued`.
    waiting: Gauges<0>,
    times: Histograms<1>,
}

impl<S: Default + 'static> WorkerPool<S> {
    /// Starts `threads` threads with a queue of `waiting` jobs and a quarter more reserved slots.
    pub(super) fn start(threads: usize, waiting: usize) -> io::Result<Self> {
        let (queue, jobs) = sync_channel(waiting + waiting.div_ceil(4));
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new()
                .name("lyceum-password".to_owned())
                .spawn(move || run_jobs(&jobs))?;
        }
        Ok(Self::with_queue(queue, waiting))
    }

    fn with_queue(queue: SyncSender<Job<S>>, unreserved: usize) -> Self {
        Self {
            queue,
            queued: Arc::default(),
            unreserved,
            waiting: Gauges::new(PASSWORD_QUEUE),
            times: Histograms::new(PASSWORD_DURATION),
        }
    }

    /// Runs a job on one of the threads, with the thread's state. Dropping the future before the
    /// job starts cancels it.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        priority: QueuePriority,
        work: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> Result<T, QueueFull> {
        let (sender, receiver) = oneshot::channel();
        let [wait_times, work_times] =
            ["wait", "work"].map(|stage| self.times.with_labels([stage]));
        let (slot, queued_since) = (
            QueueSlot::enter(self.waiting.with_labels([]), &self.queued),
            Stopwatch::start(),
        );
        // With a queue of length 0, a job is only handed to an idle thread.
        if priority == QueuePriority::Normal && self.unreserved > 0 && slot.number > self.unreserved
        {
            return Err(QueueFull);
        }
        let job = move |state: &mut S| {
            drop(slot);
            wait_times.record(queued_since.seconds());
            if !sender.is_canceled() {
                let started = Stopwatch::start();
                let result = work(state);
                work_times.record(started.seconds());
                // The caller may have been cancelled in the meantime.
                let _ = sender.send(result);
            }
        };
        self.queue.try_send(Box::new(job)).map_err(|_| QueueFull)?;
        receiver.await.map_err(|_| QueueFull)
    }
}

impl<S> fmt::Debug for WorkerPool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerPool")
    }
}

/// A slot in the queue, released when dropped.
struct QueueSlot {
    gauge: Gauge,
    queued: Arc<AtomicUsize>,
    /// Number of waiting jobs, including this one.
    number: usize,
}

impl QueueSlot {
    fn enter(gauge: Gauge, queued: &Arc<AtomicUsize>) -> Self {
        gauge.increment(1.0);
        let number = queued.fetch_add(1, Ordering::Relaxed) + 1;
        Self {
            gauge,
            queued: Arc::clone(queued),
            number,
        }
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        self.gauge.decrement(1.0);
        self.queued.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs jobs until the pool is dropped.
fn run_jobs<S: Default>(jobs: &Mutex<Receiver<Job<S>>>) {
    let mut state = S::default();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic must neither end the thread nor leave a half-changed state. The caller gets no
        // result.
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

    // Proves: threats 34
    #[test]
    fn a_job_for_a_full_queue_is_refused_at_once() {
        let (queue, _never_worked_on) = sync_channel(1);
        let without_threads = WorkerPool::<()>::with_queue(queue, 1);
        let mut context = Context::from_waker(Waker::noop());
        let mut waiting = pin!(without_threads.run(QueuePriority::Reserved, |()| 1));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        let mut refused = pin!(without_threads.run(QueuePriority::Reserved, |()| 2));
        assert_eq!(
            refused.as_mut().poll(&mut context),
            Poll::Ready(Err(QueueFull))
        );
    }

    /// Holds the only thread until the sender is dropped.
    fn held() -> (WorkerPool<()>, std::sync::mpsc::Sender<()>) {
        let workers = WorkerPool::<()>::start(1, 4).unwrap();
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let (begun, has_begun) = std::sync::mpsc::channel();
        let mut holds = Box::pin(workers.run(QueuePriority::Reserved, move |()| {
            begun.send(()).unwrap();
            may_go_on.recv().is_ok()
        }));
        assert!(
            holds
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        has_begun.recv().unwrap();
        drop(holds);
        (workers, go_on)
    }

    // Proves: threats 34
    /// Fails if normal jobs may use the reserved slots.
    #[test]
    fn some_queue_places_are_reserved_for_known_networks() {
        let (workers, _go_on) = held();
        let mut context = Context::from_waker(Waker::noop());
        let mut ask = |priority| {
            let mut job = Box::pin(workers.run(priority, |()| ()));
            let is_accepted = job.as_mut().poll(&mut context).is_pending();
            (is_accepted, job)
        };
        let strangers: Vec<_> = (0..6).map(|_| ask(QueuePriority::Normal)).collect();
        assert_eq!(
            strangers
                .iter()
                .filter(|(is_accepted, _)| *is_accepted)
                .count(),
            4
        );
        let known: Vec<_> = (0..3).map(|_| ask(QueuePriority::Reserved)).collect();
        assert_eq!(
            known.iter().filter(|(is_accepted, _)| *is_accepted).count(),
            1,
            "a quarter more"
        );
    }

    // Proves: threats 34
    /// Fails if work is done for cancelled callers.
    #[tokio::test]
    async fn work_of_a_cancelled_caller_is_not_started() {
        let (workers, go_on) = held();
        let (ran, has_run) = std::sync::mpsc::channel();
        let mut gone = Box::pin(workers.run(QueuePriority::Normal, move |()| ran.send(())));
        assert!(
            gone.as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
                .is_pending()
        );
        drop((gone, go_on));
        assert_eq!(workers.run(QueuePriority::Normal, |()| 3).await, Ok(3));
        assert!(has_run.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_job_that_panics_leaves_its_thread_working() {
        let workers = WorkerPool::<u8>::start(1, 4).unwrap();
        let panics = |state: &mut u8| -> u8 {
            *state = 9;
            panic!("planted")
        };
        assert_eq!(
            workers.run(QueuePriority::Normal, panics).await,
            Err(QueueFull)
        );
        assert_eq!(
            workers.run(QueuePriority::Normal, |state| *state + 3).await,
            Ok(3),
            "and with a new state"
        );
    }
}
