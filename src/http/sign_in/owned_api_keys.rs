use crate::domain::{SubjectId, Timestamp};
use crate::store::{ApiKeyStore, StorageError};

/// How often a revocation is tried.
const TRIES: usize = 3;

/// Revokes a user's API keys after the user's account was removed or the password changed, for keys that are in another store than accounts:
/// a store that holds both has done it in the same transition, and nothing is left to do here.
///
/// # Errors
/// When the store of the keys did not answer, however often it was asked. The keys still work then.
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
            Err(error) if tried < TRIES => {
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
