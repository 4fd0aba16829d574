//! Pending authorization sessions.

use sea_query::{Expr, ExprTrait, LockType, Query, ReturningClause};

use super::binding::{self, challenge};
use super::executor::{Executor, TRIES, change, contradiction, first};
use super::insert::insert;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::Sessions;
use super::{caps, consents, grants, scopes};
use crate::domain::{AuthorizationSession, SessionDigest, Subject, Timestamp};
use crate::store::sweep::CLOCKS_APART;
use crate::store::{Approval, ApprovalOutcome, ApprovedSession, Assent, SignIn, StorageError};

pub(super) async fn open_session(tx: &mut dyn Executor, digest: SessionDigest, pending: AuthorizationSession) -> Result<(), StorageError> {
    let (challenge_method, challenge) = binding::challenge_columns(pending.challenge.as_ref());
    let (subject_id, subject_email, subject_role) = subject_columns(pending.subject.as_ref());
    let session = insert(
        Sessions::Table,
        [
            (Sessions::Digest, digest.as_bytes().to_vec().into()),
            (Sessions::ClientId, pending.client.to_string().into()),
            (Sessions::RedirectUri, pending.redirect_uri.into()),
            (Sessions::State, pending.state.into()),
            (Sessions::Scopes, pending.scopes.to_string().into()),
            (Sessions::ChallengeMethod, challenge_method.into()),
            (Sessions::Challenge, challenge.into()),
            (Sessions::AskAgain, i64::from(pending.ask_again).into()),
            (Sessions::SubjectId, subject_id.into()),
            (Sessions::SubjectEmail, subject_email.into()),
            (Sessions::SubjectRole, subject_role.into()),
            (Sessions::CreatedAt, pending.created_at.seconds().into()),
            (Sessions::ExpiresAt, pending.expires_at.seconds().into()),
        ],
    );
    sweep_expired(tx, pending.created_at).await?;
    change(tx, &session).await?;
    Ok(())
}

async fn sweep_expired(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    sweep(tx, &SHAPE, (Sessions::Table, Sessions::Digest), at.minus(CLOCKS_APART).seconds(), expired).await.map(drop)
}

pub(super) fn expired() -> Ended {
    Ended::by(Expr::col(Sessions::ExpiresAt))
}

pub(super) async fn session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    at: Timestamp,
) -> Result<Option<AuthorizationSession>, StorageError> {
    let live = Query::select().columns(COLUMNS).from(Sessions::Table).and_where(is(digest)).and_where(is_live(at)).take();
    first(tx, &live).await?.map(read).transpose()
}

pub(super) async fn sign_in(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    replacement: SessionDigest,
    subject: Subject,
    at: Timestamp,
) -> Result<SignIn, StorageError> {
    let signed_in = Query::update()
        .table(Sessions::Table)
        .value(Sessions::Digest, replacement.as_bytes().to_vec())
        .value(Sessions::SubjectId, subject.id.as_str())
        .value(Sessions::SubjectEmail, subject.email.as_str())
        .value(Sessions::SubjectRole, subject.role.as_str())
        .and_where(is(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    Ok(match first(tx, &signed_in).await? {
        Some(row) => SignIn::SignedIn(read(row)?),
        None => SignIn::Unknown,
    })
}

pub(super) async fn sign_out(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    replacement: SessionDigest,
    at: Timestamp,
) -> Result<Option<AuthorizationSession>, StorageError> {
    let signed_out = Query::update()
        .table(Sessions::Table)
        .value(Sessions::Digest, replacement.as_bytes().to_vec())
        .values([Sessions::SubjectId, Sessions::SubjectEmail, Sessions::SubjectRole].map(|column| (column, Expr::null())))
        .and_where(is(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    first(tx, &signed_out).await?.map(read).transpose()
}

pub(super) async fn approve_session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    approval: Approval,
    at: Timestamp,
) -> Result<ApprovalOutcome, StorageError> {
    let taken = Query::delete()
        .from_table(Sessions::Table)
        .and_where(is(digest))
        .and_where(is_live(at))
        .and_where(Expr::col(Sessions::SubjectId).is_not_null())
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    for _ in 0..TRIES {
        if let Some(row) = first(tx, &taken).await? {
            return approve(tx, row, &approval, at).await;
        }
        if let Some(refusal) = why_not_approved(tx, digest, at).await? {
            return Ok(refusal);
        }
    }
    Err(contradiction())
}

async fn approve(tx: &mut dyn Executor, row: Row, approval: &Approval, at: Timestamp) -> Result<ApprovalOutcome, StorageError> {
    let mut approved = read(row)?;
    // A request that read a scope before its deletion may have opened this session after the deletion had searched the sessions.
    approved.scopes = scopes::existing(tx, &approved.scopes).await?;
    let Some(subject) = &approved.subject else {
        return Err(StorageError::corrupt("sessions.subject_id"));
    };
    // Grants before consents, as everywhere.
    let replaced = caps::make_room_for_grant(tx, &subject.id, approved.client, approval.caps, at).await?;
    if approval.assent == Assent::Earlier && !consents::covers(tx, &subject.id, &approved, at).await? {
        tx.undo();
        return Ok(ApprovalOutcome::NotConsented);
    }
    grants::create(tx, &approved, &subject.id, approval, at).await?;
    if approval.assent == Assent::Remembered {
        caps::make_room_for_consent(tx, &subject.id, approved.client, approval.caps).await?;
        consents::remember(tx, &subject.id, &approved, at).await?;
    }
    Ok(ApprovalOutcome::Approved(Box::new(ApprovedSession { session: approved, replaced })))
}

/// The refusal, or nothing when somebody has signed in since the session was tried.
async fn why_not_approved(tx: &mut dyn Executor, digest: SessionDigest, at: Timestamp) -> Result<Option<ApprovalOutcome>, StorageError> {
    let state = Query::select()
        .column(Sessions::SubjectId)
        .from(Sessions::Table)
        .and_where(is(digest))
        .and_where(is_live(at))
        .lock(LockType::Update)
        .take();
    let Some(mut row) = first(tx, &state).await? else { return Ok(Some(ApprovalOutcome::Unknown)) };
    let subject = row.optional(|row| row.text("sessions.subject_id"))?;
    Ok(subject.is_none().then_some(ApprovalOutcome::NotSignedIn))
}

pub(super) async fn close_session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    at: Timestamp,
) -> Result<Option<AuthorizationSession>, StorageError> {
    let closed = Query::delete()
        .from_table(Sessions::Table)
        .and_where(is(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    first(tx, &closed).await?.map(read).transpose()
}

fn is(digest: SessionDigest) -> Expr {
    Expr::col(Sessions::Digest).eq(digest.as_bytes().to_vec())
}

fn is_live(at: Timestamp) -> Expr {
    Expr::col(Sessions::ExpiresAt).gt(at.seconds())
}

const COLUMNS: [Sessions; 12] = [
    Sessions::ClientId,
    Sessions::RedirectUri,
    Sessions::State,
    Sessions::Scopes,
    Sessions::ChallengeMethod,
    Sessions::Challenge,
    Sessions::AskAgain,
    Sessions::SubjectId,
    Sessions::SubjectEmail,
    Sessions::SubjectRole,
    Sessions::CreatedAt,
    Sessions::ExpiresAt,
];

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<AuthorizationSession, StorageError> {
    Ok(AuthorizationSession {
        client: row.parsed("sessions.client_id")?,
        redirect_uri: row.text("sessions.redirect_uri")?,
        state: row.optional(|row| row.text("sessions.state"))?,
        scopes: binding::scopes(&mut row, "sessions.scopes")?,
        challenge: challenge(&mut row)?,
        ask_again: row.flag("sessions.ask_again")?,
        subject: subject(&mut row)?,
        created_at: row.time("sessions.created_at")?,
        expires_at: row.time("sessions.expires_at")?,
    })
}

/// The subject's id, address and role.
fn subject_columns(subject: Option<&Subject>) -> (Option<String>, Option<String>, Option<&'static str>) {
    match subject {
        Some(subject) => (Some(subject.id.as_str().to_owned()), Some(subject.email.as_str().to_owned()), Some(subject.role.as_str())),
        None => (None, None, None),
    }
}

/// Reads what [`subject_columns`] wrote.
fn subject(row: &mut Row) -> Result<Option<Subject>, StorageError> {
    let id = row.optional(|row| row.parsed("subject_id"))?;
    let email = row.optional(|row| row.parsed("subject_email"))?;
    let role = row.optional(|row| row.parsed("subject_role"))?;
    match (id, email, role) {
        (None, None, None) => Ok(None),
        (Some(id), Some(email), Some(role)) => Ok(Some(Subject { id, email, role, number: None })),
        _ => Err(StorageError::corrupt("subject_id")),
    }
}
