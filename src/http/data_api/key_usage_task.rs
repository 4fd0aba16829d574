use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::DataApi;
use crate::store::StorageError;

impl DataApi {
    /// Returns the service's background task, for the host to spawn. It writes the calls of keys and
    /// when they were last used, in batches, within a minute. `pause` sleeps for the given time,
    /// like `tokio::time::sleep`. The future never completes: drop it to stop it, and then call
    /// [`flush`](Self::flush).
    ///
    /// A page of the console that shows when a key was last used starts the write earlier, and waits
    /// for it at most a second.
    ///
    /// Without the task, pages do not wait, and each request polls the pending write once. That is
    /// enough for a service that is seldom idle, but the last calls stay unwritten, and a pending
    /// write holds a store connection, until the next request.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use lyceum::DataApi;
    /// # use lyceum::directory::Directory;
    /// # use lyceum::store::memory::MemoryStore;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let store = Arc::new(MemoryStore::new());
    /// let api = DataApi::builder(Directory::open(store.clone()).await?, store).build()?;
    /// let background = tokio::spawn(api.run(tokio::time::sleep));
    /// // Serve `api` until the server stops, and then:
    /// background.abort();
    /// api.flush().await?;
    /// # Ok(()) }
    /// ```
    pub fn run<P: Future<Output = ()> + Send + 'static>(
        &self,
        pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        Arc::clone(&self.0.key_usage).run(self.0.settings.clock(), pause)
    }

    /// Writes all key usage that is not yet stored; call it when the service stops. Without it, the
    /// usage since the last batch (at most a minute of requests) is lost.
    ///
    /// # Errors
    /// When the store could not write.
    pub async fn flush(&self) -> Result<(), StorageError> {
        self.0.key_usage.flush(self.0.settings.now()).await
    }
}
