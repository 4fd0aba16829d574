//! Times of last use of client secrets.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use super::AuthServer;
use super::server::Server;
use crate::domain::ClientSecretUse;
use crate::oauth::AuthenticatedClient;
use crate::store::StorageError;

impl Server {
    /// Records the secret with which a client has authenticated, if it used one and the host's
    /// clients are managed here.
    pub(super) fn record_secret_use(&self, client: &AuthenticatedClient<'_>) {
        if let (Some(usage), Some(secret)) = (&self.management().secret_usage, client.secret()) {
            let now = self.now();
            let used = ClientSecretUse {
                client: client.client().id,
                secret,
                last_used_at: now,
            };
            usage.record(used, now);
        }
    }
}

impl AuthServer {
    /// Returns the service's background task, for the host to spawn. It writes when client secrets
    /// were last used, in batches, within a minute. `pause` sleeps for the given time, like
    /// `tokio::time::sleep`. The future never completes: drop it to stop it, and then call
    /// [`flush`](Self::flush).
    ///
    /// Without it, each authentication of a client polls the pending write once and does not wait
    /// for it, as [`DataApi::run`](crate::DataApi::run) says of keys.
    pub fn run<P: Future<Output = ()> + Send + 'static>(
        &self,
        pause: impl FnMut(Duration) -> P + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let usage = self.shared.management.secret_usage.clone();
        let clock = Arc::clone(&self.shared.management.clock);
        async move {
            match usage {
                Some(usage) => usage.run(clock, pause).await,
                None => pending().await,
            }
        }
    }

    /// Writes all uses of client secrets that are not yet stored; call it when the service stops.
    /// Without it, those since the last batch are lost, and a crash loses them too.
    ///
    /// # Errors
    /// When the store could not write.
    pub async fn flush(&self) -> Result<(), StorageError> {
        self.shared.management.flush_secret_usage().await
    }
}
