use async_trait::async_trait;

use super::{Accounts, Authenticator};
use crate::domain::SubjectId;
use crate::http::key_owner_check::KeyOwnerCheck;
use crate::store::StorageError;

/// Checks the owners of API keys in another store. Keys of the service itself have no user who
/// could be removed.
#[async_trait]
impl KeyOwnerCheck for Accounts {
    async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError> {
        Ok(*owner == SubjectId::service() || self.subject(owner).await?.is_some())
    }
}
