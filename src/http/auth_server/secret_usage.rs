//! Times of last use of client secrets.

use std::future::{Future, pending};

use super::AuthServer;
use super::server::Server;
use crate::domain::{ClientId, ClientSecretUse};
use crate::http::usage_recorder::{Usage, UsageRecorder};
use crate::oauth::AuthenticatedClient;
use crate::store::{ClientRegistry, StorageError};

/// Collects the uses of client secrets that are not yet written.
pub(super) type SecretUsageRecorder = UsageRecorder<ClientSecretUse>;

impl Usage for ClientSecretUse {
    type Key = (ClientId, [u8; 32]);
    type Store = dyn ClientRegistry;

    const NOT_WRITTEN: &'static str = "the last uses of client secrets could not be written";

    fn key(&self) -> Self::Key {
        (self.client, *self.secret.as_bytes())
    }

    fn add(&mut self, other: &Self) {
        self.last_used_at = self.last_used_at.max(other.last_used_at);
    }

    async fn write(store: &Self::Store, uses: Vec<Self>) -> Result<(), StorageError> {
        store.record_client_secret_usage(uses).await
    }

    fn warn(error: &StorageError) {
        tracing::warn!(target: "lyceum::auth", %error, "the last use of client secrets could not be written");
    }
}

impl Server {
    /// Records the secret with which a client has authenticated, if it used one and the host's
    /// clients are managed here.
    pub(super) fn record_secret_use(&self, client: &AuthenticatedClient<'_>) {
        if let (Some(usage), Some(secret)) = (&self.shared.secret_usage, client.secret()) {
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
    /// were last used, in batches, about once a minute while clients authenticate. The future never
    /// completes: drop it to stop it, and then call [`flush`](Self::flush).
    ///
    /// Without it, each authentication of a client polls the pending write once and does not wait
    /// for it, as [`DataApi::run`](crate::DataApi::run) says of keys.
    pub fn run(&self) -> impl Future<Output = ()> + Send + use<> {
        let usage = self.shared.secret_usage.clone();
        async {
            match usage {
                Some(usage) => usage.run().await,
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
        match &self.shared.secret_usage {
            Some(usage) => usage.flush(self.shared.management.clock.now()).await,
            None => Ok(()),
        }
    }
}
