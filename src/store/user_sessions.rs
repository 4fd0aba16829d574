use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;

use super::StorageError;
use crate::domain::{SubjectId, Timestamp, UserSession, UserSessionDigest, UserSessionId};

/// Stores users' sessions in the console.
///
/// A session ends at its expiry, or earlier at `last_used_at + idle`, where `idle` is the idle
/// timeout that each call passes. A session that has ended is not found.
///
/// # Methods of other stores that end sessions
///
/// These end all sessions of the user in the same transition:
/// [`sign_out_everywhere`](super::ConsentStore::sign_out_everywhere), and for built-in accounts
/// [`set_password`](super::AccountStore::set_password), [`set_role`](super::AccountStore::set_role)
/// and [`remove_account`](super::AccountStore::remove_account). A host with its own user source
/// calls [`end_user_sessions_of`](Self::end_user_sessions_of). After users change their own
/// password, the service opens a new session for them.
#[async_trait]
pub trait UserSessionStore: Debug + Send + Sync + 'static {
    /// Stores a session under a new digest and a new id. It also deletes a few sessions that had
    /// expired before this one was created: see [`retention`](super::retention).
    async fn open_user_session(
        &self,
        digest: UserSessionDigest,
        session: UserSession,
    ) -> Result<(), StorageError>;

    /// Returns the session, if it is live.
    async fn user_session(
        &self,
        digest: &UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError>;

    /// Records when sessions were last used. The store applies the uses in the order of their times
    /// and keeps the latest for each session. It ignores a use of a session that does not exist or
    /// had ended at that time, so no use revives a session. Callers must pass earlier uses in the
    /// same call or in an earlier one, since an earlier use may have kept the session alive.
    async fn touch_user_sessions(
        &self,
        uses: Vec<(UserSessionId, Timestamp)>,
        idle: Duration,
    ) -> Result<(), StorageError>;

    /// Moves a live session to a new digest, so that its old token is invalid. Nothing else
    /// changes. Of any number of concurrent calls exactly one moves it; the others return `None`.
    async fn rotate_user_session(
        &self,
        digest: &UserSessionDigest,
        replacement: UserSessionDigest,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Option<UserSession>, StorageError>;

    /// Returns the user's live sessions. Ordered by last use, newest first, then by id; at most
    /// [`MAX_LISTED_USER_SESSIONS`].
    async fn user_sessions_of(
        &self,
        subject: &SubjectId,
        idle: Duration,
        at: Timestamp,
    ) -> Result<Vec<UserSession>, StorageError>;

    /// Ends one session of the user, also an expired one. Returns whether the user had such a
    /// session; another user's session is untouched.
    async fn end_user_session(
        &self,
        subject: &SubjectId,
        session: UserSessionId,
    ) -> Result<bool, StorageError>;

    /// Ends all sessions of the user, except `except` if given. Returns the number of sessions
    /// ended.
    async fn end_user_sessions_of(
        &self,
        subject: &SubjectId,
        except: Option<UserSessionId>,
    ) -> Result<usize, StorageError>;
}

/// Maximum number of sessions in a user's list.
pub const MAX_LISTED_USER_SESSIONS: usize = 200;
