//! Users' sessions in the console.

use std::time::Duration;

use sea_query::{Expr, ExprTrait, Order, Query, ReturningClause};

use super::executor::{Executor, execute, fetch_all, fetch_optional};
use super::prepared_query::PreparedQuery;
use super::retention::{ExpiryCondition, insert_and_sweep};
use super::row::Row;
use super::row_locks::lock_rows;
use super::tables::UserSessions;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::{MAX_LISTED_USER_SESSIONS, StorageError};

pub(super) async fn open_user_session(
    tx: &mut dyn Executor,
    digest: UserSessionDigest,
    session: UserSession,
) -> Result<(), StorageError> {
    static SWEEP: PreparedQuery = PreparedQuery::new();
    let row = [
        (UserSessions::Id, session.id.to_string().into()),
        (UserSessions::Digest, digest.as_bytes().to_vec().into()),
        (UserSessions::SubjectId, session.subject.as_str().into()),
        (
            UserSessions::Browser,
            session
                .browser
                .map(|browser| browser.as_str().to_owned())
                .into(),
        ),
        (UserSessions::CreatedAt, session.created_at.seconds().into()),
        (
            UserSessions::LastUsedAt,
            session.last_used_at.seconds().into(),
        ),
        (UserSessions::ExpiresAt, session.expires_at.seconds().into()),
    ];
    insert_and_sweep(
        tx,
        &SWEEP,
        UserSessions::Table,
        row,
        session.created_at,
        expiry,
    )
    .await
}

pub(super) fn expiry(until: Expr) -> ExpiryCondition {
    ExpiryCondition::new(Expr::col(UserSessions::ExpiresAt), until)
}

pub(super) async fn user_session(
    tx: &mut dyn Executor,
    digest: UserSessionDigest,
    idle: Duration,
    at: Timestamp,
) -> Result<Option<UserSession>, StorageError> {
    let live = Query::select()
        .columns(COLUMNS)
        .from(UserSessions::Table)
        .and_where(has_digest(digest))
        .and_where(is_live_at(at, idle))
        .take();
    fetch_optional(tx, &live).await?.map(read).transpose()
}

/// Updates rows in the order of their ids, so that concurrent batches cannot deadlock, and each row
/// in the order of its uses.
pub(super) async fn touch_user_sessions(
    tx: &mut dyn Executor,
    mut uses: Vec<(UserSessionId, Timestamp)>,
    idle: Duration,
) -> Result<(), StorageError> {
    static QUERY: PreparedQuery = PreparedQuery::new();
    uses.sort_unstable();
    for (id, at) in uses {
        let values = [
            id.to_string().into(),
            at.seconds().into(),
            at.minus(idle).seconds().into(),
        ];
        let used = QUERY.bind(tx.dialect(), values, |[id, at, idle_since]| {
            Query::update()
                .table(UserSessions::Table)
                .value(UserSessions::LastUsedAt, at.clone())
                .and_where(Expr::col(UserSessions::Id).eq(id))
                .and_where(Expr::col(UserSessions::LastUsedAt).lt(at.clone()))
                .and_where(is_live(idle_since, at))
                .take()
        })?;
        tx.execute(used).await?;
    }
    Ok(())
}

pub(super) async fn rotate_user_session(
    tx: &mut dyn Executor,
    digest: UserSessionDigest,
    replacement: UserSessionDigest,
    idle: Duration,
    at: Timestamp,
) -> Result<Option<UserSession>, StorageError> {
    let update = Query::update()
        .table(UserSessions::Table)
        .value(UserSessions::Digest, replacement.as_bytes().to_vec())
        .and_where(has_digest(digest))
        .and_where(is_live_at(at, idle))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    fetch_optional(tx, &update).await?.map(read).transpose()
}

pub(super) async fn user_sessions_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
    idle: Duration,
    at: Timestamp,
) -> Result<Vec<UserSession>, StorageError> {
    let live = Query::select()
        .columns(COLUMNS)
        .from(UserSessions::Table)
        .and_where(has_subject(&subject))
        .and_where(is_live_at(at, idle))
        .order_by(UserSessions::LastUsedAt, Order::Desc)
        .order_by(UserSessions::Id, Order::Asc)
        .limit(MAX_LISTED_USER_SESSIONS as u64)
        .take();
    fetch_all(tx, &live).await?.into_iter().map(read).collect()
}

pub(super) async fn end_user_session(
    tx: &mut dyn Executor,
    subject: SubjectId,
    session: UserSessionId,
) -> Result<bool, StorageError> {
    let condition = has_id(session).and(has_subject(&subject));
    Ok(execute(
        tx,
        &Query::delete()
            .from_table(UserSessions::Table)
            .and_where(condition)
            .take(),
    )
    .await?
        > 0)
}

pub(super) async fn end_user_sessions_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
    except: Option<UserSessionId>,
) -> Result<usize, StorageError> {
    let condition = match except {
        Some(one) => has_subject(&subject).and(has_id(one).not()),
        None => has_subject(&subject),
    };
    lock_rows(
        tx,
        UserSessions::Table,
        UserSessions::Id,
        condition.clone().into(),
    )
    .await?;
    let ended = execute(
        tx,
        &Query::delete()
            .from_table(UserSessions::Table)
            .and_where(condition)
            .take(),
    )
    .await?;
    Ok(usize::try_from(ended).unwrap_or(usize::MAX))
}

fn has_id(id: UserSessionId) -> Expr {
    Expr::col(UserSessions::Id).eq(id.to_string())
}

fn has_digest(digest: UserSessionDigest) -> Expr {
    Expr::col(UserSessions::Digest).eq(digest.as_bytes().to_vec())
}

fn has_subject(subject: &SubjectId) -> Expr {
    Expr::col(UserSessions::SubjectId).eq(subject.as_str())
}

fn is_live_at(at: Timestamp, idle: Duration) -> Expr {
    is_live(
        Expr::value(at.minus(idle).seconds()),
        Expr::value(at.seconds()),
    )
}

/// Whether a session is live at a time, if sessions that were last used at `idle_since` end then.
fn is_live(idle_since: Expr, at: Expr) -> Expr {
    let is_used = Expr::col(UserSessions::LastUsedAt).gt(idle_since);
    is_used.and(Expr::col(UserSessions::ExpiresAt).gt(at))
}

const COLUMNS: [UserSessions; 6] = [
    UserSessions::Id,
    UserSessions::SubjectId,
    UserSessions::Browser,
    UserSessions::CreatedAt,
    UserSessions::LastUsedAt,
    UserSessions::ExpiresAt,
];

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<UserSession, StorageError> {
    Ok(UserSession {
        id: row.parsed("user_sessions.id")?,
        subject: row.parsed("user_sessions.subject_id")?,
        browser: row.optional(|row| row.parsed("user_sessions.browser"))?,
        created_at: row.timestamp("user_sessions.created_at")?,
        last_used_at: row.timestamp("user_sessions.last_used_at")?,
        expires_at: row.timestamp("user_sessions.expires_at")?,
    })
}
