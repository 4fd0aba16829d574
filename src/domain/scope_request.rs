use crate::domain::{ClientId, ScopeId, ShortText, SubjectId, Timestamp};

/// A request of a client's owner for a scope that needs the approval of its application's owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRequest {
    /// The scope.
    pub scope: ScopeId,
    /// The client that is to list the scope.
    pub client: ClientId,
    /// The user who made the request.
    pub asked_by: SubjectId,
    /// What the client needs the scope for.
    pub reason: ShortText,
    /// Time of the request.
    pub asked_at: Timestamp,
    /// What has become of the request.
    pub state: ScopeRequestState,
}

/// State of a [`ScopeRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScopeRequestState {
    /// Nobody has decided yet.
    Waiting,
    /// The client is approved for the scope.
    Approved {
        /// Time of the approval.
        at: Timestamp,
    },
    /// The owner of the application, or an administrator, has refused.
    Refused(ScopeRefusal),
}

/// The refusal of a [`ScopeRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRefusal {
    /// Why, for the user who made the request.
    pub reason: ShortText,
    /// Time of the refusal.
    pub at: Timestamp,
}
