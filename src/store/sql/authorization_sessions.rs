//! Pending authorization sessions.

use sea_query::{Expr, ExprTrait, LockType, Query, ReturningClause};

use super::executor::{Executor, MAX_TRIES, fetch_optional, inconsistent_read};
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, insert_and_sweep};
use super::row::Row;
use super::shared_columns::{self, challenge};
use super::tables::Sessions;
use super::{approval_limits, consents, grants, scopes};
use crate::domain::{AuthorizationSession, Prompt, SessionDigest, Subject, Timestamp};
use crate::store::{Approval, ApprovalOutcome, ApprovedSession, ConsentMode, SignIn, StorageError};

pub(super) async fn open_session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    pending: AuthorizationSession,
) -> Result<(), StorageError> {
    static SWEEP: PreparedQuery = PreparedQuery::new();
    let (challenge_method, challenge) =
        shared_columns::challenge_columns(pending.challenge.as_ref());
    let (subject_id, subject_email, subject_role) = subject_columns(pending.subject.as_ref());
    let row = [
        (Sessions::Digest, digest.as_bytes().to_vec().into()),
        (Sessions::ClientId, pending.client.to_string().into()),
        (Sessions::RedirectUri, pending.redirect_uri.into()),
        (Sessions::State, pending.state.into()),
        (Sessions::Scopes, pending.scopes.to_string().into()),
        (Sessions::ChallengeMethod, challenge_method.into()),
        (Sessions::Challenge, challenge.into()),
        (Sessions::AskAgain, i64::from(pending.prompt.consent).into()),
        (
            Sessions::PromptLogin,
            i64::from(pending.prompt.login).into(),
        ),
        (Sessions::SubjectId, subject_id.into()),
        (Sessions::SubjectEmail, subject_email.into()),
        (Sessions::SubjectRole, subject_role.into()),
        (Sessions::CreatedAt, pending.created_at.seconds().into()),
        (Sessions::ExpiresAt, pending.expires_at.seconds().into()),
    ];
    insert_and_sweep(tx, &SWEEP, Sessions::Table, row, pending.created_at, expiry).await
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(Sessions::ExpiresAt), until)
}

pub(super) async fn session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    at: Timestamp,
) -> Result<Option<AuthorizationSession>, StorageError> {
    let live = Query::select()
        .columns(COLUMNS)
        .from(Sessions::Table)
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .take();
    fetch_optional(tx, &live).await?.map(read).transpose()
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
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    Ok(match fetch_optional(tx, &signed_in).await? {
        Some(row) => SignIn::SignedIn(read(row)?),
        None => SignIn::NotFound,
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
        .values(
            [
                Sessions::SubjectId,
                Sessions::SubjectEmail,
                Sessions::SubjectRole,
            ]
            .map(|column| (column, Expr::null())),
        )
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    fetch_optional(tx, &signed_out).await?.map(read).transpose()
}

pub(super) async fn approve_session(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    approval: Approval,
    at: Timestamp,
) -> Result<ApprovalOutcome, StorageError> {
    let delete = Query::delete()
        .from_table(Sessions::Table)
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .and_where(Expr::col(Sessions::SubjectId).is_not_null())
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    for _ in 0..MAX_TRIES {
        if let Some(row) = fetch_optional(tx, &delete).await? {
            return approve(tx, row, &approval, at).await;
        }
        if let Some(refusal) = why_not_approved(tx, digest, at).await? {
            return Ok(refusal);
        }
    }
    Err(inconsistent_read())
}

async fn approve(
    tx: &mut dyn Executor,
    row: Row,
    approval: &Approval,
    at: Timestamp,
) -> Result<ApprovalOutcome, StorageError> {
    let mut approved = read(row)?;
    // A scope may have been deleted after the request read it and before this session was opened.
    // The deletion did not find this session.
    approved.scopes = scopes::existing(tx, &approved.scopes).await?;
    let Some(subject) = &approved.subject else {
        return Err(StorageError::corrupt("sessions.subject_id"));
    };
    // Grants are locked before consents, as everywhere.
    let replaced =
        approval_limits::enforce_grant_limit(tx, &subject.id, approved.client, approval.limits, at)
            .await?;
    if approval.consent_mode == ConsentMode::Existing
        && !consents::covers(tx, &subject.id, &approved, at).await?
    {
        tx.set_rollback_only();
        return Ok(ApprovalOutcome::ConsentRequired);
    }
    grants::create(tx, &approved, &subject.id, approval, at).await?;
    if approval.consent_mode == ConsentMode::Remembered {
        approval_limits::enforce_consent_limit(tx, &subject.id, approved.client, approval.limits)
            .await?;
        consents::record(tx, &subject.id, &approved, at).await?;
    }
    Ok(ApprovalOutcome::Approved(Box::new(ApprovedSession {
        session: approved,
        replaced,
    })))
}

/// Returns the refusal, or `None` if a user has signed in since the first try.
async fn why_not_approved(
    tx: &mut dyn Executor,
    digest: SessionDigest,
    at: Timestamp,
) -> Result<Option<ApprovalOutcome>, StorageError> {
    let state = Query::select()
        .column(Sessions::SubjectId)
        .from(Sessions::Table)
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .lock(LockType::Update)
        .take();
    let Some(mut row) = fetch_optional(tx, &state).await? else {
        return Ok(Some(ApprovalOutcome::NotFound));
    };
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
        .and_where(has_digest(digest))
        .and_where(is_live(at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    fetch_optional(tx, &closed).await?.map(read).transpose()
}

fn has_digest(digest: SessionDigest) -> Expr {
    Expr::col(Sessions::Digest).eq(digest.as_bytes().to_vec())
}

fn is_live(at: Timestamp) -> Expr {
    Expr::col(Sessions::ExpiresAt).gt(at.seconds())
}

const COLUMNS: [Sessions; 13] = [
    Sessions::ClientId,
    Sessions::RedirectUri,
    Sessions::State,
    Sessions::Scopes,
    Sessions::ChallengeMethod,
    Sessions::Challenge,
    Sessions::AskAgain,
    Sessions::PromptLogin,
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
        scopes: shared_columns::scopes(&mut row, "sessions.scopes")?,
        challenge: challenge(&mut row)?,
        prompt: Prompt {
            consent: row.boolean("sessions.ask_again")?,
            login: row.boolean("sessions.prompt_login")?,
        },
        subject: subject(&mut row)?,
        created_at: row.timestamp("sessions.created_at")?,
        expires_at: row.timestamp("sessions.expires_at")?,
    })
}

/// The subject's id, e-mail address and role.
fn subject_columns(
    subject: Option<&Subject>,
) -> (Option<String>, Option<String>, Option<&'static str>) {
    match subject {
        Some(subject) => (
            Some(subject.id.as_str().to_owned()),
            Some(subject.email.as_str().to_owned()),
            Some(subject.role.as_str()),
        ),
        None => (None, None, None),
    }
}

/// Reads the columns of [`subject_columns`].
fn subject(row: &mut Row) -> Result<Option<Subject>, StorageError> {
    let id = row.optional(|row| row.parsed("subject_id"))?;
    let email = row.optional(|row| row.parsed("subject_email"))?;
    let role = row.optional(|row| row.parsed("subject_role"))?;
    match (id, email, role) {
        (None, None, None) => Ok(None),
        (Some(id), Some(email), Some(role)) => Ok(Some(Subject {
            id,
            email,
            role,
            numeric_id: None,
            student: None,
        })),
        _ => Err(StorageError::corrupt("subject_id")),
    }
}
