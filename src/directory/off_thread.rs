use std::thread;

use futures_channel::oneshot;

use crate::store::StorageError;

/// Does `work` on a thread of its own, so that no async worker is held up.
///
/// # Errors
/// When no thread could be started, or the work panicked.
pub(super) async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StorageError> {
    let (done, outcome) = oneshot::channel();
    let run = move || {
        // A caller that is gone wants no outcome.
        let _ = done.send(work());
    };
    thread::Builder::new()
        .name("lyceum-directory".to_owned())
        .spawn(run)
        .map_err(|error| StorageError::unavailable("no thread could be started", error))?;
    outcome.await.map_err(|error| StorageError::failed("the directory's thread panicked", error))
}
