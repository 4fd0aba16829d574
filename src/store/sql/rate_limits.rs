//! State of rate limits.

use std::num::NonZeroU32;

use sea_query::{Expr, ExprTrait, Func, InsertStatement, OnConflict, Query, ReturningClause};

use super::executor::{Executor, MAX_TRIES, inconsistent_read};
use super::insert::insert;
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep};
use super::tables::RateLimits;
use crate::domain::{Quota, RateLimitDecision, RateLimitKey, Timestamp};
use crate::store::StorageError;
use crate::store::retention::CLOCK_SKEW;

/// Takes the calls from the quota of a key, if it allows all of them (GCRA).
pub(super) async fn take(
    tx: &mut dyn Executor,
    key: RateLimitKey,
    (quota, calls): (Quota, NonZeroU32),
    at: Timestamp,
) -> Result<RateLimitDecision, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let (cost, max_arrival) = (quota.cost(calls), quota.max_arrival_for(calls, at));
    for _ in 0..MAX_TRIES {
        // The upsert locks the row of a key even if it denies the calls. Without this read, all
        // callers of an exhausted key would wait for each other only to be denied.
        if let Some(denied) = denied(tx, key, (quota, calls), at).await? {
            return Ok(denied);
        }
        let values = [
            key.as_bytes().to_vec().into(),
            at.micros().into(),
            at.plus(cost).micros().into(),
            Timestamp::micros_of(cost).into(),
            Timestamp::MAX.minus(cost).micros().into(),
            max_arrival.micros().into(),
        ];
        let upsert = QUERY.bind(tx.dialect(), values, upsert)?;
        if let Some(mut row) = tx.query(upsert).await?.into_iter().next() {
            let arrival = Timestamp::from_micros(row.integer("rate_limits.arrival_micros")?);
            // The row is new, or another call came in the same microsecond, in which case there is
            // little to sweep.
            if row.integer("rate_limits.created_micros")? == at.micros() {
                sweep_expired(tx, at).await?;
            }
            return Ok(quota.allowed(arrival, at));
        }
    }
    Err(inconsistent_read())
}

/// Inserts a row for a new key, or advances the arrival time of an existing row if it is at most
/// `max_arrival`, so that the calls are allowed. `latest` prevents an overflow.
fn upsert([key, now, first_arrival, cost, latest, max_arrival]: [Expr; 6]) -> InsertStatement {
    let arrival = || Expr::col((RateLimits::Table, RateLimits::ArrivalMicros));
    let start = Func::greatest([arrival(), now.clone()]);
    let next_arrival = Expr::expr(Func::least([Expr::expr(start), latest])).add(cost);
    let mut on_conflict = OnConflict::column(RateLimits::Digest);
    on_conflict
        .value(RateLimits::ArrivalMicros, next_arrival)
        .action_and_where(arrival().lte(max_arrival));
    insert(
        RateLimits::Table,
        [
            (RateLimits::Digest, key),
            (RateLimits::ArrivalMicros, first_arrival),
            (RateLimits::CreatedMicros, now),
        ],
    )
    .on_conflict(on_conflict)
    .returning(ReturningClause::Columns(vec![
        RateLimits::ArrivalMicros.into(),
        RateLimits::CreatedMicros.into(),
    ]))
    .take()
}

/// Returns the denial that follows from the stored arrival time, or `None` if the calls may be
/// allowed. After an upsert that changed nothing the row is locked, so the second read decides.
async fn denied(
    tx: &mut dyn Executor,
    key: RateLimitKey,
    (quota, calls): (Quota, NonZeroU32),
    at: Timestamp,
) -> Result<Option<RateLimitDecision>, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let select = QUERY.bind(tx.dialect(), [key.as_bytes().to_vec().into()], |[key]| {
        Query::select()
            .column(RateLimits::ArrivalMicros)
            .from(RateLimits::Table)
            .and_where(Expr::col(RateLimits::Digest).eq(key))
            .take()
    })?;
    let stored = match tx.query(select).await?.into_iter().next() {
        Some(mut row) => Some(Timestamp::from_micros(
            row.integer("rate_limits.arrival_micros")?,
        )),
        None => None,
    };
    // Also checked without a row: more calls than the burst are never allowed, and the insert does
    // not check that.
    let decision = quota.check_many(stored, calls, at);
    Ok(Some(decision).filter(|decision| matches!(decision, RateLimitDecision::Denied { .. })))
}

async fn sweep_expired(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    sweep(
        tx,
        &QUERY,
        (RateLimits::Table, RateLimits::Digest),
        at.minus(CLOCK_SKEW).micros(),
        expiry,
    )
    .await
    .map(drop)
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::from_micros(Expr::col(RateLimits::ArrivalMicros), until)
}
