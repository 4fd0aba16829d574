//! How often API keys are used, and when they last were.

use std::collections::{BTreeMap, BTreeSet};

use sea_query::{CaseStatement, Expr, ExprTrait, Func, OnConflict, Order, Query, ReturningClause};

use super::executor::{Executor, all, change};
use super::lock::lock_and_read;
use super::padded::padded;
use super::sweep::not_ahead;
use super::tables::{ApiKeyUses, ApiKeys};
use crate::domain::{ApiKey, ApiKeyId, Date, DateRange, KeyUse, Timestamp};
use crate::store::StorageError;
use crate::store::sweep::CLOCKS_APART;

/// The most uses that a statement writes.
const USES: usize = 256;

/// The calls of a key on a day, and the last of them.
struct Sum {
    key: ApiKeyId,
    day: Date,
    calls: i64,
    last_used_at: Timestamp,
}

/// In the order of their ids, so that of two batches neither waits for the other in a circle.
pub(super) async fn touch_api_keys(tx: &mut dyn Executor, uses: Vec<KeyUse>) -> Result<(), StorageError> {
    let mut sums = BTreeMap::new();
    for KeyUse { key, day, calls, last_used_at } in uses {
        let sum = sums.entry((key, day)).or_insert(Sum { key, day, calls: 0, last_used_at });
        sum.calls = sum.calls.saturating_add(calls.into());
        sum.last_used_at = sum.last_used_at.max(last_used_at);
    }
    let sums: Vec<Sum> = sums.into_values().collect();
    let mut rest = &sums[..];
    while !rest.is_empty() {
        // Statements of few lengths, so that a database that keeps them prepared sees few of them.
        let length = (rest.len() + 1).next_power_of_two().min(2 * USES) / 2;
        let (some, others) = rest.split_at(length);
        touch_some(tx, some).await?;
        rest = others;
    }
    Ok(())
}

async fn touch_some(tx: &mut dyn Executor, uses: &[Sum]) -> Result<(), StorageError> {
    // A key that is there stays from here on.
    let keys = lock_and_read(tx, ApiKeys::Table, ApiKeys::Id, ApiKeys::Id, among(uses.iter()).into()).await?;
    let keys: BTreeSet<ApiKeyId> = keys.into_iter().map(|mut row| row.parsed("api_keys.id")).collect::<Result<_, _>>()?;
    let uses: Vec<&Sum> = uses.iter().filter(|used| keys.contains(&used.key)).collect();
    if uses.is_empty() {
        return Ok(());
    }
    note_last(tx, &uses).await?;
    for (day, (keys, last_used_at)) in first_of_their_day(tx, &uses).await? {
        forget_before(tx, day, keys, last_used_at).await?;
    }
    Ok(())
}

/// Those of the keys of these uses, which are one at least.
fn among<'a>(uses: impl Iterator<Item = &'a Sum>) -> Expr {
    Expr::col(ApiKeys::Id).is_in(padded(uses.map(|used| used.key.to_string())))
}

async fn note_last(tx: &mut dyn Executor, uses: &[&Sum]) -> Result<(), StorageError> {
    let mut last = BTreeMap::new();
    for used in uses {
        let at = last.entry(used.key).or_insert(used.last_used_at);
        *at = used.last_used_at.max(*at);
    }
    let cases = padded(last)
        .into_iter()
        .fold(CaseStatement::new(), |cases, (key, at)| cases.case(Expr::col(ApiKeys::Id).eq(key.to_string()), Expr::value(at.seconds())));
    // Nothing else comes to the last case, but it tells PostgreSQL of what type the others are.
    let at = cases.finally(Expr::col(ApiKeys::LastUsedAt));
    // Before every moment, for a key that was never used: SQLite compares nothing with NULL.
    let never = Expr::value(i64::MIN);
    let latest = Func::greatest([Func::coalesce([Expr::col(ApiKeys::LastUsedAt), never]).into(), at.into()]);
    let noting = Query::update().table(ApiKeys::Table).value(ApiKeys::LastUsedAt, latest).and_where(among(uses.iter().copied())).take();
    change(tx, &noting).await.map(drop)
}

/// Counts the calls, and tells of which keys they are the first on a day, and when they last were.
async fn first_of_their_day(tx: &mut dyn Executor, uses: &[&Sum]) -> Result<BTreeMap<Date, (Vec<ApiKeyId>, Timestamp)>, StorageError> {
    let added = Expr::col((ApiKeyUses::Table, ApiKeyUses::Calls)).add(Expr::col(("excluded", ApiKeyUses::Calls)));
    let again = OnConflict::columns([ApiKeyUses::KeyId, ApiKeyUses::Day]).value(ApiKeyUses::Calls, added).to_owned();
    let columns = [ApiKeyUses::KeyId, ApiKeyUses::Day, ApiKeyUses::Calls];
    let mut counting = Query::insert();
    counting.into_table(ApiKeyUses::Table).columns(columns).on_conflict(again);
    for used in uses {
        // There is a value for each column, so this cannot panic.
        counting.values_panic([used.key.to_string().into(), used.day.to_string().into(), used.calls.into()]);
    }
    counting.returning(ReturningClause::Columns(columns.map(Into::into).into()));
    let ours: BTreeMap<_, _> = uses.iter().map(|used| ((used.key, used.day), *used)).collect();
    let mut first = BTreeMap::new();
    for mut row in all(tx, &counting).await? {
        let (key, day) = (row.parsed("api_key_uses.key_id")?, row.parsed("api_key_uses.day")?);
        let calls = row.integer("api_key_uses.calls")?;
        if let Some(used) = ours.get(&(key, day)).filter(|used| used.calls == calls) {
            let (keys, last) = first.entry(day).or_insert((Vec::new(), used.last_used_at));
            keys.push(key);
            *last = used.last_used_at.max(*last);
        }
    }
    Ok(first)
}

async fn forget_before(tx: &mut dyn Executor, day: Date, keys: Vec<ApiKeyId>, last_used_at: Timestamp) -> Result<(), StorageError> {
    let Some(gone) = day.plus_days(-ApiKey::USAGE_DAYS) else { return Ok(()) };
    let theirs = Expr::col(ApiKeyUses::KeyId).is_in(padded(keys.iter().map(ToString::to_string)));
    let old = theirs.and(Expr::col(ApiKeyUses::Day).lte(gone.to_string()));
    let mut deletion = Query::delete().from_table(ApiKeyUses::Table).and_where(old).take();
    if tx.compares_clock() {
        deletion.and_where(not_ahead(last_used_at.minus(CLOCKS_APART).seconds(), 1));
    }
    change(tx, &deletion).await.map(drop)
}

pub(super) async fn api_key_usage(tx: &mut dyn Executor, id: ApiKeyId, days: DateRange) -> Result<Vec<(Date, u64)>, StorageError> {
    let usage = Query::select()
        .columns([ApiKeyUses::Day, ApiKeyUses::Calls])
        .from(ApiKeyUses::Table)
        .and_where(Expr::col(ApiKeyUses::KeyId).eq(id.to_string()))
        .and_where(Expr::col(ApiKeyUses::Day).between(days.from().to_string(), days.to().to_string()))
        .order_by(ApiKeyUses::Day, Order::Asc)
        .take();
    let rows = all(tx, &usage).await?.into_iter();
    rows.map(|mut row| Ok((row.parsed("api_key_uses.day")?, row.whole("api_key_uses.calls")?))).collect()
}
