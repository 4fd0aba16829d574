use std::time::Duration;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(UserSessionStore for BrokenStore, except user_session, rotate_user_session);

impl BrokenStore {
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
}
