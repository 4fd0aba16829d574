use crate::domain::{Line, SubjectId, Timestamp, UserSessionId};

/// A person's session in the console, kept under the digest of a random token. Nothing in it is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// The id by which its person names it in a list. It stays when the session gets another token.
    pub id: UserSessionId,
    /// Who signed in.
    pub subject: SubjectId,
    /// What the person's browser is, as far as that is known, for them to tell their sessions apart.
    pub browser: Option<Line>,
    /// When the person signed in.
    pub created_at: Timestamp,
    /// When it was last used, as far as that has been written down yet.
    pub last_used_at: Timestamp,
    /// The first moment at which it is over, however often it is used.
    pub expires_at: Timestamp,
}
