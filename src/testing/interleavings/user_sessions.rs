//! Operations on user sessions in the console.

use std::cmp::Reverse;
use std::time::Duration;

use super::model::{Model, OperationOutcome};
use super::operation::Operation;
use super::run_ids::{RunIds, SESSION_LIFETIME, USER_SESSION_IDLE_TIMEOUT};
use super::store_handle::StoreHandle;
use crate::domain;
use crate::store::StorageError;

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* user_sessions {
        /// Opens a console session of a user, which expires after 600 seconds. Its digest has the
        /// session's number.
        [UnusedId] OpenUserSession { session: u8, subject: u8, $at: i64 },
        /// Reads the console session with a digest, unless it was idle for 100 seconds.
        [Read] UserSession { digest: u8, $at: i64 },
        /// Records uses of console sessions: the first at `at`, the second a second earlier; 0 for
        /// none.
        TouchUserSessions { sessions: [u8; 2], $at: i64 },
        /// Rotates the digest of a console session.
        [RandomId] MoveUserSession { digest: u8, replacement: u8, $at: i64 },
        /// Reads a user's console sessions.
        [Read] UserSessionsOf { subject: u8, $at: i64 },
        /// Ends one of a user's console sessions.
        EndUserSession { subject: u8, session: u8 },
        /// Ends all of a user's console sessions but one; 0 for none.
        EndUserSessionsOf { subject: u8, except: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

const IDLE_TIMEOUT: Duration = Duration::from_secs(USER_SESSION_IDLE_TIMEOUT.unsigned_abs());

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::OpenUserSession {
            session,
            subject,
            at,
        } => {
            store
                .open_user_session(
                    ids.user_session_digest(session),
                    opened(ids, session, subject, at),
                )
                .await?;
            OperationOutcome::Opened
        }
        Operation::UserSession { digest, at } => user_session_outcome(
            store
                .user_session(
                    &ids.user_session_digest(digest),
                    IDLE_TIMEOUT,
                    ids.timestamp(at),
                )
                .await?,
            ids,
        ),
        Operation::TouchUserSessions { sessions, at } => {
            let uses = sessions
                .into_iter()
                .zip([at, at - 1])
                .filter(|(session, _)| *session > 0);
            store
                .touch_user_sessions(
                    uses.map(|(session, at)| (ids.user_session(session), ids.timestamp(at)))
                        .collect(),
                    IDLE_TIMEOUT,
                )
                .await?;
            OperationOutcome::Done
        }
        Operation::MoveUserSession {
            digest,
            replacement,
            at,
        } => {
            let (digest, replacement) = (
                ids.user_session_digest(digest),
                ids.user_session_digest(replacement),
            );
            user_session_outcome(
                store
                    .rotate_user_session(&digest, replacement, IDLE_TIMEOUT, ids.timestamp(at))
                    .await?,
                ids,
            )
        }
        Operation::UserSessionsOf { subject, at } => {
            let shown = store
                .user_sessions_of(&ids.subject(subject), IDLE_TIMEOUT, ids.timestamp(at))
                .await?;
            let numbers = |session: domain::UserSession| {
                (
                    ids.index_of(&session.id, RunIds::user_session),
                    ids.offset(session.last_used_at),
                )
            };
            OperationOutcome::UserSessions(shown.into_iter().map(numbers).collect())
        }
        Operation::EndUserSession { subject, session } => OperationOutcome::Bool(
            store
                .end_user_session(&ids.subject(subject), ids.user_session(session))
                .await?,
        ),
        Operation::EndUserSessionsOf { subject, except } => {
            let except = (except > 0).then(|| ids.user_session(except));
            OperationOutcome::Removed(
                store
                    .end_user_sessions_of(&ids.subject(subject), except)
                    .await?,
            )
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::OpenUserSession {
            session, subject, ..
        } => [
            user_session_checks(session, at),
            vec![Operation::UserSessionsOf { subject, at }],
        ]
        .concat(),
        Operation::UserSession { digest, .. } => user_session_checks(digest, at),
        Operation::TouchUserSessions { .. } => vec![Operation::UserSessionsOf { subject: 1, at }],
        Operation::MoveUserSession {
            digest,
            replacement,
            ..
        } => [
            user_session_checks(digest, at),
            user_session_checks(replacement, at),
        ]
        .concat(),
        Operation::EndUserSession { subject, .. }
        | Operation::EndUserSessionsOf { subject, .. }
        | Operation::UserSessionsOf { subject, .. } => {
            vec![Operation::UserSessionsOf { subject, at }]
        }
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn opened(ids: RunIds, session: u8, subject: u8, at: i64) -> domain::UserSession {
    domain::UserSession {
        id: ids.user_session(session),
        subject: ids.subject(subject),
        browser: None,
        created_at: ids.timestamp(at),
        last_used_at: ids.timestamp(at),
        expires_at: ids.timestamp(at + SESSION_LIFETIME),
    }
}

fn user_session_outcome(session: Option<domain::UserSession>, ids: RunIds) -> OperationOutcome {
    let Some(session) = session else {
        return OperationOutcome::Unknown;
    };
    let subject = ids.index_of(&session.subject, RunIds::subject);
    let last_used_at = ids.offset(session.last_used_at);
    OperationOutcome::UserSession {
        session: ids.index_of(&session.id, RunIds::user_session),
        subject,
        last_used_at,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UserSession {
    subject: u8,
    digest: u8,
    last_used_at: i64,
    pub(super) expires_at: i64,
}

impl Model {
    pub(super) fn user_sessions(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::OpenUserSession {
                session,
                subject,
                at,
            } => {
                let opened = UserSession {
                    subject,
                    digest: session,
                    last_used_at: at,
                    expires_at: at + SESSION_LIFETIME,
                };
                self.user_sessions.insert(session, opened);
                OperationOutcome::Opened
            }
            Operation::UserSession { digest, at } => self
                .live_user_session(digest, at)
                .map_or(OperationOutcome::Unknown, |number| {
                    self.user_session_outcome(number)
                }),
            Operation::TouchUserSessions { sessions, at } => {
                for (session, at) in sessions.into_iter().zip([at, at - 1]) {
                    if let Some(session) = self.user_sessions.get_mut(&session)
                        && session.lives(at)
                    {
                        session.last_used_at = session.last_used_at.max(at);
                    }
                }
                OperationOutcome::Done
            }
            Operation::MoveUserSession {
                digest,
                replacement,
                at,
            } => {
                let Some(number) = self.live_user_session(digest, at) else {
                    return OperationOutcome::Unknown;
                };
                if let Some(session) = self.user_sessions.get_mut(&number) {
                    session.digest = replacement;
                }
                self.user_session_outcome(number)
            }
            Operation::UserSessionsOf { subject, at } => {
                let theirs = self
                    .user_sessions
                    .iter()
                    .filter(|(_, session)| session.subject == subject && session.lives(at));
                let mut shown: Vec<_> = theirs
                    .map(|(number, session)| (*number, session.last_used_at))
                    .collect();
                shown.sort_by_key(|(number, last_used_at)| (Reverse(*last_used_at), *number));
                OperationOutcome::UserSessions(shown)
            }
            Operation::EndUserSession { subject, session } => {
                let is_theirs = self
                    .user_sessions
                    .get(&session)
                    .is_some_and(|session| session.subject == subject);
                OperationOutcome::Bool(is_theirs && self.user_sessions.remove(&session).is_some())
            }
            Operation::EndUserSessionsOf { subject, except } => {
                let before = self.user_sessions.len();
                self.user_sessions
                    .retain(|number, session| session.subject != subject || *number == except);
                OperationOutcome::Removed(before - self.user_sessions.len())
            }
            _ => OperationOutcome::Unknown,
        }
    }

    fn live_user_session(&self, digest: u8, at: i64) -> Option<u8> {
        self.user_sessions
            .iter()
            .find(|(_, session)| session.digest == digest && session.lives(at))
            .map(|(number, _)| *number)
    }

    fn user_session_outcome(&self, number: u8) -> OperationOutcome {
        match self.user_sessions.get(&number) {
            Some(session) => OperationOutcome::UserSession {
                session: number,
                subject: session.subject,
                last_used_at: session.last_used_at,
            },
            None => OperationOutcome::Unknown,
        }
    }
}

impl UserSession {
    const fn lives(&self, at: i64) -> bool {
        at < self.last_used_at + USER_SESSION_IDLE_TIMEOUT && at < self.expires_at
    }
}

/// Reads a console session that may have expired; also at an earlier time, which shows whether it
/// was deleted.
fn user_session_checks(digest: u8, at: i64) -> Vec<Operation> {
    let moments = if at < SESSION_LIFETIME {
        vec![at]
    } else {
        vec![at, 0]
    };
    moments
        .into_iter()
        .map(|at| Operation::UserSession { digest, at })
        .collect()
}
