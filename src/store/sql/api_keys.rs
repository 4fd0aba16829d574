//! API keys of the data API.

use std::sync::Arc;
use std::time::Duration;

use sea_query::{Condition, Expr, ExprTrait, Func, LockType, Order, Query, SelectStatement};

use super::api_key_settings;
use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::{insert, insert_or_ignore};
use super::management_lock::lock_management;
use super::page_query::{PageQuery, count, sort_by_ids};
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep_composite};
use super::row::Row;
use super::row_locks::lock_rows;
use super::suspensions;
use super::tables::{ApiKeyPreviousValues, ApiKeys};
use crate::domain::{
    ApiKey, ApiKeyDigest, ApiKeyId, ApiKeyRenewal, ApiScopes, PageRequest, PreviousValue, Quota,
    SortDirection, SubjectId, Timestamp,
};
use crate::store::retention::{API_KEY_RETENTION, CLOCK_SKEW};
use crate::store::{Creation, LimitedCreation, Paged, Renewal, StorageError};

pub(super) async fn create_api_key(
    tx: &mut dyn Executor,
    key: ApiKey,
) -> Result<Creation, StorageError> {
    lock_management(tx).await?;
    create(tx, key).await
}

/// Issuers hold the management lock, so the count cannot change before the insert.
pub(super) async fn issue_api_key(
    tx: &mut dyn Executor,
    key: ApiKey,
    limit: u32,
) -> Result<LimitedCreation, StorageError> {
    lock_management(tx).await?;
    if let Some(owner) = &key.owner
        && count(
            tx,
            (ApiKeys::Table, ApiKeys::Id),
            counted(owner, key.created_at),
        )
        .await?
            >= u64::from(limit)
    {
        return Ok(LimitedCreation::LimitReached);
    }
    Ok(match create(tx, key).await? {
        Creation::Created => LimitedCreation::Created,
        Creation::AlreadyExists => LimitedCreation::AlreadyExists,
    })
}

/// The caller must hold [`lock_management`]: digests of current and of previous values are in two
/// tables, and no unique index spans both.
async fn create(tx: &mut dyn Executor, key: ApiKey) -> Result<Creation, StorageError> {
    for digest in key.digests() {
        if is_known(tx, digest).await? {
            return Ok(Creation::AlreadyExists);
        }
    }
    let (id, created_at) = (key.id, key.created_at);
    let settings = api_key_settings::columns(&key.settings());
    let previous = key.previous;
    let key = insert_or_ignore(
        ApiKeys::Table,
        [
            (ApiKeys::Id, key.id.to_string().into()),
            (ApiKeys::Digest, key.digest.as_bytes().to_vec().into()),
            (ApiKeys::Hint, key.hint.into()),
            (
                ApiKeys::Owner,
                key.owner.map(|owner| owner.as_str().to_owned()).into(),
            ),
            (ApiKeys::CreatedAt, key.created_at.seconds().into()),
            (ApiKeys::ExpiresAt, key.expires_at.seconds().into()),
            (
                ApiKeys::RevokedAt,
                key.revoked_at.map(Timestamp::seconds).into(),
            ),
            (
                ApiKeys::LastUsedAt,
                key.last_used_at.map(Timestamp::seconds).into(),
            ),
        ]
        .into_iter()
        .chain(settings),
    );
    if execute(tx, &key).await? == 0 {
        return Ok(Creation::AlreadyExists);
    }
    insert_previous(tx, id, previous).await?;
    sweep_expired(tx, created_at).await?;
    Ok(Creation::Created)
}

async fn insert_previous(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    values: Vec<PreviousValue>,
) -> Result<(), StorageError> {
    for (position, value) in (0_i64..).zip(values) {
        let row = [
            (ApiKeyPreviousValues::KeyId, id.to_string().into()),
            (ApiKeyPreviousValues::Position, position.into()),
            (
                ApiKeyPreviousValues::Digest,
                value.digest.as_bytes().to_vec().into(),
            ),
            (ApiKeyPreviousValues::Hint, value.hint.into()),
            (
                ApiKeyPreviousValues::WorksUntil,
                value.works_until.seconds().into(),
            ),
        ];
        execute(tx, &insert(ApiKeyPreviousValues::Table, row)).await?;
    }
    Ok(())
}

/// Replaces the stored previous values of a key, which are few.
async fn replace_previous(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    values: Vec<PreviousValue>,
) -> Result<(), StorageError> {
    let its = Expr::col(ApiKeyPreviousValues::KeyId).eq(id.to_string());
    execute(
        tx,
        &Query::delete()
            .from_table(ApiKeyPreviousValues::Table)
            .and_where(its)
            .take(),
    )
    .await?;
    insert_previous(tx, id, values).await
}

async fn sweep_expired(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let (until, latest) = (
        at.minus(API_KEY_RETENTION).seconds(),
        at.minus(CLOCK_SKEW).seconds(),
    );
    sweep_composite(
        tx,
        &QUERY,
        (ApiKeys::Table, [ApiKeys::Id]),
        (until, latest),
        expiry,
    )
    .await
}

/// A key ends when it is revoked or expires. There is an index on this expression.
pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(
        Func::coalesce([ApiKeys::RevokedAt, ApiKeys::ExpiresAt].map(Expr::col)).into(),
        until,
    )
}

pub(super) async fn api_key(
    tx: &mut dyn Executor,
    digest: ApiKeyDigest,
) -> Result<Option<Arc<ApiKey>>, StorageError> {
    find(tx, &keys(has_value(digest))).await
}

pub(super) async fn api_key_by_id(
    tx: &mut dyn Executor,
    id: ApiKeyId,
) -> Result<Option<Arc<ApiKey>>, StorageError> {
    find(tx, &keys(has_id(id))).await
}

pub(super) async fn api_keys(
    tx: &mut dyn Executor,
    owner: Option<SubjectId>,
    page: PageRequest,
) -> Result<Paged<Arc<ApiKey>>, StorageError> {
    let page_query = PageQuery {
        table: ApiKeys::Table,
        columns: vec![ApiKeys::Id],
        condition: listed(owner.as_ref()),
        sort: ApiKeys::CreatedAt,
        sort_is_nullable: false,
        id: ApiKeys::Id,
        direction: SortDirection::Ascending,
        page,
    };
    let (total, rows) = page_query.load(tx).await?;
    let ids: Vec<ApiKeyId> = rows
        .into_iter()
        .map(|mut row| row.parsed("api_keys.id"))
        .collect::<Result<_, _>>()?;
    Ok(Paged {
        total,
        items: api_keys_by_id(tx, ids).await?,
    })
}

/// The keys with these ids, in the order of the ids.
pub(super) async fn api_keys_by_id(
    tx: &mut dyn Executor,
    ids: Vec<ApiKeyId>,
) -> Result<Vec<Arc<ApiKey>>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let condition = Expr::col((ApiKeys::Table, ApiKeys::Id))
        .is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    let found = read_all(tx, &keys(condition)).await?;
    let found = found.into_iter().map(Arc::new).collect();
    Ok(sort_by_ids(&ids, found, |key: &Arc<ApiKey>| key.id))
}

/// The keys of an owner that [count toward the limit](ApiKey::counts_toward_limit).
fn counted(owner: &SubjectId, at: Timestamp) -> Condition {
    let lately = at.minus(ApiKey::COUNTED_AFTER_REVOCATION).seconds();
    let counts = Condition::any()
        .add(Expr::col(ApiKeys::RevokedAt).is_null())
        .add(Expr::col(ApiKeys::RevokedAt).gt(lately));
    Condition::all()
        .add(Expr::col(ApiKeys::Owner).eq(owner.as_str()))
        .add(counts)
}

/// The keys of an owner, or all, that are not revoked.
pub(super) fn listed(owner: Option<&SubjectId>) -> Condition {
    Condition::all()
        .add_option(owner.map(|owner| Expr::col(ApiKeys::Owner).eq(owner.as_str())))
        .add(Expr::col(ApiKeys::RevokedAt).is_null())
}

pub(super) async fn renew_api_key(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    renewal: ApiKeyRenewal,
    at: Timestamp,
) -> Result<Renewal, StorageError> {
    lock_management(tx).await?;
    let locked = keys(has_id(id))
        .lock_with_tables(LockType::Update, [ApiKeys::Table])
        .take();
    let Some(key) = find(tx, &locked).await? else {
        return Ok(Renewal::NotFound);
    };
    if key.revoked_at.is_some() {
        return Ok(Renewal::Revoked);
    }
    if is_known(tx, renewal.digest).await? {
        return Ok(Renewal::AlreadyExists);
    }
    let Some(renewed) = key.renewed(renewal, at) else {
        return Ok(Renewal::TooManyValues);
    };
    let new_value = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::Digest, renewed.digest.as_bytes().to_vec())
        .value(ApiKeys::Hint, renewed.hint.as_str())
        .value(ApiKeys::ExpiresAt, renewed.expires_at.seconds())
        .value(ApiKeys::SuspendedAt, None::<i64>)
        .and_where(has_id(id))
        .take();
    execute(tx, &new_value).await?;
    replace_previous(tx, id, renewed.previous.clone()).await?;
    Ok(Renewal::Renewed(Arc::new(renewed)))
}

pub(super) async fn revoke_api_key(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    at: Timestamp,
) -> Result<bool, StorageError> {
    let first = Func::coalesce([Expr::col(ApiKeys::RevokedAt), Expr::value(at.seconds())]);
    let revoked = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::RevokedAt, first)
        .and_where(has_id(id))
        .take();
    Ok(execute(tx, &revoked).await? > 0)
}

pub(super) async fn revoke_api_keys_of(
    tx: &mut dyn Executor,
    owner: &SubjectId,
    at: Timestamp,
) -> Result<usize, StorageError> {
    lock_rows(tx, ApiKeys::Table, ApiKeys::Id, listed(Some(owner))).await?;
    let revoked = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::RevokedAt, at.seconds())
        .cond_where(listed(Some(owner)))
        .take();
    Ok(usize::try_from(execute(tx, &revoked).await?).unwrap_or(usize::MAX))
}

pub(super) async fn claim_expiry_notice(
    tx: &mut dyn Executor,
    id: ApiKeyId,
    expires_at: Timestamp,
) -> Result<bool, StorageError> {
    let claimed = Expr::col(ApiKeys::ExpiryTold);
    let claim = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::ExpiryTold, expires_at.seconds())
        .and_where(has_id(id))
        .and_where(Expr::col(ApiKeys::RevokedAt).is_null())
        .and_where(Expr::col(ApiKeys::ExpiresAt).eq(expires_at.seconds()))
        .and_where(
            claimed
                .clone()
                .is_null()
                .or(claimed.ne(expires_at.seconds())),
        )
        .take();
    Ok(execute(tx, &claim).await? > 0)
}

pub(super) fn has_id(id: ApiKeyId) -> Expr {
    Expr::col((ApiKeys::Table, ApiKeys::Id)).eq(id.to_string())
}

/// Whether this is the digest of a value of the key, current or previous. Databases use an index
/// for each of the two.
pub(super) fn has_value(digest: ApiKeyDigest) -> Expr {
    let digest = digest.as_bytes().to_vec();
    let had = Query::select()
        .column(ApiKeyPreviousValues::KeyId)
        .from(ApiKeyPreviousValues::Table)
        .and_where(
            Expr::col((ApiKeyPreviousValues::Table, ApiKeyPreviousValues::Digest))
                .eq(digest.clone()),
        )
        .take();
    let is_current = Expr::col((ApiKeys::Table, ApiKeys::Digest)).eq(digest);
    is_current
        .or(Expr::col((ApiKeys::Table, ApiKeys::Id)).eq(Expr::SubQuery(None, Box::new(had.into()))))
}

async fn is_known(tx: &mut dyn Executor, digest: ApiKeyDigest) -> Result<bool, StorageError> {
    let known = Query::select()
        .column(ApiKeys::Id)
        .from(ApiKeys::Table)
        .and_where(has_value(digest))
        .take();
    Ok(fetch_optional(tx, &known).await?.is_some())
}

const COLUMNS: [ApiKeys; 15] = [
    ApiKeys::Id,
    ApiKeys::Digest,
    ApiKeys::Hint,
    ApiKeys::Owner,
    ApiKeys::Description,
    ApiKeys::Scopes,
    ApiKeys::HiddenFields,
    ApiKeys::RequestedFields,
    ApiKeys::QuotaLimit,
    ApiKeys::QuotaWindowSeconds,
    ApiKeys::QuotaBurst,
    ApiKeys::CreatedAt,
    ApiKeys::ExpiresAt,
    ApiKeys::RevokedAt,
    ApiKeys::LastUsedAt,
];

const PREVIOUS_COLUMNS: [ApiKeyPreviousValues; 3] = [
    ApiKeyPreviousValues::Digest,
    ApiKeyPreviousValues::Hint,
    ApiKeyPreviousValues::WorksUntil,
];

/// Selects keys with their previous values: a row for each previous value, or one row for a key
/// without any.
pub(super) fn keys(condition: Expr) -> SelectStatement {
    let its = Expr::col((ApiKeyPreviousValues::Table, ApiKeyPreviousValues::KeyId))
        .equals((ApiKeys::Table, ApiKeys::Id));
    Query::select()
        .columns(COLUMNS.map(|column| (ApiKeys::Table, column)))
        .columns(PREVIOUS_COLUMNS.map(|column| (ApiKeyPreviousValues::Table, column)))
        .column((ApiKeys::Table, ApiKeys::SuspendedAt))
        .from(ApiKeys::Table)
        .left_join(ApiKeyPreviousValues::Table, its)
        .and_where(condition)
        .order_by((ApiKeys::Table, ApiKeys::Id), Order::Asc)
        .order_by(
            (ApiKeyPreviousValues::Table, ApiKeyPreviousValues::Position),
            Order::Asc,
        )
        .take()
}

pub(super) async fn find(
    tx: &mut dyn Executor,
    key: &SelectStatement,
) -> Result<Option<Arc<ApiKey>>, StorageError> {
    Ok(read_all(tx, key).await?.pop().map(Arc::new))
}

/// Reads the columns of [`keys`].
pub(super) async fn read_all(
    tx: &mut dyn Executor,
    keys: &SelectStatement,
) -> Result<Vec<ApiKey>, StorageError> {
    let mut found: Vec<ApiKey> = Vec::new();
    for mut row in fetch_all(tx, keys).await? {
        let (mut key, mut previous) = (read(&mut row)?, previous(&mut row)?);
        if let Some(at) = row.optional(|row| row.timestamp("api_keys.suspended_at"))? {
            suspensions::end_values(&mut key, previous.as_mut(), at);
        }
        match found.last_mut() {
            Some(last) if last.id == key.id => last.previous.extend(previous),
            _ => found.push(ApiKey {
                previous: previous.into_iter().collect(),
                ..key
            }),
        }
    }
    Ok(found)
}

/// Reads [`COLUMNS`].
fn read(row: &mut Row) -> Result<ApiKey, StorageError> {
    Ok(ApiKey {
        id: row.parsed("api_keys.id")?,
        digest: ApiKeyDigest::from_bytes(row.digest("api_keys.digest")?),
        hint: row.text("api_keys.hint")?,
        previous: Vec::new(),
        owner: row.optional(|row| row.parsed("api_keys.owner"))?,
        description: row.parsed("api_keys.description")?,
        scopes: ApiScopes::parse(&row.text("api_keys.scopes")?)
            .map_err(|_| StorageError::corrupt("api_keys.scopes"))?,
        hidden: api_key_settings::fields(row, "api_keys.hidden_fields")?,
        requested: api_key_settings::fields(row, "api_keys.requested_fields")?,
        quota: quota(row)?,
        created_at: row.timestamp("api_keys.created_at")?,
        expires_at: row.timestamp("api_keys.expires_at")?,
        revoked_at: row.optional(|row| row.timestamp("api_keys.revoked_at"))?,
        last_used_at: row.optional(|row| row.timestamp("api_keys.last_used_at"))?,
    })
}

/// Reads [`PREVIOUS_COLUMNS`].
fn previous(row: &mut Row) -> Result<Option<PreviousValue>, StorageError> {
    row.joined(PREVIOUS_COLUMNS.len(), |row| {
        Ok(PreviousValue {
            digest: ApiKeyDigest::from_bytes(row.digest("api_key_previous_values.digest")?),
            hint: row.optional(|row| row.text("api_key_previous_values.hint"))?,
            works_until: row.timestamp("api_key_previous_values.works_until")?,
        })
    })
}

fn quota(row: &mut Row) -> Result<Option<Quota>, StorageError> {
    const COLUMN: &str = "api_keys.quota_limit";
    let mut part = || {
        row.optional(|row| {
            u32::try_from(row.integer(COLUMN)?).map_err(|_| StorageError::corrupt(COLUMN))
        })
    };
    match (part()?, part()?, part()?) {
        (Some(limit), Some(window), Some(burst)) => {
            let window = Duration::from_secs(window.into());
            Quota::new(limit, window, burst)
                .map(Some)
                .map_err(|_| StorageError::corrupt(COLUMN))
        }
        (None, None, None) => Ok(None),
        _ => Err(StorageError::corrupt(COLUMN)),
    }
}
