use std::time::Duration;

use async_trait::async_trait;

use super::SqlStore;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};
use crate::store::sql::user_sessions;
use crate::store::{StorageError, UserSessionStore};

#[async_trait]
impl UserSessionStore for SqlStore {
    async fn open_user_session(
        &self,
        digest: UserSessionDigest,
        session: UserSession,
    ) -> Result<(), StorageError> {
        self.write("open_user_session", move |tx| {
            Box::pin(user_sessions::open_user_session(tx, digest, session))
        })
        .await
    }

    async fn user_session(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        let digest = *digest;
        self.read("user_session", move |tx| {
            Box::pin(user_sessions::user_session(tx, digest, idle, at))
        })
        .await
    }

    async fn touch_user_sessions(
        &self,
        uses: Vec<(UserSessionId, Timestamp)>,
        idle: Duration,
    ) -> Result<(), StorageError> {
        self.write("touch_user_sessions", move |tx| {
            Box::pin(user_sessions::touch_user_sessions(tx, uses, idle))
        })
        .await
    }

    async fn rotate_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError> {
        let digest = *digest;
        self.write("rotate_user_session", move |tx| {
            Box::pin(user_sessions::rotate_user_session(
                tx,
                digest,
                replacement,
                idle,
                at,
            ))
        })
        .await
    }

    async fn user_sessions_of(
        &self,
        subject: &SubjectId,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Vec<UserSession>, StorageError> {
        let subject = subject.clone();
        self.read("user_sessions_of", move |tx| {
            Box::pin(user_sessions::user_sessions_of(tx, subject, idle, at))
        })
        .await
    }

    async fn end_user_session(
        &self,
        subject: &SubjectId,
        session: UserSessionId,
    ) -> Result<bool, StorageError> {
        let subject = subject.clone();
        self.write("end_user_session", move |tx| {
            Box::pin(user_sessions::end_user_session(tx, subject, session))
        })
        .await
    }

    async fn end_user_sessions_of(
        &self,
        subject: &SubjectId,
        except: Option<UserSessionId>,
    ) -> Result<usize, StorageError> {
        let subject = subject.clone();
        self.write("end_user_sessions_of", move |tx| {
            Box::pin(user_sessions::end_user_sessions_of(tx, subject, except))
        })
        .await
    }
}
