//! People's sessions in the console, as operations.

use std::time::Duration;

use super::model::Outcome;
use super::names::{Names, SESSION_ENDS, USER_SESSION_IDLE};
use super::operation::Operation;
use crate::domain::UserSession;
use crate::store::{Storage, StorageError};

const IDLE: Duration = Duration::from_secs(USER_SESSION_IDLE.unsigned_abs());

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::OpenUserSession { session, subject, at } => {
            store.open_user_session(names.user_session_digest(session), opened(names, session, subject, at)).await?;
            Outcome::Opened
        }
        Operation::UserSession { digest, at } => {
            told(store.user_session(&names.user_session_digest(digest), IDLE, names.moment(at)).await?, names)
        }
        Operation::TouchUserSessions { sessions, at } => {
            let uses = sessions.into_iter().zip([at, at - 1]).filter(|(session, _)| *session > 0);
            store.touch_user_sessions(uses.map(|(session, at)| (names.user_session(session), names.moment(at))).collect()).await?;
            Outcome::Done
        }
        Operation::MoveUserSession { digest, replacement, at } => {
            let (digest, replacement) = (names.user_session_digest(digest), names.user_session_digest(replacement));
            told(store.move_user_session(&digest, replacement, IDLE, names.moment(at)).await?, names)
        }
        Operation::UserSessionsOf { subject, at } => {
            let shown = store.user_sessions_of(&names.subject(subject), IDLE, names.moment(at)).await?;
            let told = |session: UserSession| (names.number(&session.id, Names::user_session), names.seconds(session.last_used_at));
            Outcome::UserSessions(shown.into_iter().map(told).collect())
        }
        Operation::EndUserSession { subject, session } => {
            Outcome::Is(store.end_user_session(&names.subject(subject), names.user_session(session)).await?)
        }
        Operation::EndUserSessionsOf { subject, but } => {
            let but = (but > 0).then(|| names.user_session(but));
            Outcome::Removed(store.end_user_sessions_of(&names.subject(subject), but).await?)
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn opened(names: Names, session: u8, subject: u8, at: i64) -> UserSession {
    UserSession {
        id: names.user_session(session),
        subject: names.subject(subject),
        browser: None,
        created_at: names.moment(at),
        last_used_at: names.moment(at),
        expires_at: names.moment(at + SESSION_ENDS),
    }
}

fn told(session: Option<UserSession>, names: Names) -> Outcome {
    let Some(session) = session else { return Outcome::Unknown };
    let subject = names.number(&session.subject, Names::subject);
    let last_used_at = names.seconds(session.last_used_at);
    Outcome::UserSession { session: names.number(&session.id, Names::user_session), subject, last_used_at }
}
