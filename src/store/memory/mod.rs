//! The reference implementation: everything in memory, gone with the process.
//!
//! What a method of a store means is easiest to read here.

mod accounts;
mod api_keys;
mod audit_trail;
mod directory;
mod ends;
mod grants;
mod keys;
mod lock;
mod rate_limit;
mod registry;

use std::fmt;
use std::sync::RwLock;

use accounts::Accounts;
use api_keys::ApiKeys;
use audit_trail::Audit;
use directory::DirectoryRecords;
use grants::Grants;
use keys::Keys;
use rate_limit::Rates;
use registry::Registry;

/// Keeps everything in memory. Share one store as `Arc<MemoryStore>`: all its handles see the same things.
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
    audit: RwLock<Audit>,
    registry: RwLock<Registry>,
    grants: RwLock<Grants>,
    keys: RwLock<Keys>,
    rates: RwLock<Rates>,
    directory: RwLock<DirectoryRecords>,
}

impl MemoryStore {
    /// A store that holds what every store holds from the start, and nothing else.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Nothing of what is kept, for it is about people.
impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
