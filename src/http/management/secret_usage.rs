//! Times of last use of client secrets.

use super::Management;
use crate::domain::{ClientId, ClientSecretUse};
use crate::http::usage_recorder::{Usage, UsageRecorder};
use crate::store::{ClientRegistry, StorageError};

/// Collects the uses of client secrets that are not yet written.
pub(crate) type SecretUsageRecorder = UsageRecorder<ClientSecretUse>;

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

impl Management {
    /// Writes all uses of client secrets that are not yet stored.
    ///
    /// # Errors
    /// When the store could not write.
    pub(crate) async fn flush_secret_usage(&self) -> Result<(), StorageError> {
        match &self.secret_usage {
            Some(usage) => usage.flush(self.clock.now()).await,
            None => Ok(()),
        }
    }

    /// Writes the uses of client secrets that this process has not written yet, so that what a page
    /// reads next includes them. A write that fails is logged and repeated later, and one that is
    /// late goes on; the page then shows what is stored.
    #[cfg(feature = "console")]
    pub(crate) async fn write_secret_usage_for_page(&self) {
        if let Some(usage) = &self.secret_usage {
            usage.flush_for_page(self.clock.now()).await;
        }
    }
}
