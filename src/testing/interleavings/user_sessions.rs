//! Operations on user sessions in the console.

use std::time::Duration;

use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::{RunIds, SESSION_LIFETIME, USER_SESSION_IDLE_TIMEOUT};
use crate::domain::UserSession;
use crate::store::{Storage, StorageError};

const IDLE_TIMEOUT: Duration = Duration::from_secs(USER_SESSION_IDLE_TIMEOUT.unsigned_abs());

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
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
            let told = |session: UserSession| {
                (
                    ids.index_of(&session.id, RunIds::user_session),
                    ids.offset(session.last_used_at),
                )
            };
            OperationOutcome::UserSessions(shown.into_iter().map(told).collect())
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

fn opened(ids: RunIds, session: u8, subject: u8, at: i64) -> UserSession {
    UserSession {
        id: ids.user_session(session),
        subject: ids.subject(subject),
        browser: None,
        created_at: ids.timestamp(at),
        last_used_at: ids.timestamp(at),
        expires_at: ids.timestamp(at + SESSION_LIFETIME),
    }
}

fn user_session_outcome(session: Option<UserSession>, ids: RunIds) -> OperationOutcome {
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
