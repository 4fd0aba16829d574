//! Usage of API keys: counts of calls and errors by day, and times of last use.

use crate::domain::{ApiKeyDailyUsage, ApiKeyId, Date};
use crate::http::usage_recorder::{Usage, UsageRecorder};
use crate::store::{ApiKeyStore, StorageError};

/// Collects the usage of keys that is not yet written.
pub(super) type KeyUsageRecorder = UsageRecorder<ApiKeyDailyUsage>;

impl Usage for ApiKeyDailyUsage {
    type Key = (ApiKeyId, Date);
    type Store = dyn ApiKeyStore;

    const NOT_WRITTEN: &'static str = "the last uses of API keys could not be written";

    fn key(&self) -> Self::Key {
        (self.key, self.day)
    }

    fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.errors = self.errors.saturating_add(other.errors);
        self.last_used_at = self.last_used_at.max(other.last_used_at);
    }

    async fn write(store: &Self::Store, uses: Vec<Self>) -> Result<(), StorageError> {
        store.record_api_key_usage(uses).await
    }

    fn warn(error: &StorageError) {
        tracing::warn!(target: "lyceum::data", %error, "the last use of API keys could not be written");
    }
}
