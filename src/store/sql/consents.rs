//! What users have let clients have, and what of it is in use.

use sea_query::{DeleteStatement, Expr, ExprTrait, Func, OnConflict, Order, Query, ReturningClause};

use super::executor::{Executor, all, change, first};
use super::grants::{is, is_live, revoked_at};
use super::insert::{insert, insert_all_new};
use super::lock::lock;
use super::padded::padded;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep_composite};
use super::tables::{ConsentScopes, Consents, Grants, Sessions};
use super::{api_keys, binding, user_sessions};
use crate::domain::{AuthorizationSession, ClientId, Consent, GrantId, LiveGrant, ScopeSet, SubjectId, Timestamp};
use crate::store::sweep::{CLOCKS_APART, CONSENT_KEPT};
use crate::store::{CONSENTS_SHOWN, GRANTS_SHOWN, OwnedApiKeys, StorageError, Withdrawal};

pub(super) async fn consent(tx: &mut dyn Executor, subject: SubjectId, client: ClientId) -> Result<Option<Consent>, StorageError> {
    let consent = Query::select()
        .columns([Consents::Scopes, Consents::GrantedAt])
        .from(Consents::Table)
        .and_where(is_between(&subject, client))
        .take();
    first(tx, &consent).await?.map(read).transpose()
}

pub(super) async fn consents_of(tx: &mut dyn Executor, subject: SubjectId) -> Result<Vec<(ClientId, Consent)>, StorageError> {
    let consents = Query::select()
        .columns([Consents::ClientId, Consents::Scopes, Consents::GrantedAt])
        .from(Consents::Table)
        .and_where(Expr::col(Consents::SubjectId).eq(subject.as_str()))
        .order_by(Consents::GrantedAt, Order::Desc)
        .order_by(Consents::ClientId, Order::Asc)
        .limit(CONSENTS_SHOWN as u64)
        .take();
    let consents = all(tx, &consents).await?.into_iter().map(|mut row| Ok((row.parsed("consents.client_id")?, read(row)?)));
    consents.collect()
}

pub(super) async fn forget_consent(tx: &mut dyn Executor, subject: SubjectId, client: ClientId) -> Result<bool, StorageError> {
    Ok(change(tx, &forgetting(&subject, client)).await? > 0)
}

/// Whether the user has allowed before all that the session asks for, and notes that the consent was used. One that covers the session
/// cannot be forgotten before this transaction ends.
pub(super) async fn covers(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    session: &AuthorizationSession,
    at: Timestamp,
) -> Result<bool, StorageError> {
    let last_used_at = Func::greatest([Expr::col(Consents::LastUsedAt), Expr::value(at.seconds())]);
    let consent = Query::update()
        .table(Consents::Table)
        .value(Consents::LastUsedAt, last_used_at)
        .and_where(is_between(subject, session.client))
        .returning(ReturningClause::Columns(vec![Consents::Scopes.into()]))
        .take();
    let Some(mut row) = first(tx, &consent).await? else { return Ok(false) };
    Ok(session.scopes.is_subset(&binding::scopes(&mut row, "consents.scopes")?))
}

/// Adds what the session asks for to what was allowed before, and takes a few consents away that have not been used for years.
pub(super) async fn remember(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    session: &AuthorizationSession,
    at: Timestamp,
) -> Result<(), StorageError> {
    sweep_unused(tx, at).await?;
    let key = [Consents::SubjectId, Consents::ClientId];
    let known = OnConflict::columns(key).update_columns([Consents::GrantedAt, Consents::LastUsedAt]).to_owned();
    let consent = insert(
        Consents::Table,
        [
            (Consents::SubjectId, subject.as_str().into()),
            (Consents::ClientId, session.client.to_string().into()),
            (Consents::Scopes, session.scopes.to_string().into()),
            (Consents::GrantedAt, at.seconds().into()),
            (Consents::LastUsedAt, at.seconds().into()),
        ],
    )
    .on_conflict(known)
    .returning(ReturningClause::Columns(vec![Consents::Scopes.into()]))
    .take();
    // From here on the row is ours, and has the scopes of before if there was one.
    let kept = first(tx, &consent).await?.map(|mut row| binding::scopes(&mut row, "consents.scopes")).transpose()?;
    let kept: ScopeSet = kept.unwrap_or_default();
    index_scopes(tx, subject, session).await?;
    let both = session.scopes.union(&kept);
    if both == kept {
        return Ok(());
    }
    let widened = Query::update()
        .table(Consents::Table)
        .value(Consents::Scopes, both.to_string())
        .and_where(is_between(subject, session.client))
        .take();
    change(tx, &widened).await?;
    Ok(())
}

/// Notes the scopes that a consent now has. A repeated row is passed over, so that lists of any length are few statements.
async fn index_scopes(tx: &mut dyn Executor, subject: &SubjectId, session: &AuthorizationSession) -> Result<(), StorageError> {
    let rows = padded(&session.scopes).into_iter().map(|scope| {
        let (application, name) = (scope.application.to_string(), scope.name.to_string());
        [application, name, subject.as_str().to_owned(), session.client.to_string()].map(Expr::from)
    });
    let columns = [ConsentScopes::ApplicationId, ConsentScopes::Name, ConsentScopes::SubjectId, ConsentScopes::ClientId];
    insert_all_new(tx, ConsentScopes::Table, columns, rows).await
}

async fn sweep_unused(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    let key = [Consents::SubjectId, Consents::ClientId];
    sweep_composite(tx, &SHAPE, (Consents::Table, key), (at.minus(CONSENT_KEPT).seconds(), at.minus(CLOCKS_APART).seconds()), unused).await
}

/// Not used for years. There is an index on this column.
pub(super) fn unused() -> Ended {
    Ended::by(Expr::col(Consents::LastUsedAt))
}

pub(super) async fn grants_of(tx: &mut dyn Executor, subject: SubjectId, at: Timestamp) -> Result<Vec<LiveGrant>, StorageError> {
    let last_used_at = Func::coalesce([Grants::RotatedAt, Grants::RedeemedAt].map(Expr::col));
    let live = Query::select()
        .columns([Grants::Id, Grants::ClientId, Grants::Scopes, Grants::RedeemedAt])
        .expr(last_used_at)
        .from(Grants::Table)
        .and_where(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .and_where(is_live(at))
        .order_by(Grants::RedeemedAt, Order::Desc)
        .order_by(Grants::Id, Order::Asc)
        .limit(GRANTS_SHOWN as u64)
        .take();
    all(tx, &live).await?.into_iter().map(shown).collect()
}

pub(super) async fn withdraw_grant(
    tx: &mut dyn Executor,
    subject: SubjectId,
    grant: GrantId,
    at: Timestamp,
) -> Result<Withdrawal, StorageError> {
    let revoked = Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, revoked_at(at))
        .and_where(is(grant))
        .and_where(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .returning(ReturningClause::Columns(vec![Grants::ClientId.into()]))
        .take();
    let Some(mut row) = first(tx, &revoked).await? else { return Ok(Withdrawal::Unknown) };
    let client = row.parsed("grants.client_id")?;
    change(tx, &forgetting(&subject, client)).await?;
    Ok(Withdrawal::Withdrawn)
}

pub(super) async fn revoke_grants_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
    keys: OwnedApiKeys,
    at: Timestamp,
) -> Result<usize, StorageError> {
    // Sessions first: an approval turns one into a grant, and that is found here then.
    let begun = Expr::col(Sessions::SubjectId).eq(subject.as_str());
    lock(tx, Sessions::Table, Sessions::Digest, begun.clone().into()).await?;
    change(tx, &Query::delete().from_table(Sessions::Table).and_where(begun).take()).await?;
    let held = Expr::col(Grants::SubjectId).eq(subject.as_str()).and(Expr::col(Grants::RevokedAt).is_null());
    lock(tx, Grants::Table, Grants::Id, held.clone().into()).await?;
    let revoked = Query::update().table(Grants::Table).value(Grants::RevokedAt, at.seconds()).and_where(held).take();
    let count = change(tx, &revoked).await?;
    if keys == OwnedApiKeys::Revoke {
        api_keys::revoke_api_keys_of(tx, &subject, at).await?;
    }
    user_sessions::end_user_sessions_of(tx, subject, None).await?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Forgets what a user allowed, to whomever.
pub(super) async fn forget_all_of(tx: &mut dyn Executor, subject: SubjectId) -> Result<(), StorageError> {
    let theirs = Expr::col(Consents::SubjectId).eq(subject.as_str());
    lock(tx, Consents::Table, Consents::ClientId, theirs.clone().into()).await?;
    change(tx, &Query::delete().from_table(Consents::Table).and_where(theirs).take()).await?;
    Ok(())
}

fn forgetting(subject: &SubjectId, client: ClientId) -> DeleteStatement {
    Query::delete().from_table(Consents::Table).and_where(is_between(subject, client)).take()
}

fn is_between(subject: &SubjectId, client: ClientId) -> Expr {
    Expr::col(Consents::SubjectId).eq(subject.as_str()).and(Expr::col(Consents::ClientId).eq(client.to_string()))
}

/// Reads the scopes and the moment.
fn read(mut row: Row) -> Result<Consent, StorageError> {
    Ok(Consent { scopes: binding::scopes(&mut row, "consents.scopes")?, granted_at: row.time("consents.granted_at")? })
}

fn shown(mut row: Row) -> Result<LiveGrant, StorageError> {
    Ok(LiveGrant {
        id: row.parsed("grants.id")?,
        client: row.parsed("grants.client_id")?,
        scopes: binding::scopes(&mut row, "grants.scopes")?,
        since: row.time("grants.redeemed_at")?,
        last_used_at: row.time("grants.rotated_at")?,
    })
}
