use std::time::Duration;

use async_trait::async_trait;
use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

#[async_trait]
impl UserSessionStore for BrokenStore {
    async fn open_user_session(
        &self,
        digest: UserSessionDigest,
        session: UserSession,
    ) -> StorageResult<()> {
        self.gate.before_step().await?;
        self.store().open_user_session(digest, session).await
    }

    async fn user_session(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Option<UserSession>> {
        self.gate.before_step().await?;
        self.store().user_session(digest, idle, at).await
    }

    async fn touch_user_sessions(
        &self,
        uses: Vec<(UserSessionId, Timestamp)>,
    ) -> StorageResult<()> {
        self.gate.before_step().await?;
        self.store().touch_user_sessions(uses).await
    }

    async fn rotate_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Option<UserSession>> {
        self.gate.before_step().await?;
        let seen = self.store().user_session(digest, idle, at).await?;
        self.gate.before_step().await?;
        let moved = self
            .store()
            .rotate_user_session(digest, replacement, idle, at)
            .await?;
        match (&moved, seen) {
            // Writes the whole row back, even if it was deleted.
            (None, Some(seen)) if self.has(Fault::MovesWhatItSaw) => {
                self.store()
                    .end_user_session(&seen.subject, seen.id)
                    .await?;
                self.store()
                    .open_user_session(replacement, seen.clone())
                    .await?;
                Ok(Some(seen))
            }
            _ => Ok(moved),
        }
    }

    async fn user_sessions_of(
        &self,
        subject: &SubjectId,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Vec<UserSession>> {
        self.gate.before_step().await?;
        self.store().user_sessions_of(subject, idle, at).await
    }

    async fn end_user_session(
        &self,
        subject: &SubjectId,
        session: UserSessionId,
    ) -> StorageResult<bool> {
        self.gate.before_step().await?;
        self.store().end_user_session(subject, session).await
    }

    async fn end_user_sessions_of(
        &self,
        subject: &SubjectId,
        but: Option<UserSessionId>,
    ) -> StorageResult<usize> {
        self.gate.before_step().await?;
        self.store().end_user_sessions_of(subject, but).await
    }
}
