use crate::domain::{ShortText, SubjectId, Timestamp, UserSessionId};

/// A user's session in the console, stored under the digest of a random token. It contains no
/// secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// The id, which identifies the session in a list. It stays when the token is rotated.
    pub id: UserSessionId,
    /// The user.
    pub subject: SubjectId,
    /// The browser, if known, shown so that the user can tell sessions apart.
    pub browser: Option<ShortText>,
    /// When the user signed in.
    pub created_at: Timestamp,
    /// When the session was last used, as far as recorded.
    pub last_used_at: Timestamp,
    /// When the session expires regardless of use; the first second at which it is invalid.
    pub expires_at: Timestamp,
}
