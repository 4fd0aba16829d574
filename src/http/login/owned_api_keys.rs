use crate::domain::{SubjectId, Timestamp};
use crate::store::{ApiKeyStore, StorageError};

/// Maximum attempts at a revocation.
const MAX_TRIES: usize = 3;

/// Revokes a user's API keys after the account was removed or its password changed, if the keys are
/// in another store than the accounts. A store that holds both has revoked them in the same
/// transaction.
///
/// # Errors
/// When the store of the keys failed at every attempt. The keys are then still valid.
pub(in crate::http) async fn revoke_owned_api_keys(
    store: Option<&dyn ApiKeyStore>,
    owner: &SubjectId,
    at: Timestamp,
) -> Result<(), StorageError> {
    let Some(store) = store else { return Ok(()) };
    let mut tried = 1;
    loop {
        match store.revoke_api_keys_of(owner, at).await {
            Ok(_) => return Ok(()),
            Err(error) if tried < MAX_TRIES => {
                tracing::warn!(target: "lyceum::auth", %error, "the API keys of a user could not be revoked; trying again");
                tried += 1;
            }
            Err(error) => {
                let owner = owner.as_str();
                tracing::error!(
                    target: "lyceum::auth",
                    owner,
                    "the API keys of a user who lost access still work: call `Accounts::remove` again if the account was removed, or \
                     `ApiKeyStore::revoke_api_keys_of`"
                );
                return Err(error);
            }
        }
    }
}
