use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use futures_channel::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A few threads of one name, for work that would hold up a worker of the async runtime.
///
/// Work that waits for a thread belongs to a request that waits for it, so there is no more of it than requests under way. They end when this
/// is dropped.
pub(crate) struct Threads {
    name: &'static str,
    count: usize,
    /// Started with the first work; `None` where no thread can be started.
    queue: OnceLock<Option<Sender<Job>>>,
}

impl Threads {
    /// `count` threads, at least one.
    pub(crate) const fn new(name: &'static str, count: usize) -> Self {
        Self { name, count, queue: OnceLock::new() }
    }

    /// What `work` comes to on one of the threads, or on the caller's where none can be started; `None` if it panics. Work that no thread has
    /// begun when its caller goes away is left undone.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let Some(queue) = self.queue.get_or_init(|| self.start()) else { return catch_unwind(AssertUnwindSafe(work)).ok() };
        let (answer, answered) = oneshot::channel();
        let job = move || {
            if !answer.is_canceled() {
                // A caller that went away meanwhile wants no answer.
                let _ = answer.send(work());
            }
        };
        queue.send(Box::new(job)).ok()?;
        answered.await.ok()
    }

    fn start(&self) -> Option<Sender<Job>> {
        let (queue, jobs) = channel();
        let jobs = Arc::new(Mutex::new(jobs));
        let started = (0..self.count.max(1)).filter(|_| {
            let jobs = Arc::clone(&jobs);
            thread::Builder::new().name(self.name.to_owned()).spawn(move || work(&jobs)).is_ok()
        });
        (started.count() > 0).then_some(queue)
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // Work that panics must not take the thread with it. Its caller sees that no answer came.
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
        let threads = Threads::new("lyceum-test", 1);
        assert_eq!(threads.run(thread_name).await.as_deref(), Some("lyceum-test"));
    }

    #[tokio::test]
    async fn work_that_panics_takes_no_thread_with_it() {
        let threads = Threads::new("lyceum-test", 1);
        assert_eq!(threads.run(|| panic!("as told")).await, None::<()>);
        assert_eq!(threads.run(|| 7).await, Some(7));
    }

    #[tokio::test]
    async fn work_whose_caller_went_away_before_it_began_is_left_undone() {
        let threads = Threads::new("lyceum-test", 1);
        let (release, held) = channel::<()>();
        let (done, seen) = channel();
        let mut first = pin!(threads.run(move || held.recv().is_ok()));
        let mut given_up = Box::pin(threads.run(move || done.send(()).is_ok()));
        poll_fn(|context| {
            assert!(first.as_mut().poll(context).is_pending() && given_up.as_mut().poll(context).is_pending());
            Poll::Ready(())
        })
        .await;
        drop(given_up);
        release.send(()).unwrap();
        assert_eq!((first.await, threads.run(|| 7).await), (Some(true), Some(7)));
        assert!(seen.recv().is_err(), "it was done");
    }
}
