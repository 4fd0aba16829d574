use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use futures_channel::oneshot;

use super::loaded_keys::TokenSigner;
use crate::crypto::{SigningError, sign_under};
use crate::domain::SigningAlgorithm;
use crate::oauth::AccessTokenClaims;

/// How many tokens may wait for a thread. More than these are signed where they are asked for, which slows those down who ask.
const WAITING: usize = 64;
/// How many threads there are at most, however many processors.
const MOST_THREADS: usize = 8;

type Job = Box<dyn FnOnce() + Send>;
type Signed = Result<(String, AccessTokenClaims), SigningError>;

/// Signs access tokens without holding up the runtime.
///
/// An RS256 signature takes a good part of a millisecond, in which a worker of the runtime could have gone through a dozen requests, so threads
/// of this make it. An ES256 signature takes less than the way to another thread and back, and is made at once.
#[derive(Default)]
pub(super) struct SigningThreads {
    /// Started with the first RS256 signature; `None` where no thread can be started.
    queue: OnceLock<Option<SyncSender<Job>>>,
}

impl SigningThreads {
    /// A token with these claims, which it gives back.
    pub(super) async fn sign(&self, signer: TokenSigner, claims: AccessTokenClaims) -> Signed {
        let (answer, answered) = oneshot::channel();
        let is_quick = signer.signer.algorithm() == SigningAlgorithm::Es256;
        let sign = move || sign_under(&signer.header, &*signer.signer, &claims).map(|token| (token, claims));
        if is_quick {
            return sign();
        }
        let Some(queue) = self.queue.get_or_init(start) else { return sign() };
        let job = move || {
            // Whoever asked may have gone before it began, or meanwhile.
            if !answer.is_canceled() {
                let _ = answer.send(sign());
            }
        };
        match queue.try_send(Box::new(job)) {
            Ok(()) => {}
            Err(full) => full_job(full)(),
        }
        // Without an answer the signer panicked.
        answered.await.unwrap_or(Err(SigningError::Refused))
    }
}

fn full_job(error: std::sync::mpsc::TrySendError<Job>) -> Job {
    match error {
        std::sync::mpsc::TrySendError::Full(job) | std::sync::mpsc::TrySendError::Disconnected(job) => job,
    }
}

/// As many threads as there are processors. They end when the queue is dropped.
fn start() -> Option<SyncSender<Job>> {
    let (queue, jobs) = sync_channel(WAITING);
    let jobs = Arc::new(Mutex::new(jobs));
    let count = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let started = (0..count).filter(|_| {
        let jobs = Arc::clone(&jobs);
        thread::Builder::new().name("lyceum-signing".to_owned()).spawn(move || work(&jobs)).is_ok()
    });
    (started.count() > 0).then_some(queue)
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A signer that panics must not take the thread with it. Its caller sees that no answer came.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}
