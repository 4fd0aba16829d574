//! Settings of API keys: the columns that an owner or an administrator can change.

use sea_query::{Expr, LockType, Query};

use super::api_keys::{find, has_id, keys};
use super::executor::{Executor, execute};
use super::management_lock::lock_management;
use super::tables::ApiKeys;
use crate::domain::{ApiKeyId, ApiKeySettings};
use crate::store::{ApiKeyUpdate, StorageError};

/// The columns of the settings, with their values.
pub(super) fn columns(settings: &ApiKeySettings) -> [(ApiKeys, Expr); 7] {
    let quota = settings.quota;
    [
        (ApiKeys::Description, settings.description.as_str().into()),
        (ApiKeys::Scopes, settings.scopes.to_string().into()),
        (ApiKeys::HiddenFields, settings.hidden.to_string().into()),
        (
            ApiKeys::RequestedFields,
            settings.requested.to_string().into(),
        ),
        (
            ApiKeys::QuotaLimit,
            quota.map(|quota| i64::from(quota.limit())).into(),
        ),
        (
            ApiKeys::QuotaWindowSeconds,
            quota
                .map(|quota| quota.window().as_secs().cast_signed())
                .into(),
        ),
        (
            ApiKeys::QuotaBurst,
            quota.map(|quota| i64::from(quota.burst())).into(),
        ),
    ]
}

/// The lock on the row makes concurrent changes wait for each other.
pub(super) async fn update_api_key(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    expected: ApiKeySettings,
    new: ApiKeySettings,
) -> Result<ApiKeyUpdate, StorageError> {
    lock_management(tx).await?;
    let locked = keys(has_id(id))
        .lock_with_tables(LockType::Update, [ApiKeys::Table])
        .take();
    let Some(key) = find(tx, &locked).await? else {
        return Ok(ApiKeyUpdate::NotFound);
    };
    if key.revoked_at.is_some() {
        return Ok(ApiKeyUpdate::Revoked);
    }
    if key.settings() != expected {
        return Ok(ApiKeyUpdate::Conflict);
    }
    let update = Query::update()
        .table(ApiKeys::Table)
        .values(columns(&new))
        .and_where(has_id(id))
        .take();
    execute(tx, &update).await?;
    Ok(ApiKeyUpdate::Updated)
}
