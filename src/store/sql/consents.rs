//! Consents and lists of a user's grants.

use sea_query::{
    DeleteStatement, Expr, ExprTrait, Func, OnConflict, Order, Query, ReturningClause,
};

use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::grants::{has_id, is_live, revoked_at};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::{insert, insert_all_or_ignore};
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep_composite};
use super::row::Row;
use super::row_locks::lock_rows;
use super::tables::{ConsentScopes, Consents, Grants, Sessions};
use super::{api_keys, shared_columns, user_sessions};
use crate::domain::{
    AuthorizationSession, ClientId, Consent, GrantId, LiveGrant, ScopeSet, SubjectId, Timestamp,
};
use crate::store::retention::{CLOCK_SKEW, CONSENT_RETENTION};
use crate::store::{
    ApiKeyAction, GrantRevocation, MAX_LISTED_CONSENTS, MAX_LISTED_GRANTS, StorageError,
};

pub(super) async fn consent(
    tx: &mut dyn Executor,
    subject: SubjectId,
    client: ClientId,
) -> Result<Option<Consent>, StorageError> {
    let consent = Query::select()
        .columns([Consents::Scopes, Consents::GrantedAt])
        .from(Consents::Table)
        .and_where(has_parties(&subject, client))
        .take();
    fetch_optional(tx, &consent).await?.map(read).transpose()
}

pub(super) async fn consents_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
) -> Result<Vec<(ClientId, Consent)>, StorageError> {
    let consents = Query::select()
        .columns([Consents::ClientId, Consents::Scopes, Consents::GrantedAt])
        .from(Consents::Table)
        .and_where(Expr::col(Consents::SubjectId).eq(subject.as_str()))
        .order_by(Consents::GrantedAt, Order::Desc)
        .order_by(Consents::ClientId, Order::Asc)
        .limit(MAX_LISTED_CONSENTS as u64)
        .take();
    let consents = fetch_all(tx, &consents)
        .await?
        .into_iter()
        .map(|mut row| Ok((row.parsed("consents.client_id")?, read(row)?)));
    consents.collect()
}

pub(super) async fn delete_consent(
    tx: &mut dyn Executor,
    subject: SubjectId,
    client: ClientId,
) -> Result<bool, StorageError> {
    Ok(execute(tx, &deletion(&subject, client)).await? > 0)
}

/// Whether the stored consent covers all scopes of the session. Also records that the consent was
/// used. The update locks the row, so the consent cannot be deleted before this transaction ends.
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
        .and_where(has_parties(subject, session.client))
        .returning(ReturningClause::Columns(vec![Consents::Scopes.into()]))
        .take();
    let Some(mut row) = fetch_optional(tx, &consent).await? else {
        return Ok(false);
    };
    Ok(session
        .scopes
        .is_subset(&shared_columns::scopes(&mut row, "consents.scopes")?))
}

/// Adds the session's scopes to the stored consent, and deletes a few consents that have not been
/// used for years.
pub(super) async fn record(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    session: &AuthorizationSession,
    at: Timestamp,
) -> Result<(), StorageError> {
    sweep_expired(tx, at).await?;
    let key = [Consents::SubjectId, Consents::ClientId];
    let known = OnConflict::columns(key)
        .update_columns([Consents::GrantedAt, Consents::LastUsedAt])
        .to_owned();
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
    // The row is locked now and contains the previous scopes, if there was one.
    let stored = fetch_optional(tx, &consent)
        .await?
        .map(|mut row| shared_columns::scopes(&mut row, "consents.scopes"))
        .transpose()?;
    let stored: ScopeSet = stored.unwrap_or_default();
    index_scopes(tx, subject, session).await?;
    let both = session.scopes.union(&stored);
    if both == stored {
        return Ok(());
    }
    let widened = Query::update()
        .table(Consents::Table)
        .value(Consents::Scopes, both.to_string())
        .and_where(has_parties(subject, session.client))
        .take();
    execute(tx, &widened).await?;
    Ok(())
}

/// Indexes the scopes that a consent now has. Repeated rows are ignored, so that lists of any
/// length use few distinct statements.
async fn index_scopes(
    tx: &mut dyn Executor,
    subject: &SubjectId,
    session: &AuthorizationSession,
) -> Result<(), StorageError> {
    let rows = pad_to_power_of_two(&session.scopes)
        .into_iter()
        .map(|scope| {
            let (application, name) = (scope.application.to_string(), scope.name.to_string());
            [
                application,
                name,
                subject.as_str().to_owned(),
                session.client.to_string(),
            ]
            .map(Expr::from)
        });
    let columns = [
        ConsentScopes::ApplicationId,
        ConsentScopes::Name,
        ConsentScopes::SubjectId,
        ConsentScopes::ClientId,
    ];
    insert_all_or_ignore(tx, ConsentScopes::Table, columns, rows).await
}

async fn sweep_expired(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let key = [Consents::SubjectId, Consents::ClientId];
    sweep_composite(
        tx,
        &QUERY,
        (Consents::Table, key),
        (
            at.minus(CONSENT_RETENTION).seconds(),
            at.minus(CLOCK_SKEW).seconds(),
        ),
        expiry,
    )
    .await
}

/// A consent ends when it has not been used for years. There is an index on this column.
pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(Consents::LastUsedAt), until)
}

pub(super) async fn grants_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
    at: Timestamp,
) -> Result<Vec<LiveGrant>, StorageError> {
    let last_used_at = Func::coalesce([Grants::RotatedAt, Grants::RedeemedAt].map(Expr::col));
    let live = Query::select()
        .columns([
            Grants::Id,
            Grants::ClientId,
            Grants::Scopes,
            Grants::RedeemedAt,
        ])
        .expr(last_used_at)
        .from(Grants::Table)
        .and_where(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .and_where(is_live(at))
        .order_by(Grants::RedeemedAt, Order::Desc)
        .order_by(Grants::Id, Order::Asc)
        .limit(MAX_LISTED_GRANTS as u64)
        .take();
    fetch_all(tx, &live)
        .await?
        .into_iter()
        .map(live_grant)
        .collect()
}

pub(super) async fn revoke_grant_and_consent(
    tx: &mut dyn Executor,
    subject: SubjectId,
    grant: GrantId,
    at: Timestamp,
) -> Result<GrantRevocation, StorageError> {
    let revoked = Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, revoked_at(at))
        .and_where(has_id(grant))
        .and_where(Expr::col(Grants::SubjectId).eq(subject.as_str()))
        .returning(ReturningClause::Columns(vec![Grants::ClientId.into()]))
        .take();
    let Some(mut row) = fetch_optional(tx, &revoked).await? else {
        return Ok(GrantRevocation::NotFound);
    };
    let client = row.parsed("grants.client_id")?;
    execute(tx, &deletion(&subject, client)).await?;
    Ok(GrantRevocation::Revoked)
}

pub(super) async fn sign_out_everywhere(
    tx: &mut dyn Executor,
    subject: SubjectId,
    keys: ApiKeyAction,
    at: Timestamp,
) -> Result<usize, StorageError> {
    // Sessions come before grants, because an approval turns a session into a grant, which is then
    // found here.
    let begun = Expr::col(Sessions::SubjectId).eq(subject.as_str());
    lock_rows(tx, Sessions::Table, Sessions::Digest, begun.clone().into()).await?;
    execute(
        tx,
        &Query::delete()
            .from_table(Sessions::Table)
            .and_where(begun)
            .take(),
    )
    .await?;
    let held = Expr::col(Grants::SubjectId)
        .eq(subject.as_str())
        .and(Expr::col(Grants::RevokedAt).is_null());
    lock_rows(tx, Grants::Table, Grants::Id, held.clone().into()).await?;
    let revoked = Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, at.seconds())
        .and_where(held)
        .take();
    let count = execute(tx, &revoked).await?;
    if keys == ApiKeyAction::Revoke {
        api_keys::revoke_api_keys_of(tx, &subject, at).await?;
    }
    user_sessions::end_user_sessions_of(tx, subject, None).await?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// Deletes all consents of a user.
pub(super) async fn delete_consents_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
) -> Result<(), StorageError> {
    let condition = Expr::col(Consents::SubjectId).eq(subject.as_str());
    lock_rows(
        tx,
        Consents::Table,
        Consents::ClientId,
        condition.clone().into(),
    )
    .await?;
    execute(
        tx,
        &Query::delete()
            .from_table(Consents::Table)
            .and_where(condition)
            .take(),
    )
    .await?;
    Ok(())
}

fn deletion(subject: &SubjectId, client: ClientId) -> DeleteStatement {
    Query::delete()
        .from_table(Consents::Table)
        .and_where(has_parties(subject, client))
        .take()
}

fn has_parties(subject: &SubjectId, client: ClientId) -> Expr {
    Expr::col(Consents::SubjectId)
        .eq(subject.as_str())
        .and(Expr::col(Consents::ClientId).eq(client.to_string()))
}

/// Reads the scopes and the time.
fn read(mut row: Row) -> Result<Consent, StorageError> {
    Ok(Consent {
        scopes: shared_columns::scopes(&mut row, "consents.scopes")?,
        granted_at: row.timestamp("consents.granted_at")?,
    })
}

fn live_grant(mut row: Row) -> Result<LiveGrant, StorageError> {
    Ok(LiveGrant {
        id: row.parsed("grants.id")?,
        client: row.parsed("grants.client_id")?,
        scopes: shared_columns::scopes(&mut row, "grants.scopes")?,
        since: row.timestamp("grants.redeemed_at")?,
        last_used_at: row.timestamp("grants.rotated_at")?,
    })
}
