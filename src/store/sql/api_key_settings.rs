//! Settings of API keys: the columns that an owner or an administrator can change.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, LockType, Order, Query};

use super::api_keys::{api_keys_by_id, find, has_id, keys, listed};
use super::executor::{Executor, execute, fetch_all};
use super::management_lock::lock_management;
use super::row::Row;
use super::tables::ApiKeys;
use crate::domain::{ApiKey, ApiKeyId, ApiKeySettings, HiddenFields, PageRequest};
use crate::store::{ApiKeyUpdate, Paged, StorageError};

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

/// Reads few columns of the keys that anything was requested for, which are some hundreds in a
/// school: columns with sets of fields are texts, which databases do not intersect.
pub(super) async fn api_keys_with_requests(
    tx: &mut dyn Executor,
    page: PageRequest,
) -> Result<Paged<Arc<ApiKey>>, StorageError> {
    let asking = Query::select()
        .columns([ApiKeys::Id, ApiKeys::HiddenFields, ApiKeys::RequestedFields])
        .from(ApiKeys::Table)
        .cond_where(listed(None).add(Expr::col(ApiKeys::RequestedFields).ne("")))
        .order_by(ApiKeys::CreatedAt, Order::Asc)
        .order_by(ApiKeys::Id, Order::Asc)
        .take();
    let mut ids = Vec::new();
    for mut row in fetch_all(tx, &asking).await? {
        let id = row.parsed("api_keys.id")?;
        let hidden = fields(&mut row, "api_keys.hidden_fields")?;
        let requested = fields(&mut row, "api_keys.requested_fields")?;
        if !requested.intersection(hidden).is_empty() {
            ids.push(id);
        }
    }
    let total = ids.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let ids = ids.into_iter().skip(before).take(page.size() as usize);
    Ok(Paged {
        total,
        items: api_keys_by_id(tx, ids.collect()).await?,
    })
}

/// Reads a column with a set of fields.
pub(super) fn fields(row: &mut Row, column: &'static str) -> Result<HiddenFields, StorageError> {
    HiddenFields::parse(&row.text(column)?).map_err(|_| StorageError::corrupt(column))
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
