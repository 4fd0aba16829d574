use std::cmp::Reverse;

use super::{Model, OperationOutcome};
use crate::testing::interleavings::operation::Operation;
use crate::testing::interleavings::run_ids::{SESSION_LIFETIME, USER_SESSION_IDLE_TIMEOUT};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UserSession {
    subject: u8,
    digest: u8,
    last_used_at: i64,
    pub(super) expires_at: i64,
}

impl Model {
    pub(super) fn perform_on_user_sessions(&mut self, operation: Operation) -> OperationOutcome {
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
                    if let Some(session) = self.user_sessions.get_mut(&session) {
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
