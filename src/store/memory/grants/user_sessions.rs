use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;

use super::super::MemoryStore;
use super::super::ends::Ends;
use super::super::lock::{reading, writing};
use super::not_random;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::sweep::CLOCKS_APART;
use crate::store::{StorageError, USER_SESSIONS_SHOWN, UserSessionStore};

/// People's sessions in the console by id and by digest, also in the order in which they end.
#[derive(Default)]
pub(super) struct UserSessions {
    rows: HashMap<UserSessionId, (UserSessionDigest, UserSession)>,
    digests: HashMap<UserSessionDigest, UserSessionId>,
    ends: Ends<Timestamp, UserSessionId>,
}

impl UserSessions {
    fn live(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> Option<&UserSession> {
        let (_, session) = self.rows.get(self.digests.get(digest)?)?;
        lives(session, idle, at).then_some(session)
    }

    fn insert(&mut self, digest: UserSessionDigest, session: UserSession) {
        self.digests.insert(digest, session.id);
        self.ends.insert(session.expires_at, session.id);
        self.rows.insert(session.id, (digest, session));
    }

    fn remove(&mut self, id: UserSessionId) -> Option<UserSession> {
        let (digest, session) = self.rows.remove(&id)?;
        self.digests.remove(&digest);
        self.ends.remove(session.expires_at, id);
        Some(session)
    }

    /// Ends a person's sessions but one, and says how many those were.
    pub(super) fn end_of(&mut self, subject: &SubjectId, but: Option<UserSessionId>) -> usize {
        let theirs = self.rows.values().filter(|(_, session)| session.subject == *subject && Some(session.id) != but);
        let ended: Vec<_> = theirs.map(|(_, session)| session.id).collect();
        for id in &ended {
            self.remove(*id);
        }
        ended.len()
    }

    /// Takes some of the sessions away that have had their time.
    fn sweep(&mut self, at: Timestamp) {
        for id in self.ends.take(at.minus(CLOCKS_APART)) {
            self.remove(id);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!([self.rows.len(); 2], [self.digests.len(), self.ends.len()]);
        self.rows.len()
    }
}

fn lives(session: &UserSession, idle: Duration, at: Timestamp) -> bool {
    at.minus(idle) < session.last_used_at && at < session.expires_at
}

#[async_trait]
impl UserSessionStore for MemoryStore {
    async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> Result<(), StorageError> {
        let sessions = &mut writing(&self.grants).user_sessions;
        if sessions.digests.contains_key(&digest) || sessions.rows.contains_key(&session.id) {
            return Err(not_random("opening a session in the console"));
        }
        sessions.sweep(session.created_at);
        sessions.insert(digest, session);
        Ok(())
    }

    async fn user_session(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> Result<Option<UserSession>, StorageError> {
        Ok(reading(&self.grants).user_sessions.live(digest, idle, at).cloned())
    }

    async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>) -> Result<(), StorageError> {
        let sessions = &mut writing(&self.grants).user_sessions;
        for (id, at) in uses {
            if let Some((_, session)) = sessions.rows.get_mut(&id) {
                session.last_used_at = session.last_used_at.max(at);
            }
        }
        Ok(())
    }

    async fn move_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        let sessions = &mut writing(&self.grants).user_sessions;
        let Some(session) = sessions.live(digest, idle, at).cloned() else { return Ok(None) };
        if sessions.digests.contains_key(&replacement) {
            return Err(not_random("moving a session in the console"));
        }
        sessions.remove(session.id);
        sessions.insert(replacement, session.clone());
        Ok(Some(session))
    }

    async fn user_sessions_of(&self, subject: &SubjectId, idle: Duration, at: Timestamp) -> Result<Vec<UserSession>, StorageError> {
        let grants = reading(&self.grants);
        let sessions = grants.user_sessions.rows.values().map(|(_, session)| session);
        let mut shown: Vec<_> = sessions.filter(|session| session.subject == *subject && lives(session, idle, at)).cloned().collect();
        shown.sort_by_key(|session| (Reverse(session.last_used_at), session.id));
        shown.truncate(USER_SESSIONS_SHOWN);
        Ok(shown)
    }

    async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> Result<bool, StorageError> {
        let sessions = &mut writing(&self.grants).user_sessions;
        let is_theirs = sessions.rows.get(&session).is_some_and(|(_, session)| session.subject == *subject);
        Ok(is_theirs && sessions.remove(session).is_some())
    }

    async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> Result<usize, StorageError> {
        Ok(writing(&self.grants).user_sessions.end_of(subject, but))
    }
}
