//! People's sessions in the console.

use std::time::Duration;

use sea_query::{Expr, ExprTrait, Order, Query, ReturningClause};

use super::executor::{Executor, all, change, first};
use super::insert::insert;
use super::lock::lock;
use super::row::Row;
use super::shape::Shape;
use super::sweep::{Ended, sweep};
use super::tables::UserSessions;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::sweep::CLOCKS_APART;
use crate::store::{StorageError, USER_SESSIONS_SHOWN};

pub(super) async fn open_user_session(tx: &mut dyn Executor, digest: UserSessionDigest, session: UserSession) -> Result<(), StorageError> {
    let row = insert(
        UserSessions::Table,
        [
            (UserSessions::Id, session.id.to_string().into()),
            (UserSessions::Digest, digest.as_bytes().to_vec().into()),
            (UserSessions::SubjectId, session.subject.as_str().into()),
            (UserSessions::Browser, session.browser.map(|browser| browser.as_str().to_owned()).into()),
            (UserSessions::CreatedAt, session.created_at.seconds().into()),
            (UserSessions::LastUsedAt, session.last_used_at.seconds().into()),
            (UserSessions::ExpiresAt, session.expires_at.seconds().into()),
        ],
    );
    sweep_ended(tx, session.created_at).await?;
    change(tx, &row).await?;
    Ok(())
}

async fn sweep_ended(tx: &mut dyn Executor, at: Timestamp) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    sweep(tx, &SHAPE, (UserSessions::Table, UserSessions::Id), at.minus(CLOCKS_APART).seconds(), ended).await.map(drop)
}

pub(super) fn ended() -> Ended {
    Ended::by(Expr::col(UserSessions::ExpiresAt))
}

pub(super) async fn user_session(
    tx: &mut dyn Executor,
    digest: UserSessionDigest,
    idle: Duration,
    at: Timestamp,
) -> Result<Option<UserSession>, StorageError> {
    let live = Query::select().columns(COLUMNS).from(UserSessions::Table).and_where(has(digest)).and_where(lives(idle, at)).take();
    first(tx, &live).await?.map(read).transpose()
}

/// In the order of their ids, so that of two batches neither waits for the other in a circle.
pub(super) async fn touch_user_sessions(tx: &mut dyn Executor, mut uses: Vec<(UserSessionId, Timestamp)>) -> Result<(), StorageError> {
    static SHAPE: Shape = Shape::new();
    uses.sort_unstable();
    for (id, at) in uses {
        let used = SHAPE.bind(tx.dialect(), [at.seconds().into(), id.to_string().into(), at.seconds().into()], || {
            Query::update()
                .table(UserSessions::Table)
                .value(UserSessions::LastUsedAt, 0)
                .and_where(is(id))
                .and_where(Expr::col(UserSessions::LastUsedAt).lt(0))
                .take()
        });
        tx.execute(used).await?;
    }
    Ok(())
}

pub(super) async fn move_user_session(
    tx: &mut dyn Executor,
    digest: UserSessionDigest,
    replacement: UserSessionDigest,
    idle: Duration,
    at: Timestamp,
) -> Result<Option<UserSession>, StorageError> {
    let moved = Query::update()
        .table(UserSessions::Table)
        .value(UserSessions::Digest, replacement.as_bytes().to_vec())
        .and_where(has(digest))
        .and_where(lives(idle, at))
        .returning(ReturningClause::Columns(COLUMNS.map(Into::into).into()))
        .take();
    first(tx, &moved).await?.map(read).transpose()
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
        .and_where(is_of(&subject))
        .and_where(lives(idle, at))
        .order_by(UserSessions::LastUsedAt, Order::Desc)
        .order_by(UserSessions::Id, Order::Asc)
        .limit(USER_SESSIONS_SHOWN as u64)
        .take();
    all(tx, &live).await?.into_iter().map(read).collect()
}

pub(super) async fn end_user_session(tx: &mut dyn Executor, subject: SubjectId, session: UserSessionId) -> Result<bool, StorageError> {
    let theirs = is(session).and(is_of(&subject));
    Ok(change(tx, &Query::delete().from_table(UserSessions::Table).and_where(theirs).take()).await? > 0)
}

pub(super) async fn end_user_sessions_of(
    tx: &mut dyn Executor,
    subject: SubjectId,
    but: Option<UserSessionId>,
) -> Result<usize, StorageError> {
    let theirs = match but {
        Some(one) => is_of(&subject).and(is(one).not()),
        None => is_of(&subject),
    };
    lock(tx, UserSessions::Table, UserSessions::Id, theirs.clone().into()).await?;
    let ended = change(tx, &Query::delete().from_table(UserSessions::Table).and_where(theirs).take()).await?;
    Ok(usize::try_from(ended).unwrap_or(usize::MAX))
}

fn is(id: UserSessionId) -> Expr {
    Expr::col(UserSessions::Id).eq(id.to_string())
}

fn has(digest: UserSessionDigest) -> Expr {
    Expr::col(UserSessions::Digest).eq(digest.as_bytes().to_vec())
}

fn is_of(subject: &SubjectId) -> Expr {
    Expr::col(UserSessions::SubjectId).eq(subject.as_str())
}

fn lives(idle: Duration, at: Timestamp) -> Expr {
    let is_used = Expr::col(UserSessions::LastUsedAt).gt(at.minus(idle).seconds());
    is_used.and(Expr::col(UserSessions::ExpiresAt).gt(at.seconds()))
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
        created_at: row.time("user_sessions.created_at")?,
        last_used_at: row.time("user_sessions.last_used_at")?,
        expires_at: row.time("user_sessions.expires_at")?,
    })
}
