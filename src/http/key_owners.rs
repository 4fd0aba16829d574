use std::fmt::Debug;

use async_trait::async_trait;

use crate::domain::SubjectId;
use crate::store::StorageError;

/// Tells whether the owner of an API key is still a user, for hosts with users of their own:
/// [`DataApiBuilder::key_owners`](crate::http::data_api::DataApiBuilder::key_owners).
///
/// [`Accounts`](crate::http::auth_server::Accounts) is one, for hosts that keep the built-in accounts and the API keys in different stores.
///
/// ```
/// use std::collections::HashSet;
///
/// use lyceum::domain::SubjectId;
/// use lyceum::http::data_api::KeyOwners;
/// use lyceum::store::StorageError;
///
/// /// The ids of everyone at the school, as its own directory has them.
/// #[derive(Debug)]
/// struct Directory(HashSet<String>);
///
/// #[async_trait::async_trait]
/// impl KeyOwners for Directory {
///     async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError> {
///         Ok(self.0.contains(owner.as_str()))
///     }
/// }
/// ```
#[async_trait]
pub trait KeyOwners: Debug + Send + Sync + 'static {
    /// Whether this is the id of a user. It is asked while a request waits, so it needs a timeout of its own: a call that hangs is only abandoned
    /// when another request of the same owner comes after five seconds.
    ///
    /// # Errors
    /// When whatever keeps the users could not answer.
    async fn is_user(&self, owner: &SubjectId) -> Result<bool, StorageError>;
}
