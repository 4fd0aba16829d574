//! The API keys of the data API.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait, Func, Query};

use super::executor::{Executor, change, first};
use super::insert::insert_new;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::ApiKeys;
use crate::domain::{ApiKey, ApiKeyDigest, ApiKeyId, ApiScopes, Timestamp};
use crate::store::sweep::API_KEY_KEPT;
use crate::store::{Creation, StorageError};

pub(super) async fn create_api_key(tx: &mut dyn Executor, key: ApiKey) -> Result<Creation, StorageError> {
    let created_at = key.created_at;
    let key = insert_new(
        ApiKeys::Table,
        [
            (ApiKeys::Id, key.id.to_string().into()),
            (ApiKeys::Digest, key.digest.as_bytes().to_vec().into()),
            (ApiKeys::Hint, key.hint.into()),
            (ApiKeys::Owner, key.owner.map(|owner| owner.to_string()).into()),
            (ApiKeys::Description, key.description.as_str().into()),
            (ApiKeys::Scopes, key.scopes.to_string().into()),
            (ApiKeys::CreatedAt, key.created_at.seconds().into()),
            (ApiKeys::ExpiresAt, key.expires_at.seconds().into()),
            (ApiKeys::RevokedAt, key.revoked_at.map(Timestamp::seconds).into()),
        ],
    );
    if change(tx, &key).await? == 0 {
        return Ok(Creation::Taken);
    }
    sweep_dead(tx, created_at).await?;
    Ok(Creation::Created)
}

async fn sweep_dead(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    sweep(tx, &SHAPE, (ApiKeys::Table, ApiKeys::Id), at.minus(API_KEY_KEPT).seconds(), dead).await.map(drop)
}

/// Revoked or expired. There is an index on this expression.
pub(super) fn dead() -> Ended {
    Ended::by(Func::coalesce([ApiKeys::RevokedAt, ApiKeys::ExpiresAt].map(Expr::col)).into())
}

pub(super) async fn api_key(tx: &mut dyn Executor, digest: ApiKeyDigest) -> Result<Option<Arc<ApiKey>>, StorageError> {
    let key = Query::select()
        .columns([
            ApiKeys::Id,
            ApiKeys::Digest,
            ApiKeys::Hint,
            ApiKeys::Owner,
            ApiKeys::Description,
            ApiKeys::Scopes,
            ApiKeys::CreatedAt,
            ApiKeys::ExpiresAt,
            ApiKeys::RevokedAt,
        ])
        .from(ApiKeys::Table)
        .and_where(Expr::col(ApiKeys::Digest).eq(digest.as_bytes().to_vec()))
        .take();
    first(tx, &key).await?.map(|row| read(row).map(Arc::new)).transpose()
}

pub(super) async fn revoke_api_key(tx: &mut dyn Executor, id: ApiKeyId, at: Timestamp) -> Result<bool, StorageError> {
    let first = Func::coalesce([Expr::col(ApiKeys::RevokedAt), Expr::value(at.seconds())]);
    let revoked =
        Query::update().table(ApiKeys::Table).value(ApiKeys::RevokedAt, first).and_where(Expr::col(ApiKeys::Id).eq(id.to_string())).take();
    Ok(change(tx, &revoked).await? > 0)
}

fn read(mut row: Row) -> Result<ApiKey, StorageError> {
    Ok(ApiKey {
        id: row.parsed("api_keys.id")?,
        digest: ApiKeyDigest::from_bytes(row.digest("api_keys.digest")?),
        hint: row.text("api_keys.hint")?,
        owner: row.optional(|row| row.parsed("api_keys.owner"))?,
        description: row.parsed("api_keys.description")?,
        scopes: ApiScopes::parse(&row.text("api_keys.scopes")?).map_err(|_| StorageError::corrupt("api_keys.scopes"))?,
        created_at: row.time("api_keys.created_at")?,
        expires_at: row.time("api_keys.expires_at")?,
        revoked_at: row.optional(|row| row.time("api_keys.revoked_at"))?,
    })
}
