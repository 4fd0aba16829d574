use std::future::Future;
use std::sync::Arc;

use super::DataApi;
use crate::store::StorageError;

impl DataApi {
    /// The work that this service does behind its requests, for the host to spawn: it writes when keys were last used, many keys a statement, about
    /// once a minute while there are requests. It never ends; stop it by dropping it, and then call [`flush`](Self::flush).
    ///
    /// Where nobody runs it, each request takes a step of that work without waiting for it. That is enough for a service that is seldom idle, but a
    /// write that no request takes further keeps a connection of the store until one comes.
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
    /// let background = tokio::spawn(api.run());
    /// // Serve `api` until the server stops, and then:
    /// background.abort();
    /// api.flush().await?;
    /// # Ok(()) }
    /// ```
    pub fn run(&self) -> impl Future<Output = ()> + Send + use<> {
        Arc::clone(&self.0.last_uses).run()
    }

    /// Writes what is not written of the use of keys, when the service stops. Without it the uses since the last batch, at most a minute of them while
    /// there are requests, are forgotten.
    ///
    /// # Errors
    /// When the store could not write.
    pub async fn flush(&self) -> Result<(), StorageError> {
        self.0.last_uses.flush(self.0.settings.now()).await
    }
}
