//! Calendar feeds of API keys.

use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait, Order, Query, SelectStatement};

use super::api_keys;
use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::insert::insert_or_ignore;
use super::management_lock::lock_management;
use super::page_query::count;
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep};
use super::row::Row;
use super::tables::CalendarFeeds;
use crate::domain::{ApiKey, ApiKeyId, CalendarFeed, CalendarFeedDigest, CalendarFeedId};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{CalendarFeedCreation, StorageError};

/// Creators hold the management lock, so the count cannot change before the insert.
pub(super) async fn create_calendar_feed(
    tx: &mut dyn Executor,
    feed: CalendarFeed,
    limit: u32,
) -> Result<CalendarFeedCreation, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    lock_management(tx).await?;
    let key = api_keys::api_key_by_id(tx, feed.key).await?;
    if key.is_none_or(|key| key.revoked_at.is_some()) {
        return Ok(CalendarFeedCreation::NoKey);
    }
    let live = Condition::all()
        .add(Expr::col(CalendarFeeds::KeyId).eq(feed.key.to_string()))
        .add(Expr::col(CalendarFeeds::ExpiresAt).gt(feed.created_at.seconds()));
    if count(tx, (CalendarFeeds::Table, CalendarFeeds::Id), live).await? >= u64::from(limit) {
        return Ok(CalendarFeedCreation::LimitReached);
    }
    let until = feed.created_at.minus(CLOCK_SKEW).seconds();
    let row = insert_or_ignore(
        CalendarFeeds::Table,
        [
            (CalendarFeeds::Id, feed.id.to_string().into()),
            (CalendarFeeds::KeyId, feed.key.to_string().into()),
            (
                CalendarFeeds::Digest,
                feed.digest.as_bytes().to_vec().into(),
            ),
            (CalendarFeeds::Hint, feed.hint.into()),
            (CalendarFeeds::CreatedAt, feed.created_at.seconds().into()),
            (CalendarFeeds::ExpiresAt, feed.expires_at.seconds().into()),
        ],
    );
    if execute(tx, &row).await? == 0 {
        return Ok(CalendarFeedCreation::AlreadyExists);
    }
    sweep(
        tx,
        &QUERY,
        (CalendarFeeds::Table, CalendarFeeds::Id),
        until,
        expiry,
    )
    .await?;
    Ok(CalendarFeedCreation::Created)
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(CalendarFeeds::ExpiresAt), until)
}

pub(super) async fn calendar_feeds(
    tx: &mut dyn Executor,
    key: ApiKeyId,
) -> Result<Vec<CalendarFeed>, StorageError> {
    let feeds = select()
        .and_where(Expr::col(CalendarFeeds::KeyId).eq(key.to_string()))
        .order_by(CalendarFeeds::CreatedAt, Order::Asc)
        .order_by(CalendarFeeds::Id, Order::Asc)
        .take();
    let rows = fetch_all(tx, &feeds).await?;
    rows.into_iter().map(|mut row| read(&mut row)).collect()
}

pub(super) async fn calendar_feed(
    tx: &mut dyn Executor,
    digest: CalendarFeedDigest,
) -> Result<Option<(CalendarFeed, Arc<ApiKey>)>, StorageError> {
    let found = select()
        .and_where(Expr::col(CalendarFeeds::Digest).eq(digest.as_bytes().to_vec()))
        .take();
    let Some(mut row) = fetch_optional(tx, &found).await? else {
        return Ok(None);
    };
    let feed = read(&mut row)?;
    let key = api_keys::api_key_by_id(tx, feed.key).await?;
    Ok(key.map(|key| (feed, key)))
}

pub(super) async fn revoke_calendar_feed(
    tx: &mut dyn Executor,
    key: ApiKeyId,
    id: CalendarFeedId,
) -> Result<bool, StorageError> {
    let revoked = Query::delete()
        .from_table(CalendarFeeds::Table)
        .and_where(Expr::col(CalendarFeeds::Id).eq(id.to_string()))
        .and_where(Expr::col(CalendarFeeds::KeyId).eq(key.to_string()))
        .take();
    Ok(execute(tx, &revoked).await? > 0)
}

fn select() -> SelectStatement {
    Query::select()
        .columns([
            CalendarFeeds::Id,
            CalendarFeeds::KeyId,
            CalendarFeeds::Digest,
            CalendarFeeds::Hint,
            CalendarFeeds::CreatedAt,
            CalendarFeeds::ExpiresAt,
        ])
        .from(CalendarFeeds::Table)
        .take()
}

/// Reads the columns of [`select`].
fn read(row: &mut Row) -> Result<CalendarFeed, StorageError> {
    Ok(CalendarFeed {
        id: row.parsed("calendar_feeds.id")?,
        key: row.parsed("calendar_feeds.key_id")?,
        digest: CalendarFeedDigest::from_bytes(row.digest("calendar_feeds.digest")?),
        hint: row.text("calendar_feeds.hint")?,
        created_at: row.timestamp("calendar_feeds.created_at")?,
        expires_at: row.timestamp("calendar_feeds.expires_at")?,
    })
}
