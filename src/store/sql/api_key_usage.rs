//! Daily usage and last use of API keys.

use std::collections::{BTreeMap, BTreeSet};

use sea_query::{CaseStatement, Expr, ExprTrait, Func, OnConflict, Order, Query, ReturningClause};

use super::executor::{Executor, execute, fetch_all};
use super::in_list_padding::pad_to_power_of_two;
use super::retention::is_not_in_future;
use super::row_locks::lock_and_select;
use super::tables::{ApiKeyUses, ApiKeys};
use crate::domain::{ApiKey, ApiKeyDailyUsage, ApiKeyId, DailyCalls, Date, DateRange, Timestamp};
use crate::store::StorageError;
use crate::store::retention::CLOCK_SKEW;

/// Maximum number of uses that a statement writes.
const MAX_USES: usize = 256;

/// Number and last time of a key's calls on a day.
struct DailyUsage {
    key: ApiKeyId,
    day: Date,
    calls: i64,
    errors: i64,
    last_used_at: Timestamp,
}

/// Updates rows in the order of their ids, so that concurrent batches cannot deadlock.
pub(super) async fn record_api_key_usage(
    tx: &mut dyn Executor,
    uses: Vec<ApiKeyDailyUsage>,
) -> Result<(), StorageError> {
    let mut sums = BTreeMap::new();
    for ApiKeyDailyUsage {
        key,
        day,
        calls,
        errors,
        last_used_at,
    } in uses
    {
        let sum = sums.entry((key, day)).or_insert(DailyUsage {
            key,
            day,
            calls: 0,
            errors: 0,
            last_used_at,
        });
        sum.calls = sum.calls.saturating_add(calls.into());
        sum.errors = sum.errors.saturating_add(errors.into());
        sum.last_used_at = sum.last_used_at.max(last_used_at);
    }
    let sums: Vec<DailyUsage> = sums.into_values().collect();
    let mut rest = &sums[..];
    while !rest.is_empty() {
        // Few distinct lengths, so that a database that caches prepared statements sees few of
        // them.
        let length = (rest.len() + 1).next_power_of_two().min(2 * MAX_USES) / 2;
        let (some, others) = rest.split_at(length);
        record_chunk(tx, some).await?;
        rest = others;
    }
    Ok(())
}

async fn record_chunk(tx: &mut dyn Executor, uses: &[DailyUsage]) -> Result<(), StorageError> {
    // The keys cannot be deleted until the transaction ends.
    let keys = lock_and_select(
        tx,
        ApiKeys::Table,
        ApiKeys::Id,
        ApiKeys::Id,
        has_key_among(uses.iter()).into(),
    )
    .await?;
    let keys: BTreeSet<ApiKeyId> = keys
        .into_iter()
        .map(|mut row| row.parsed("api_keys.id"))
        .collect::<Result<_, _>>()?;
    let uses: Vec<&DailyUsage> = uses
        .iter()
        .filter(|used| keys.contains(&used.key))
        .collect();
    if uses.is_empty() {
        return Ok(());
    }
    update_last_used(tx, &uses).await?;
    for (day, (keys, last_used_at)) in add_calls(tx, &uses).await? {
        delete_older(tx, day, keys, last_used_at).await?;
    }
    Ok(())
}

/// Selects the keys of these uses, of which there is at least one.
fn has_key_among<'a>(uses: impl Iterator<Item = &'a DailyUsage>) -> Expr {
    Expr::col(ApiKeys::Id).is_in(pad_to_power_of_two(uses.map(|used| used.key.to_string())))
}

async fn update_last_used(tx: &mut dyn Executor, uses: &[&DailyUsage]) -> Result<(), StorageError> {
    let mut last = BTreeMap::new();
    for used in uses {
        let at = last.entry(used.key).or_insert(used.last_used_at);
        *at = used.last_used_at.max(*at);
    }
    let cases =
        pad_to_power_of_two(last)
            .into_iter()
            .fold(CaseStatement::new(), |cases, (key, at)| {
                cases.case(
                    Expr::col(ApiKeys::Id).eq(key.to_string()),
                    Expr::value(at.seconds()),
                )
            });
    // Never reached, but it tells PostgreSQL the type of the other cases.
    let at = cases.finally(Expr::col(ApiKeys::LastUsedAt));
    // Earlier than any time, for a key that was never used: in SQLite a comparison with NULL is
    // NULL.
    let never = Expr::value(i64::MIN);
    let latest = Func::greatest([
        Func::coalesce([Expr::col(ApiKeys::LastUsedAt), never]).into(),
        at.into(),
    ]);
    let noting = Query::update()
        .table(ApiKeys::Table)
        .value(ApiKeys::LastUsedAt, latest)
        .and_where(has_key_among(uses.iter().copied()))
        .take();
    execute(tx, &noting).await.map(drop)
}

/// Adds the calls. Returns the keys whose first calls on a day these are, with their last use, by
/// day.
async fn add_calls(
    tx: &mut dyn Executor,
    uses: &[&DailyUsage],
) -> Result<BTreeMap<Date, (Vec<ApiKeyId>, Timestamp)>, StorageError> {
    let added = |column: ApiKeyUses| {
        Expr::col((ApiKeyUses::Table, column)).add(Expr::col(("excluded", column)))
    };
    let again = OnConflict::columns([ApiKeyUses::KeyId, ApiKeyUses::Day])
        .value(ApiKeyUses::Calls, added(ApiKeyUses::Calls))
        .value(ApiKeyUses::Errors, added(ApiKeyUses::Errors))
        .to_owned();
    let columns = [
        ApiKeyUses::KeyId,
        ApiKeyUses::Day,
        ApiKeyUses::Calls,
        ApiKeyUses::Errors,
    ];
    let mut counting = Query::insert();
    counting
        .into_table(ApiKeyUses::Table)
        .columns(columns)
        .on_conflict(again);
    for used in uses {
        // There is a value for each column, so this cannot panic.
        counting.values_panic([
            used.key.to_string().into(),
            used.day.to_string().into(),
            used.calls.into(),
            used.errors.into(),
        ]);
    }
    counting.returning(ReturningClause::Columns(columns.map(Into::into).into()));
    let ours: BTreeMap<_, _> = uses
        .iter()
        .map(|used| ((used.key, used.day), *used))
        .collect();
    let mut first = BTreeMap::new();
    for mut row in fetch_all(tx, &counting).await? {
        let (key, day) = (
            row.parsed("api_key_uses.key_id")?,
            row.parsed("api_key_uses.day")?,
        );
        let calls = row.integer("api_key_uses.calls")?;
        if let Some(used) = ours.get(&(key, day)).filter(|used| used.calls == calls) {
            let (keys, last) = first.entry(day).or_insert((Vec::new(), used.last_used_at));
            keys.push(key);
            *last = used.last_used_at.max(*last);
        }
    }
    Ok(first)
}

async fn delete_older(
    tx: &mut dyn Executor,
    day: Date,
    keys: Vec<ApiKeyId>,
    last_used_at: Timestamp,
) -> Result<(), StorageError> {
    let Some(last_deleted) = day.plus_days(-ApiKey::USAGE_DAYS) else {
        return Ok(());
    };
    let of_keys = Expr::col(ApiKeyUses::KeyId)
        .is_in(pad_to_power_of_two(keys.iter().map(ToString::to_string)));
    let old = of_keys.and(Expr::col(ApiKeyUses::Day).lte(last_deleted.to_string()));
    let mut deletion = Query::delete()
        .from_table(ApiKeyUses::Table)
        .and_where(old)
        .take();
    if tx.compares_clock() {
        deletion.and_where(is_not_in_future(
            last_used_at.minus(CLOCK_SKEW).seconds().into(),
            1,
        ));
    }
    execute(tx, &deletion).await.map(drop)
}

pub(super) async fn usage_of_api_keys(
    tx: &mut dyn Executor,
    ids: Vec<ApiKeyId>,
    days: DateRange,
) -> Result<BTreeMap<ApiKeyId, Vec<DailyCalls>>, StorageError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let of_keys = Expr::col(ApiKeyUses::KeyId)
        .is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    let usage = Query::select()
        .columns([
            ApiKeyUses::KeyId,
            ApiKeyUses::Day,
            ApiKeyUses::Calls,
            ApiKeyUses::Errors,
        ])
        .from(ApiKeyUses::Table)
        .and_where(of_keys)
        .and_where(
            Expr::col(ApiKeyUses::Day).between(days.from().to_string(), days.to().to_string()),
        )
        .order_by(ApiKeyUses::KeyId, Order::Asc)
        .order_by(ApiKeyUses::Day, Order::Asc)
        .take();
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for mut row in fetch_all(tx, &usage).await? {
        let key = row.parsed("api_key_uses.key_id")?;
        found.entry(key).or_default().push(DailyCalls {
            day: row.parsed("api_key_uses.day")?,
            calls: row.unsigned("api_key_uses.calls")?,
            errors: row.unsigned("api_key_uses.errors")?,
        });
    }
    Ok(found)
}
