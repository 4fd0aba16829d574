use std::time::Duration;

use lyceum::domain::*;
use lyceum::store::*;

use super::{BrokenStore, Fault, StorageResult};

delegate!(UserSessionStore for BrokenStore, except rotate_user_session);

impl BrokenStore {
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
}
