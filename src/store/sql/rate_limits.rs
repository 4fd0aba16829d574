//! What rate limits have counted.

use std::num::NonZeroU32;

use sea_query::{Expr, ExprTrait, Func, InsertStatement, OnConflict, Query, ReturningClause};

use super::executor::{Executor, TRIES, contradiction};
use super::insert::insert;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::RateLimits;
use crate::domain::{Quota, RateKey, RateVerdict};
use crate::store::StorageError;
use crate::store::sweep::CLOCKS_APART;

pub(super) async fn take(
    tx: &mut dyn Executor,
    key: RateKey,
    (quota, calls): (Quota, NonZeroU32),
    now_micros: i64,
) -> Result<RateVerdict, StorageError> {
    static SHAPE: Shape = Shape::new();
    let cost = quota.cost_micros(calls);
    for _ in 0..TRIES {
        // The upsert locks the row of a key also when it allows nothing, so that all who hammer a key would wait in line to be denied.
        if let Some(denied) = denied(tx, key, (quota, calls), now_micros).await? {
            return Ok(denied);
        }
        let values = [
            key.as_bytes().to_vec().into(),
            now_micros.saturating_add(cost).into(),
            now_micros.into(),
            now_micros.into(),
            (i64::MAX - cost).into(),
            cost.into(),
            quota.latest_for(calls, now_micros).into(),
        ];
        let taking = SHAPE.bind(tx.dialect(), values, statement);
        if let Some(mut row) = tx.query(taking).await?.into_iter().next() {
            let arrival_micros = row.integer("rate_limits.arrival_micros")?;
            // It is new, or another call came in the same microsecond, and then there is little to take away.
            if row.integer("rate_limits.created_micros")? == now_micros {
                sweep_rested(tx, now_micros).await?;
            }
            return Ok(quota.allowed(arrival_micros, now_micros));
        }
    }
    Err(contradiction())
}

/// Notes calls for a key without a row, or moves the arrival time of its row if that allows them.
fn statement() -> InsertStatement {
    let arrival = || Expr::col((RateLimits::Table, RateLimits::ArrivalMicros));
    let due = Func::greatest([arrival(), Expr::value(0)]);
    let moved = Expr::expr(Func::least([Expr::expr(due), Expr::value(0)])).add(0);
    let mut moving = OnConflict::column(RateLimits::Digest);
    moving.value(RateLimits::ArrivalMicros, moved).action_and_where(arrival().lte(0));
    insert(
        RateLimits::Table,
        [RateLimits::Digest, RateLimits::ArrivalMicros, RateLimits::CreatedMicros].map(|column| (column, Expr::value(0))),
    )
    .on_conflict(moving)
    .returning(ReturningClause::Columns(vec![RateLimits::ArrivalMicros.into(), RateLimits::CreatedMicros.into()]))
    .take()
}

/// The denial that what is committed comes to, or nothing when a call may be allowed. After an upsert that allowed nothing the row is
/// locked, so that the second look decides.
async fn denied(
    tx: &mut dyn Executor,
    key: RateKey,
    (quota, calls): (Quota, NonZeroU32),
    now_micros: i64,
) -> Result<Option<RateVerdict>, StorageError> {
    static SHAPE: Shape = Shape::new();
    let state = SHAPE.bind(tx.dialect(), [key.as_bytes().to_vec().into()], || {
        Query::select()
            .column(RateLimits::ArrivalMicros)
            .from(RateLimits::Table)
            .and_where(Expr::col(RateLimits::Digest).eq(vec![0]))
            .take()
    });
    let kept = match tx.query(state).await?.into_iter().next() {
        Some(mut row) => Some(row.integer("rate_limits.arrival_micros")?),
        None => None,
    };
    // Without a row, too: more calls than the burst are never allowed, and the insertion would not check that.
    let verdict = quota.check_many(kept, calls, now_micros);
    Ok(Some(verdict).filter(|verdict| matches!(verdict, RateVerdict::Denied { .. })))
}

async fn sweep_rested(tx: &mut dyn Executor, now_micros: i64) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    // A minute of microseconds fits.
    let until = now_micros.saturating_sub(CLOCKS_APART.as_micros() as i64);
    sweep(tx, &SHAPE, (RateLimits::Table, RateLimits::Digest), until, rested).await.map(drop)
}

pub(super) fn rested() -> Ended {
    Ended::by_micros(Expr::col(RateLimits::ArrivalMicros))
}
