//! How often API keys are used, and when they last were.

use sea_query::{Expr, ExprTrait, Func, OnConflict, Order, Query, ReturningClause};

use super::api_keys::is;
use super::executor::{Executor, all, change};
use super::insert::insert;
use super::shape::Shape;
use super::sweep::not_ahead;
use super::tables::{ApiKeyUses, ApiKeys};
use crate::domain::{ApiKey, ApiKeyId, Date, DateRange, KeyUse};
use crate::store::StorageError;
use crate::store::sweep::CLOCKS_APART;

/// In the order of their ids, so that of two batches neither waits for the other in a circle.
pub(super) async fn touch_api_keys(tx: &mut dyn Executor, mut uses: Vec<KeyUse>) -> Result<(), StorageError> {
    uses.sort_unstable_by_key(|used| (used.key, used.day));
    for used in uses {
        // A key that is there stays from here on.
        if is_touched(tx, used).await? && is_first_of_its_day(tx, used).await? {
            forget_before(tx, used).await?;
        }
    }
    Ok(())
}

async fn is_touched(tx: &mut dyn Executor, used: KeyUse) -> Result<bool, StorageError> {
    static SHAPE: Shape = Shape::new();
    let at = used.last_used_at.seconds();
    let touched = SHAPE.bind(tx.dialect(), [at.into(), at.into(), used.key.to_string().into()], || {
        let before = Func::coalesce([Expr::col(ApiKeys::LastUsedAt), Expr::value(0)]).into();
        let latest = Func::greatest([before, Expr::value(0)]);
        Query::update().table(ApiKeys::Table).value(ApiKeys::LastUsedAt, latest).and_where(is(used.key)).take()
    });
    Ok(tx.execute(touched).await? > 0)
}

async fn is_first_of_its_day(tx: &mut dyn Executor, used: KeyUse) -> Result<bool, StorageError> {
    static SHAPE: Shape = Shape::new();
    let calls = i64::from(used.calls);
    let values = [used.key.to_string().into(), used.day.to_string().into(), calls.into(), calls.into()];
    let counted = SHAPE.bind(tx.dialect(), values, || {
        let added = Expr::col((ApiKeyUses::Table, ApiKeyUses::Calls)).add(0);
        let again = OnConflict::columns([ApiKeyUses::KeyId, ApiKeyUses::Day]).value(ApiKeyUses::Calls, added).to_owned();
        let columns = [ApiKeyUses::KeyId, ApiKeyUses::Day, ApiKeyUses::Calls];
        insert(ApiKeyUses::Table, columns.map(|column| (column, Expr::value(0))))
            .on_conflict(again)
            .returning(ReturningClause::Columns(vec![ApiKeyUses::Calls.into()]))
            .take()
    });
    let mut row = tx.query(counted).await?.into_iter().next().ok_or(StorageError::corrupt("api_key_uses.calls"))?;
    Ok(row.integer("api_key_uses.calls")? == calls)
}

async fn forget_before(tx: &mut dyn Executor, used: KeyUse) -> Result<(), StorageError> {
    let Some(gone) = used.day.plus_days(-ApiKey::USAGE_DAYS) else { return Ok(()) };
    let old = Expr::col(ApiKeyUses::KeyId).eq(used.key.to_string()).and(Expr::col(ApiKeyUses::Day).lte(gone.to_string()));
    let mut deletion = Query::delete().from_table(ApiKeyUses::Table).and_where(old).take();
    if tx.compares_clock() {
        deletion.and_where(not_ahead(used.last_used_at.minus(CLOCKS_APART).seconds(), 1));
    }
    change(tx, &deletion).await?;
    Ok(())
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
