use std::fmt::Debug;

use async_trait::async_trait;

use crate::domain::SubjectId;
use crate::store::StorageError;

/// Checks whether the owner of an API key is still a user, for hosts with their own users:
/// [`DataApiBuilder::key_owner_check`](crate::http::data_api::DataApiBuilder::key_owner_check).
///
/// [`Accounts`](crate::http::auth_server::Accounts) implements it, for hosts with the built-in
/// accounts and the API keys in different stores.
///
/// ```
/// use std::collections::HashSet;
///
/// use lyceum::domain::SubjectId;
/// use lyceum::http::data_api::KeyOwnerCheck;
/// use lyceum::store::StorageError;
///
/// /// The ids of everyone at the school, as its own directory has them.
/// #[derive(Debug)]
/// struct Directory(HashSet<String>);
///
/// #[async_trait::async_trait]
/// impl KeyOwnerCheck for Directory {
///     async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError> {
///         Ok(self.0.contains(owner.as_str()))
///     }
/// }
/// ```
#[async_trait]
pub trait KeyOwnerCheck: Debug + Send + Sync + 'static {
    /// Whether this is the id of a user. A request waits for the result, so implementations need a
    /// timeout: a call that hangs is abandoned only when another request of the same owner arrives
    /// after five seconds.
    ///
    /// # Errors
    /// When the users could not be queried.
    async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError>;
}
