//! The traits that the example leaves to the memory store.

use lyceum::domain::*;
use lyceum::store::memory::MemoryStore;
use lyceum::store::*;

use crate::key_store::TableKeyStore;

impl TableKeyStore {
    async fn delegate(&self, _: &str) -> Result<&MemoryStore, StorageError> {
        Ok(&self.database.rest)
    }
}

delegate!(DirectoryStore for TableKeyStore);
delegate!(AccountStore for TableKeyStore);
delegate!(ApiKeyStore for TableKeyStore);
delegate!(ClientLookup for TableKeyStore);
delegate!(ClientRegistry for TableKeyStore);
delegate!(GrantStore for TableKeyStore);
delegate!(ConsentStore for TableKeyStore);
delegate!(UserSessionStore for TableKeyStore);
delegate!(AuditStore for TableKeyStore);
delegate!(RateLimiter for TableKeyStore);
