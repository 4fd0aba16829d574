//! Fields that are hidden in a key whose owner has lost a role.

use std::sync::Arc;

use super::{ApiKeyStore, ApiKeyUpdate, StorageError};
use crate::domain::{ApiKey, ApiKeySettings, HiddenFields};

/// Maximum attempts to change a key that others change.
const MAX_TRIES: usize = 10;

/// Hides fields in a key. Returns whether it has changed.
pub(super) async fn hide_fields<S: ApiKeyStore + ?Sized>(
    store: &S,
    key: &Arc<ApiKey>,
    fields: HiddenFields,
) -> Result<bool, StorageError> {
    let mut key = Arc::clone(key);
    for _ in 0..MAX_TRIES {
        let old = key.settings();
        if fields.is_subset(old.hidden) {
            return Ok(false);
        }
        let new = ApiKeySettings {
            hidden: old.hidden.union(fields),
            ..old.clone()
        };
        match store.update_api_key(key.id, &old, new).await? {
            ApiKeyUpdate::Updated => return Ok(true),
            ApiKeyUpdate::Revoked | ApiKeyUpdate::NotFound => return Ok(false),
            ApiKeyUpdate::Conflict => match store.api_key_by_id(key.id).await? {
                Some(changed) => key = changed,
                None => return Ok(false),
            },
        }
    }
    Err(StorageError::unavailable(
        "the fields of an API key could not be hidden",
        "others change the key all the time",
    ))
}
