//! Reference implementation in memory. Data is lost when the process ends.
//!
//! Read it first to learn the meaning of a store's method.

mod accounts;
mod api_keys;
mod audit;
mod calendar_feeds;
mod client_registry;
mod directory;
mod grants;
mod lock;
mod rate_limit;
mod school_history;
mod signing_keys;
mod sync_runs;
mod time_index;

use std::fmt;
use std::sync::RwLock;

use accounts::Accounts;
use api_keys::ApiKeys;
use audit::AuditRecords;
use client_registry::Registry;
use directory::DirectoryRecords;
use grants::Grants;
use rate_limit::RateLimits;
use school_history::SchoolHistory;
use signing_keys::SigningKeys;
use sync_runs::SyncRecords;

/// Keeps all data in memory. Share one store as `Arc<MemoryStore>`: all handles see the same data.
///
/// ```
/// use lyceum::domain::ApplicationId;
/// use lyceum::store::{ClientRegistry, memory::MemoryStore};
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let store = MemoryStore::new();
/// assert!(store.application(ApplicationId::Service).await?.is_some());
/// # Ok::<_, lyceum::store::StorageError>(()) }).unwrap();
/// ```
#[derive(Default)]
pub struct MemoryStore {
    accounts: RwLock<Accounts>,
    api_keys: RwLock<ApiKeys>,
    audit: RwLock<AuditRecords>,
    registry: RwLock<Registry>,
    grants: RwLock<Grants>,
    signing_keys: RwLock<SigningKeys>,
    rate_limits: RwLock<RateLimits>,
    directory: RwLock<DirectoryRecords>,
    syncs: RwLock<SyncRecords>,
    school_history: RwLock<SchoolHistory>,
}

impl MemoryStore {
    /// Creates a store that contains only the built-in application and scopes.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Omits the data, which is personal.
impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
