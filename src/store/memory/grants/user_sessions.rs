use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;

use super::super::MemoryStore;
use super::super::lock::{read_lock, write_lock};
use super::super::time_index::TimeIndex;
use super::random_collision;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::retention::CLOCK_SKEW;
use crate::store::{MAX_LISTED_USER_SESSIONS, StorageError, UserSessionStore};

/// Console sessions by id and by digest, with an index by expiry.
#[derive(Default)]
pub(super) struct UserSessions {
    rows: HashMap<UserSessionId, (UserSessionDigest, UserSession)>,
    digests: HashMap<UserSessionDigest, UserSessionId>,
    by_end: TimeIndex<Timestamp, UserSessionId>,
}

impl UserSessions {
    fn live(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Option<&UserSession> {
        let (_, session) = self.rows.get(self.digests.get(digest)?)?;
        is_live(session, idle, at).then_some(session)
    }

    fn insert(&mut self, digest: UserSessionDigest, session: UserSession) {
        self.digests.insert(digest, session.id);
        self.by_end.insert(session.expires_at, session.id);
        self.rows.insert(session.id, (digest, session));
    }

    fn remove(&mut self, id: UserSessionId) -> Option<UserSession> {
        let (digest, session) = self.rows.remove(&id)?;
        self.digests.remove(&digest);
        self.by_end.remove(session.expires_at, id);
        Some(session)
    }

    /// Ends the sessions of a user, except one if given, and returns their number.
    pub(super) fn remove_by_subject(
        &mut self,
        subject: &SubjectId,
        except: Option<UserSessionId>,
    ) -> usize {
        let sessions = self
            .rows
            .values()
            .filter(|(_, session)| session.subject == *subject && Some(session.id) != except);
        let ended: Vec<_> = sessions.map(|(_, session)| session.id).collect();
        for id in &ended {
            self.remove(*id);
        }
        ended.len()
    }

    /// Deletes some of the expired sessions.
    fn sweep(&mut self, at: Timestamp) {
        for id in self.by_end.pop_until(at.minus(CLOCK_SKEW)) {
            self.remove(id);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(
            [self.rows.len(); 2],
            [self.digests.len(), self.by_end.len()]
        );
        self.rows.len()
    }
}

fn is_live(session: &UserSession, idle: Duration, at: Timestamp) -> bool {
    at.minus(idle) < session.last_used_at && at < session.expires_at
}

#[async_trait]
impl UserSessionStore for MemoryStore {
    async fn open_user_session(
        &self,
        digest: UserSessionDigest,
        session: UserSession,
    ) -> Result<(), StorageError> {
        let sessions = &mut write_lock(&self.grants).user_sessions;
        if sessions.digests.contains_key(&digest) || sessions.rows.contains_key(&session.id) {
            return Err(random_collision("opening a session in the console"));
        }
        sessions.sweep(session.created_at);
        sessions.insert(digest, session);
        Ok(())
    }

    async fn user_session(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        Ok(read_lock(&self.grants)
            .user_sessions
            .live(digest, idle, at)
            .cloned())
    }

    async fn touch_user_sessions(
        &self,
        mut uses: Vec<(UserSessionId, Timestamp)>,
        idle: Duration,
    ) -> Result<(), StorageError> {
        uses.sort_unstable_by_key(|(_, at)| *at);
        let sessions = &mut write_lock(&self.grants).user_sessions;
        for (id, at) in uses {
            if let Some((_, session)) = sessions.rows.get_mut(&id)
                && is_live(session, idle, at)
            {
                session.last_used_at = session.last_used_at.max(at);
            }
        }
        Ok(())
    }

    async fn rotate_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        let sessions = &mut write_lock(&self.grants).user_sessions;
        let Some(session) = sessions.live(digest, idle, at).cloned() else {
            return Ok(None);
        };
        if sessions.digests.contains_key(&replacement) {
            return Err(random_collision("moving a session in the console"));
        }
        sessions.remove(session.id);
        sessions.insert(replacement, session.clone());
        Ok(Some(session))
    }

    async fn user_sessions_of(
        &self,
        subject: &SubjectId,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Vec<UserSession>, StorageError> {
        let grants = read_lock(&self.grants);
        let sessions = grants
            .user_sessions
            .rows
            .values()
            .map(|(_, session)| session);
        let mut shown: Vec<_> = sessions
            .filter(|session| session.subject == *subject && is_live(session, idle, at))
            .cloned()
            .collect();
        shown.sort_by_key(|session| (Reverse(session.last_used_at), session.id));
        shown.truncate(MAX_LISTED_USER_SESSIONS);
        Ok(shown)
    }

    async fn end_user_session(
        &self,
        subject: &SubjectId,
        session: UserSessionId,
    ) -> Result<bool, StorageError> {
        let sessions = &mut write_lock(&self.grants).user_sessions;
        let is_theirs = sessions
            .rows
            .get(&session)
            .is_some_and(|(_, session)| session.subject == *subject);
        Ok(is_theirs && sessions.remove(session).is_some())
    }

    async fn end_user_sessions_of(
        &self,
        subject: &SubjectId,
        except: Option<UserSessionId>,
    ) -> Result<usize, StorageError> {
        Ok(write_lock(&self.grants)
            .user_sessions
            .remove_by_subject(subject, except))
    }
}
