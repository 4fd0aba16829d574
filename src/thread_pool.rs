use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use futures_channel::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// Named threads for work that would block a worker of the async runtime.
///
/// Each queued job belongs to a request that awaits it, so the queue is bounded by the number of
/// requests in flight. The threads end when the pool is dropped.
pub(crate) struct ThreadPool {
    name: &'static str,
    count: usize,
    /// Queue of jobs; the threads start with the first one. `None` if no thread could be started.
    queue: OnceLock<Option<Sender<Job>>>,
}

impl ThreadPool {
    /// Creates a pool of `count` threads, at least one.
    pub(crate) const fn new(name: &'static str, count: usize) -> Self {
        Self {
            name,
            count,
            queue: OnceLock::new(),
        }
    }

    /// Runs `work` on one of the threads, or on the caller's if none could be started. Returns
    /// `None` if the work panics. Work that has not begun when its caller is dropped is skipped.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Some(queue) = self.queue.get_or_init(|| self.start()) else {
            return catch_unwind(AssertUnwindSafe(work)).ok();
        };
        let (sender, receiver) = oneshot::channel();
        let job = move || {
            if !sender.is_canceled() {
                // The receiver is gone if the caller was dropped meanwhile.
                let _ = sender.send(work());
            }
        };
        queue.send(Box::new(job)).ok()?;
        receiver.await.ok()
    }

    fn start(&self) -> Option<Sender<Job>> {
        let (queue, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let started = (0..self.count.max(1)).filter(|_| {
            let jobs = Arc::clone(&jobs);
            thread::Builder::new()
                .name(self.name.to_owned())
                .spawn(move || work(&jobs))
                .is_ok()
        });
        (started.count() > 0).then_some(queue)
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic must not end the thread. The caller notices it by the dropped sender.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;

    use super::*;

    fn thread_name() -> String {
        thread::current().name().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn work_is_done_on_a_thread_of_its_own() {
        let threads = ThreadPool::new("lyceum-test", 1);
        assert_eq!(
            threads.run(thread_name).await.as_deref(),
            Some("lyceum-test")
        );
    }

    #[tokio::test]
    async fn work_that_panics_takes_no_thread_with_it() {
        let threads = ThreadPool::new("lyceum-test", 1);
        assert_eq!(threads.run(|| panic!("expected panic")).await, None::<()>);
        assert_eq!(threads.run(|| 7).await, Some(7));
    }

    #[tokio::test]
    async fn work_whose_caller_went_away_before_it_began_is_left_undone() {
        let threads = ThreadPool::new("lyceum-test", 1);
        let (release, held) = channel::<()>();
        let (done, seen) = channel();
        let mut first = pin!(threads.run(move || held.recv().is_ok()));
        let mut given_up = Box::pin(threads.run(move || done.send(()).is_ok()));
        poll_fn(|context| {
            assert!(
                first.as_mut().poll(context).is_pending()
                    && given_up.as_mut().poll(context).is_pending()
            );
            Poll::Ready(())
        })
        .await;
        drop(given_up);
        release.send(()).unwrap();
        assert_eq!(
            (first.await, threads.run(|| 7).await),
            (Some(true), Some(7))
        );
        assert!(seen.recv().is_err(), "the job ran");
    }
}
