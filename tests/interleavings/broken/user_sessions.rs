use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{Answer, BrokenStore, Fault};

#[async_trait]
impl UserSessionStore for BrokenStore {
    async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> Answer<()> {
        self.turn.pass().await?;
        self.store().open_user_session(digest, session).await
    }

    async fn user_session(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> Answer<Option<UserSession>> {
        self.turn.pass().await?;
        self.store().user_session(digest, idle, at).await
    }

    async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>) -> Answer<()> {
        self.turn.pass().await?;
        self.store().touch_user_sessions(uses).await
    }

    async fn move_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Answer<Option<UserSession>> {
        self.turn.pass().await?;
        let seen = self.store().user_session(digest, idle, at).await?;
        self.turn.pass().await?;
        let moved = self.store().move_user_session(digest, replacement, idle, at).await?;
        match (&moved, seen) {
            // It writes the whole row back, also where that is gone.
            (None, Some(seen)) if self.has(Fault::MovesWhatItSaw) => {
                self.store().end_user_session(&seen.subject, seen.id).await?;
                self.store().open_user_session(replacement, seen.clone()).await?;
                Ok(Some(seen))
            }
            _ => Ok(moved),
        }
    }

    async fn user_sessions_of(&self, subject: &SubjectId, idle: Duration, at: Timestamp) -> Answer<Vec<UserSession>> {
        self.turn.pass().await?;
        self.store().user_sessions_of(subject, idle, at).await
    }

    async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> Answer<bool> {
        self.turn.pass().await?;
        self.store().end_user_session(subject, session).await
    }

    async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> Answer<usize> {
        self.turn.pass().await?;
        self.store().end_user_sessions_of(subject, but).await
    }
}
