//! Fields that are hidden in keys which show more than their owners may show themselves.

use std::sync::Arc;

use super::{ApiKeyStore, ApiKeyUpdate, StorageError};
use crate::domain::{ApiKey, ApiKeySettings, HiddenFields};

/// Maximum attempts to change a key that others change.
const MAX_TRIES: usize = 10;

/// Hides fields in a key: those that `fields` returns for its current settings. Returns whether the
/// key has changed.
pub(crate) async fn hide_fields<S: ApiKeyStore + ?Sized>(
    store: &S,
    key: &Arc<ApiKey>,
    fields: impl Fn(&ApiKeySettings) -> HiddenFields,
) -> Result<bool, StorageError> {
    let mut key = Arc::clone(key);
    for _ in 0..MAX_TRIES {
        let old = key.settings();
        let fields = fields(&old);
        if fields.is_subset(old.hidden) {
            return Ok(false);
        }
        let new = old.clone().with_hidden_fields(fields);
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
