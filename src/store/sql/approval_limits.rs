//! Limits on a user's grants and consents. The least recently used ones are removed to make room
//! for new ones.

use std::cmp::Reverse;

use sea_query::{Condition, Expr, ExprTrait, Func, LockType, Order, Query};

use super::executor::{Executor, Statement, execute, fetch_all};
use super::in_list_padding::pad_to_power_of_two;
use super::page_query::count;
use super::row::SqlValue;
use super::tables::{Consents, Grants};
use crate::domain::{ClientId, GrantId, SubjectId, Timestamp};
use crate::store::{ApprovalLimits, StorageError};

/// Revokes grants of the user and the client until one more is within the limit, and returns their
/// ids. Holds the lock on the user until the transaction ends, so that concurrent approvals of the
/// user are counted one after the other.
pub(super) async fn enforce_grant_limit(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    client: ClientId,
    limits: ApprovalLimits,
    at: Timestamp,
) -> Result<Vec<GrantId>, StorageError> {
    if limits == ApprovalLimits::UNLIMITED {
        return Ok(Vec::new());
    }
    lock_subject(tx, subject).await?;
    let ends = Func::coalesce([Grants::IdleExpiresAt, Grants::CodeExpiresAt].map(Expr::col));
    let working = Condition::all()
        .add(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .add(Expr::col(Grants::ClientId).eq(client.to_string()))
        .add(Expr::col(Grants::RevokedAt).is_null())
        .add(Expr::expr(ends).gt(at.seconds()));
    let keep = limits.grants_per_client.saturating_sub(1) as usize;
    if count(tx, (Grants::Table, Grants::Id), working.clone()).await? <= keep as u64 {
        return Ok(Vec::new());
    }
    // Locked in the order of their ids, as everywhere. Only then is the time of their last use
    // final.
    let locked = Query::select()
        .column(Grants::Id)
        .expr(Func::coalesce(
            [Grants::RotatedAt, Grants::RedeemedAt, Grants::CreatedAt].map(Expr::col),
        ))
        .from(Grants::Table)
        .cond_where(working)
        .order_by(Grants::Id, Order::Asc)
        .lock(LockType::Update)
        .take();
    let mut known: Vec<(Reverse<i64>, GrantId)> = Vec::new();
    for mut row in fetch_all(tx, &locked).await? {
        let id = row.parsed("grants.id")?;
        known.push((Reverse(row.integer("grants.rotated_at")?), id));
    }
    known.sort_unstable();
    let excess: Vec<GrantId> = known.into_iter().skip(keep).map(|(_, id)| id).collect();
    if excess.is_empty() {
        return Ok(excess);
    }
    let ids =
        Expr::col(Grants::Id).is_in(pad_to_power_of_two(excess.iter().map(ToString::to_string)));
    execute(
        tx,
        &Query::update()
            .table(Grants::Table)
            .value(Grants::RevokedAt, at.seconds())
            .and_where(ids)
            .take(),
    )
    .await?;
    Ok(excess)
}

/// Deletes consents of the user until the client's consent is within the limit.
pub(super) async fn enforce_consent_limit(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    client: ClientId,
    limits: ApprovalLimits,
) -> Result<(), StorageError> {
    let keep = limits.consents.saturating_sub(1) as usize;
    let others = Expr::col(Consents::SubjectId)
        .eq(subject.as_str())
        .and(Expr::col(Consents::ClientId).ne(client.to_string()));
    let key = (Consents::Table, Consents::ClientId);
    if limits.consents == u32::MAX
        || count(tx, key, Condition::all().add(others.clone())).await? <= keep as u64
    {
        return Ok(());
    }
    let locked = Query::select()
        .columns([Consents::ClientId, Consents::LastUsedAt])
        .from(Consents::Table)
        .and_where(others.clone())
        .order_by(Consents::ClientId, Order::Asc)
        .lock(LockType::Update)
        .take();
    let mut known: Vec<(i64, String)> = Vec::new();
    for mut row in fetch_all(tx, &locked).await? {
        let client = row.text("consents.client_id")?;
        known.push((row.integer("consents.last_used_at")?, client));
    }
    known.sort_unstable();
    let excess: Vec<String> = known
        .iter()
        .take(known.len().saturating_sub(keep))
        .map(|(_, client)| client.clone())
        .collect();
    if excess.is_empty() {
        return Ok(());
    }
    let excess = others.and(Expr::col(Consents::ClientId).is_in(pad_to_power_of_two(excess)));
    execute(
        tx,
        &Query::delete()
            .from_table(Consents::Table)
            .and_where(excess)
            .take(),
    )
    .await?;
    Ok(())
}

/// Takes an advisory lock on the user until the transaction ends, in PostgreSQL. A row lock does
/// not suffice: a user without grants has no row.
async fn lock_subject(tx: &mut dyn Executor, subject: &SubjectId) -> Result<(), StorageError> {
    // SQLite has one writer at a time.
    if !tx.dialect().is_server() {
        return Ok(());
    }
    // The first key is "lyce" in ASCII. Users with the same second key wait for each other, which
    // is harmless.
    let text = "SELECT pg_advisory_xact_lock(1819894629, hashtext($1))".into();
    tx.execute(Statement {
        text,
        values: vec![SqlValue::Text(subject.as_str().to_owned())],
    })
    .await
    .map(drop)
}
