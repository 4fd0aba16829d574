//! How many grants and consents a user has at most. Those that were used longest ago make room for new ones.

use std::cmp::Reverse;

use sea_query::{Condition, Expr, ExprTrait, Func, LockType, Order, Query};

use super::executor::{Executor, Statement, all, change};
use super::listing::count;
use super::padded::padded;
use super::row::Cell;
use super::tables::{Consents, Grants};
use crate::domain::{ClientId, GrantId, SubjectId, Timestamp};
use crate::store::{ApprovalCaps, StorageError};

/// Revokes grants of the user and the client until there is room for one more, and says which. From here on no other approval of the user counts.
pub(super) async fn make_room_for_grant(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    client: ClientId,
    caps: ApprovalCaps,
    at: Timestamp,
) -> Result<Vec<GrantId>, StorageError> {
    if caps == ApprovalCaps::NONE {
        return Ok(Vec::new());
    }
    alone_of(tx, subject).await?;
    let ends = Func::coalesce([Grants::IdleExpiresAt, Grants::CodeExpiresAt].map(Expr::col));
    let working = Condition::all()
        .add(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .add(Expr::col(Grants::ClientId).eq(client.to_string()))
        .add(Expr::col(Grants::RevokedAt).is_null())
        .add(Expr::expr(ends).gt(at.seconds()));
    let stay = caps.grants_per_client.saturating_sub(1) as usize;
    if count(tx, (Grants::Table, Grants::Id), working.clone()).await? <= stay as u64 {
        return Ok(Vec::new());
    }
    // Locked in the order of their ids, as everywhere; only then is it certain which of them was used when.
    let locked = Query::select()
        .column(Grants::Id)
        .expr(Func::coalesce([Grants::RotatedAt, Grants::RedeemedAt, Grants::CreatedAt].map(Expr::col)))
        .from(Grants::Table)
        .cond_where(working)
        .order_by(Grants::Id, Order::Asc)
        .lock(LockType::Update)
        .take();
    let mut known: Vec<(Reverse<i64>, GrantId)> = Vec::new();
    for mut row in all(tx, &locked).await? {
        let id = row.parsed("grants.id")?;
        known.push((Reverse(row.integer("grants.rotated_at")?), id));
    }
    known.sort_unstable();
    let go: Vec<GrantId> = known.into_iter().skip(stay).map(|(_, id)| id).collect();
    if go.is_empty() {
        return Ok(go);
    }
    let ids = Expr::col(Grants::Id).is_in(padded(go.iter().map(ToString::to_string)));
    change(tx, &Query::update().table(Grants::Table).value(Grants::RevokedAt, at.seconds()).and_where(ids).take()).await?;
    Ok(go)
}

/// Forgets consents of the user until there is room for that of the client.
pub(super) async fn make_room_for_consent(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    client: ClientId,
    caps: ApprovalCaps,
) -> Result<(), StorageError> {
    let stay = caps.consents.saturating_sub(1) as usize;
    let others = Expr::col(Consents::SubjectId).eq(subject.as_str()).and(Expr::col(Consents::ClientId).ne(client.to_string()));
    let key = (Consents::Table, Consents::ClientId);
    if caps.consents == u32::MAX || count(tx, key, Condition::all().add(others.clone())).await? <= stay as u64 {
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
    for mut row in all(tx, &locked).await? {
        let client = row.text("consents.client_id")?;
        known.push((row.integer("consents.last_used_at")?, client));
    }
    known.sort_unstable();
    let go: Vec<String> = known.iter().take(known.len().saturating_sub(stay)).map(|(_, client)| client.clone()).collect();
    if go.is_empty() {
        return Ok(());
    }
    let go = others.and(Expr::col(Consents::ClientId).is_in(padded(go)));
    change(tx, &Query::delete().from_table(Consents::Table).and_where(go).take()).await?;
    Ok(())
}

/// Takes an advisory lock on the user until the transaction ends, in PostgreSQL. A row lock does not suffice: a user without grants has no row.
async fn alone_of(tx: &mut dyn Executor, subject: &SubjectId) -> Result<(), StorageError> {
    // SQLite has one writer at a time.
    if !tx.dialect().is_server() {
        return Ok(());
    }
    // The first key is "lyce" in ASCII. Users whose second one is the same wait for each other, which is harmless.
    let text = "SELECT pg_advisory_xact_lock(1819894629, hashtext($1))".into();
    tx.execute(Statement { text, values: vec![Cell::Text(subject.as_str().to_owned())] }).await.map(drop)
}
