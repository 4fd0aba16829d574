//! Authorization codes and grants.

use sea_query::{Expr, ExprTrait, Func, LockType, Query, ReturningClause, UpdateStatement};

use super::executor::{Executor, MAX_TRIES, execute, fetch_optional, inconsistent_read};
use super::in_list_padding::pad_to_power_of_two;
use super::insert::{insert, insert_all_or_ignore};
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, sweep_composite};
use super::row::{Row, SqlValue};
use super::shared_columns;
use super::tables::{GrantScopes, Grants};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientProof, CodeBinding, Generation, Grant,
    GrantId, ScopeSet, SubjectId, Timestamp,
};
use crate::store::retention::{CLOCK_SKEW, GRANT_RETENTION};
use crate::store::{Approval, Redemption, RefreshBinding, Rotation, StorageError, TokenLifetimes};

pub(super) async fn create(
    tx: &mut dyn Executor,
    session: &AuthorizationSession,
    subject: &SubjectId,
    approval: &Approval,
    at: Timestamp,
) -> Result<(), StorageError> {
    let (challenge_method, challenge) =
        shared_columns::challenge_columns(session.challenge.as_ref());
    let grant = insert(
        Grants::Table,
        [
            (Grants::Id, approval.grant.to_string().into()),
            (Grants::CodeDigest, approval.code.as_bytes().to_vec().into()),
            (Grants::ClientId, session.client.to_string().into()),
            (Grants::RedirectUri, session.redirect_uri.as_str().into()),
            (Grants::Scopes, session.scopes.to_string().into()),
            (Grants::ChallengeMethod, challenge_method.into()),
            (Grants::Challenge, challenge.into()),
            (Grants::SubjectId, subject.as_str().into()),
            (Grants::CreatedAt, at.seconds().into()),
            (
                Grants::CodeExpiresAt,
                approval.code_expires_at.seconds().into(),
            ),
        ],
    );
    sweep_expired(tx, at).await?;
    execute(tx, &grant).await?;
    index_scopes(tx, approval.grant, &session.scopes).await
}

/// Indexes the scopes of a new grant. Repeated rows are ignored, so that lists of any length use
/// few distinct statements.
async fn index_scopes(
    tx: &mut dyn Executor,
    grant: GrantId,
    scopes: &ScopeSet,
) -> Result<(), StorageError> {
    let rows = pad_to_power_of_two(scopes).into_iter().map(|scope| {
        [
            scope.application.to_string(),
            scope.name.to_string(),
            grant.to_string(),
        ]
        .map(Expr::from)
    });
    insert_all_or_ignore(
        tx,
        GrantScopes::Table,
        [
            GrantScopes::ApplicationId,
            GrantScopes::Name,
            GrantScopes::GrantId,
        ],
        rows,
    )
    .await
}

async fn sweep_expired(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let (until, latest) = (
        at.minus(GRANT_RETENTION).seconds(),
        at.minus(CLOCK_SKEW).seconds(),
    );
    sweep_composite(
        tx,
        &QUERY,
        (Grants::Table, [Grants::Id]),
        (until, latest),
        expiry,
    )
    .await
}

/// A grant ends when it is revoked, expires idle, or its unredeemed code expires. The idle expiry
/// is never later than the absolute one. There is an index on this expression.
pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(
        Func::coalesce(
            [
                Grants::RevokedAt,
                Grants::IdleExpiresAt,
                Grants::CodeExpiresAt,
            ]
            .map(Expr::col),
        )
        .into(),
        until,
    )
}

pub(super) async fn code_binding(
    tx: &mut dyn Executor,
    code: AuthorizationCodeDigest,
) -> Result<Option<CodeBinding>, StorageError> {
    let binding = Query::select()
        .columns(CODE_BINDING)
        .from(Grants::Table)
        .and_where(has_code(code))
        .take();
    fetch_optional(tx, &binding)
        .await?
        .map(|mut row| read_code_binding(&mut row))
        .transpose()
}

pub(super) const CODE_BINDING: [Grants; 6] = [
    Grants::ClientId,
    Grants::RedirectUri,
    Grants::ChallengeMethod,
    Grants::Challenge,
    Grants::SubjectId,
    Grants::Scopes,
];

/// Reads [`CODE_BINDING`].
pub(super) fn read_code_binding(row: &mut Row) -> Result<CodeBinding, StorageError> {
    Ok(CodeBinding {
        client: row.parsed("grants.client_id")?,
        redirect_uri: row.text("grants.redirect_uri")?,
        challenge: shared_columns::challenge(row)?,
        subject: row.parsed("grants.subject_id")?,
        scopes: shared_columns::scopes(row, "grants.scopes")?,
    })
}

pub(super) async fn redeem_authorization_code(
    tx: &mut dyn Executor,
    code: AuthorizationCodeDigest,
    proof: ClientProof,
    lifetimes: TokenLifetimes,
    at: Timestamp,
) -> Result<Redemption, StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    let expires_at = at.plus(lifetimes.absolute);
    let values: [SqlValue; 5] = [
        code.as_bytes().to_vec().into(),
        proof.as_str().into(),
        at.seconds().into(),
        at.plus(lifetimes.idle).min(expires_at).seconds().into(),
        expires_at.seconds().into(),
    ];
    for _ in 0..MAX_TRIES {
        let redeemed = tx
            .query(QUERY.bind(tx.dialect(), values.clone(), redemption)?)
            .await?;
        if let Some(mut row) = redeemed.into_iter().next() {
            return read(&mut row).map(Redemption::Redeemed);
        }
        if let Some(refusal) = why_not_redeemed(tx, code, at).await? {
            return Ok(refusal);
        }
    }
    Err(inconsistent_read())
}

fn redemption([code, proof, at, idle_expires_at, expires_at]: [Expr; 5]) -> UpdateStatement {
    Query::update()
        .table(Grants::Table)
        .values([
            (Grants::RedeemedAt, at.clone()),
            (Grants::Proof, proof),
            (Grants::Generation, Generation::FIRST.get().into()),
            (Grants::IdleExpiresAt, idle_expires_at),
            (Grants::ExpiresAt, expires_at),
        ])
        .and_where(Expr::col(Grants::CodeDigest).eq(code))
        .and_where(Expr::col(Grants::RedeemedAt).is_null())
        .and_where(Expr::col(Grants::RevokedAt).is_null())
        .and_where(Expr::col(Grants::CodeExpiresAt).gt(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take()
}

/// Returns the refusal, or `None` if the code has become redeemable since the first try.
async fn why_not_redeemed(
    tx: &mut dyn Executor,
    code: AuthorizationCodeDigest,
    now: Timestamp,
) -> Result<Option<Redemption>, StorageError> {
    let state = Query::select()
        .columns([
            Grants::Id,
            Grants::CodeExpiresAt,
            Grants::RedeemedAt,
            Grants::RevokedAt,
        ])
        .from(Grants::Table)
        .and_where(has_code(code))
        .lock(LockType::Update)
        .take();
    let Some(mut row) = fetch_optional(tx, &state).await? else {
        return Ok(Some(Redemption::NotFound));
    };
    let grant = row.parsed("grants.id")?;
    let code_expires_at = row.timestamp("grants.code_expires_at")?;
    if let Some(at) = row.optional(|row| row.timestamp("grants.redeemed_at"))? {
        execute(tx, &revocation(grant, now)).await?;
        return Ok(Some(Redemption::AlreadyRedeemed { grant, at }));
    }
    if row
        .optional(|row| row.timestamp("grants.revoked_at"))?
        .is_some()
    {
        return Ok(Some(Redemption::Revoked));
    }
    Ok((code_expires_at <= now).then_some(Redemption::Expired))
}

pub(super) async fn refresh_binding(
    tx: &mut dyn Executor,
    grant: GrantId,
) -> Result<Option<RefreshBinding>, StorageError> {
    let binding = Query::select()
        .columns(REFRESH_BINDING)
        .from(Grants::Table)
        .and_where(has_id(grant))
        .and_where(Expr::col(Grants::RedeemedAt).is_not_null())
        .take();
    fetch_optional(tx, &binding)
        .await?
        .map(|mut row| read_refresh_binding(&mut row))
        .transpose()
}

pub(super) const REFRESH_BINDING: [Grants; 5] = [
    Grants::ClientId,
    Grants::Proof,
    Grants::SubjectId,
    Grants::Scopes,
    Grants::Generation,
];

/// Reads [`REFRESH_BINDING`] of a redeemed grant.
pub(super) fn read_refresh_binding(row: &mut Row) -> Result<RefreshBinding, StorageError> {
    Ok(RefreshBinding {
        client: row.parsed("grants.client_id")?,
        proof: row.parsed("grants.proof")?,
        subject: row.parsed("grants.subject_id")?,
        scopes: shared_columns::scopes(row, "grants.scopes")?,
        generation: generation(row)?,
    })
}

pub(super) async fn rotate_refresh_token(
    tx: &mut dyn Executor,
    grant: GrantId,
    presented: Generation,
    lifetimes: TokenLifetimes,
    at: Timestamp,
) -> Result<Rotation, StorageError> {
    let Some(next) = presented.next() else {
        return why_not_rotated(tx, grant, presented, lifetimes, at)
            .await?
            .ok_or_else(inconsistent_read);
    };
    static QUERY: PreparedQuery = PreparedQuery::new();
    let values: [SqlValue; 5] = [
        grant.to_string().into(),
        i64::from(presented.get()).into(),
        i64::from(next.get()).into(),
        at.seconds().into(),
        at.plus(lifetimes.idle).seconds().into(),
    ];
    for _ in 0..MAX_TRIES {
        let rotated = tx
            .query(QUERY.bind(tx.dialect(), values.clone(), rotation)?)
            .await?;
        if let Some(mut row) = rotated.into_iter().next() {
            return read(&mut row).map(Rotation::Rotated);
        }
        if let Some(refusal) = why_not_rotated(tx, grant, presented, lifetimes, at).await? {
            return Ok(refusal);
        }
    }
    Err(inconsistent_read())
}

fn rotation([grant, presented, next, at, idle_expires_at]: [Expr; 5]) -> UpdateStatement {
    Query::update()
        .table(Grants::Table)
        .values([(Grants::Generation, next), (Grants::RotatedAt, at.clone())])
        .value(
            Grants::IdleExpiresAt,
            Func::least([idle_expires_at, Expr::col(Grants::ExpiresAt)]),
        )
        .and_where(Expr::col(Grants::Id).eq(grant))
        .and_where(is_live_at(at))
        .and_where(Expr::col(Grants::Generation).eq(presented))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take()
}

/// Returns the outcome other than a rotation, or `None` if the token has become current since the
/// first try.
async fn why_not_rotated(
    tx: &mut dyn Executor,
    id: GrantId,
    presented: Generation,
    lifetimes: TokenLifetimes,
    at: Timestamp,
) -> Result<Option<Rotation>, StorageError> {
    let state = Query::select()
        .columns(COLUMNS)
        .columns([Grants::RotatedAt, Grants::RevokedAt])
        .from(Grants::Table)
        .and_where(has_id(id))
        .and_where(Expr::col(Grants::RedeemedAt).is_not_null())
        .lock(LockType::Update)
        .take();
    let Some(mut row) = fetch_optional(tx, &state).await? else {
        return Ok(Some(Rotation::NotFound));
    };
    let grant = read(&mut row)?;
    let rotated_at = row.optional(|row| row.timestamp("grants.rotated_at"))?;
    let revoked_at = row.optional(|row| row.timestamp("grants.revoked_at"))?;
    if revoked_at.is_some() {
        return Ok(Some(Rotation::Revoked));
    }
    if grant.idle_expires_at <= at || grant.expires_at <= at {
        return Ok(Some(Rotation::Expired));
    }
    if presented > grant.generation {
        return Ok(Some(Rotation::NotFound));
    }
    if presented == grant.generation {
        return Ok(presented.next().is_none().then_some(Rotation::Expired));
    }
    let in_the_window =
        rotated_at.is_some_and(|rotated_at| at <= rotated_at.plus(lifetimes.retry_window));
    if presented.next() == Some(grant.generation) && in_the_window {
        return Ok(Some(Rotation::Repeated(grant)));
    }
    execute(tx, &revocation(id, at)).await?;
    Ok(Some(Rotation::Reused { grant: id }))
}

pub(super) async fn revoke_grant(
    tx: &mut dyn Executor,
    grant: GrantId,
    at: Timestamp,
) -> Result<bool, StorageError> {
    Ok(execute(tx, &revocation(grant, at)).await? > 0)
}

pub(super) async fn grant_is_live(
    tx: &mut dyn Executor,
    grant: GrantId,
    at: Timestamp,
) -> Result<bool, StorageError> {
    let live = Query::select()
        .column(Grants::Id)
        .from(Grants::Table)
        .and_where(has_id(grant))
        .and_where(is_live(at))
        .take();
    Ok(fetch_optional(tx, &live).await?.is_some())
}

/// Revokes a grant, which keeps the time of its first revocation.
fn revocation(grant: GrantId, at: Timestamp) -> UpdateStatement {
    Query::update()
        .table(Grants::Table)
        .value(Grants::RevokedAt, revoked_at(at))
        .and_where(has_id(grant))
        .take()
}

/// The time of the first revocation, or `at`.
pub(super) fn revoked_at(at: Timestamp) -> Expr {
    Func::coalesce([Expr::col(Grants::RevokedAt), Expr::value(at.seconds())]).into()
}

pub(super) fn has_id(grant: GrantId) -> Expr {
    Expr::col(Grants::Id).eq(grant.to_string())
}

fn has_code(code: AuthorizationCodeDigest) -> Expr {
    Expr::col(Grants::CodeDigest).eq(code.as_bytes().to_vec())
}

/// Whether a grant is redeemed and neither revoked nor expired. Before the redemption its expiries
/// are null, so the comparisons are not true.
pub(super) fn is_live(at: Timestamp) -> Expr {
    is_live_at(at.seconds().into())
}

fn is_live_at(at: Expr) -> Expr {
    Expr::col(Grants::RevokedAt)
        .is_null()
        .and(Expr::col(Grants::IdleExpiresAt).gt(at.clone()))
        .and(Expr::col(Grants::ExpiresAt).gt(at))
}

const COLUMNS: [Grants; 8] = [
    Grants::Id,
    Grants::ClientId,
    Grants::SubjectId,
    Grants::Scopes,
    Grants::Proof,
    Grants::Generation,
    Grants::IdleExpiresAt,
    Grants::ExpiresAt,
];

/// Reads [`COLUMNS`] of a redeemed grant.
fn read(row: &mut Row) -> Result<Grant, StorageError> {
    Ok(Grant {
        id: row.parsed("grants.id")?,
        client: row.parsed("grants.client_id")?,
        subject: row.parsed("grants.subject_id")?,
        scopes: shared_columns::scopes(row, "grants.scopes")?,
        proof: row.parsed("grants.proof")?,
        generation: generation(row)?,
        idle_expires_at: row.timestamp("grants.idle_expires_at")?,
        expires_at: row.timestamp("grants.expires_at")?,
    })
}

fn generation(row: &mut Row) -> Result<Generation, StorageError> {
    row.integer("grants.generation")?
        .try_into()
        .map(Generation::new)
        .map_err(|_| StorageError::corrupt("grants.generation"))
}
