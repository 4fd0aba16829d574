use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};

/// Keeps people's sessions in the console.
///
/// A session lives until its end, as long as it is never idle for the time that each call names: at `last_used_at` and that time later it is
/// over. What has ended is unknown, and nothing brings it back.
///
/// # What ends them
///
/// Beside the methods here, whatever takes from a person what they could do ends all their sessions in the same transition:
/// [`revoke_grants_of`](super::GrantStore::revoke_grants_of), and of a built-in account [`set_password`](super::AccountStore::set_password),
/// [`set_role`](super::AccountStore::set_role) and [`remove_account`](super::AccountStore::remove_account). A host that keeps its people
/// elsewhere calls [`end_user_sessions_of`](Self::end_user_sessions_of). Who changed their own password opens a new one.
#[async_trait]
pub trait UserSessionStore: Debug + Send + Sync + 'static {
    /// Keeps a session under a digest and an id that are new, and takes a few sessions away that were over before it was created: see
    /// [`sweep`](super::sweep).
    async fn open_user_session(&self, digest: UserSessionDigest, session: UserSession) -> Result<(), StorageError>;

    /// The session, if it lives.
    async fn user_session(&self, digest: &UserSessionDigest, idle: Duration, at: Timestamp) -> Result<Option<UserSession>, StorageError>;

    /// Writes down when sessions were last used. Of each the latest use stays, whatever order they come in; those that have ended are passed
    /// over.
    async fn touch_user_sessions(&self, uses: Vec<(UserSessionId, Timestamp)>) -> Result<(), StorageError>;

    /// Moves a session that lives to a new digest, so that whoever knew the old token has nothing. Of any number of concurrent calls
    /// exactly one moves it. Nothing else of it changes.
    async fn move_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError>;

    /// A person's sessions that live, those that were used last first and those of one moment by id, and of these no more than
    /// [`USER_SESSIONS_SHOWN`].
    async fn user_sessions_of(&self, subject: &SubjectId, idle: Duration, at: Timestamp) -> Result<Vec<UserSession>, StorageError>;

    /// Ends one session of a person, also one that is over. Says whether it was there; somebody else's is not.
    async fn end_user_session(&self, subject: &SubjectId, session: UserSessionId) -> Result<bool, StorageError>;

    /// Ends all sessions of a person but one, if one is named, and says how many it ended.
    async fn end_user_sessions_of(&self, subject: &SubjectId, but: Option<UserSessionId>) -> Result<usize, StorageError>;
}

/// How many sessions a person is shown at most.
pub const USER_SESSIONS_SHOWN: usize = 200;
