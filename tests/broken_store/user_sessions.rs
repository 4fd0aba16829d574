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
        self.store.open_user_session(digest, session).await
    }

    async fn user_session(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Option<UserSession>> {
        let idle = if self.has(Fault::LetsSessionsIdle) {
            Duration::MAX
        } else {
            idle
        };
        let found = self.store.user_session(digest, idle, at).await?;
        if found.is_none() && self.has(Fault::KeepsTheOldUserSessionToken) {
            let moved = self.gone::<(UserSessionDigest, UserSession)>();
            return Ok(moved
                .filter(|(known, _)| known == digest)
                .map(|(_, session)| session));
        }
        Ok(found)
    }

    async fn touch_user_sessions(
        &self,
        uses: Vec<(UserSessionId, Timestamp)>,
    ) -> StorageResult<()> {
        self.store.touch_user_sessions(uses).await
    }

    async fn rotate_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Option<UserSession>> {
        let moving = self
            .store
            .rotate_user_session(digest, replacement, idle, at);
        if self.has(Fault::MovesSessionsByCheckThenAct) {
            return self.act_after_check(moving, Option::is_some).await;
        }
        let moved = moving.await?;
        if let (true, Some(session)) = (self.has(Fault::KeepsTheOldUserSessionToken), &moved) {
            *self.first.lock().unwrap() = Some(Box::new((*digest, session.clone())));
        }
        Ok(moved)
    }

    async fn user_sessions_of(
        &self,
        subject: &SubjectId,
        idle: Duration,
        at: Timestamp,
    ) -> StorageResult<Vec<UserSession>> {
        self.store.user_sessions_of(subject, idle, at).await
    }

    async fn end_user_session(
        &self,
        subject: &SubjectId,
        session: UserSessionId,
    ) -> StorageResult<bool> {
        self.store.end_user_session(subject, session).await
    }

    async fn end_user_sessions_of(
        &self,
        subject: &SubjectId,
        but: Option<UserSessionId>,
    ) -> StorageResult<usize> {
        self.store.end_user_sessions_of(subject, but).await
    }
}
