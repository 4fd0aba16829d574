use std::collections::HashMap;

use super::super::time_index::TimeIndex;
use crate::domain::{AuthorizationSession, ClientId, Scope, SessionDigest, SubjectId, Timestamp};
use crate::store::retention::CLOCK_SKEW;

/// Pending sessions, with an index by expiry.
#[derive(Default)]
pub(super) struct Sessions {
    pending: HashMap<SessionDigest, AuthorizationSession>,
    by_end: TimeIndex<Timestamp, SessionDigest>,
}

impl Sessions {
    pub(super) fn get(
        &self,
        digest: &SessionDigest,
        at: Timestamp,
    ) -> Option<&AuthorizationSession> {
        self.pending
            .get(digest)
            .filter(|pending| at < pending.expires_at)
    }

    /// Whether the digest is taken, also by an expired session.
    pub(super) fn contains(&self, digest: &SessionDigest) -> bool {
        self.pending.contains_key(digest)
    }

    pub(super) fn insert(&mut self, digest: SessionDigest, pending: AuthorizationSession) {
        self.by_end.insert(pending.expires_at, digest);
        self.pending.insert(digest, pending);
    }

    pub(super) fn remove(&mut self, digest: &SessionDigest) -> Option<AuthorizationSession> {
        let pending = self.pending.remove(digest)?;
        self.by_end.remove(pending.expires_at, *digest);
        Some(pending)
    }

    /// Removes a scope from the sessions of matching clients.
    pub(super) fn remove_scope(&mut self, scope: &Scope, matches: impl Fn(ClientId) -> bool) {
        for pending in self
            .pending
            .values_mut()
            .filter(|pending| matches(pending.client))
        {
            pending.scopes = pending.scopes.without(scope);
        }
    }

    /// Removes the sessions of a client.
    pub(super) fn remove_client(&mut self, client: ClientId) {
        let ended: Vec<_> = self
            .pending
            .iter()
            .filter(|(_, pending)| pending.client == client)
            .map(|(digest, _)| *digest)
            .collect();
        for digest in ended {
            self.remove(&digest);
        }
    }

    /// Removes the sessions that a user has signed in to.
    pub(super) fn remove_subject(&mut self, subject: &SubjectId) {
        let is_theirs = |pending: &AuthorizationSession| {
            pending
                .subject
                .as_ref()
                .is_some_and(|signed_in| signed_in.id == *subject)
        };
        for (digest, pending) in self.pending.extract_if(|_, pending| is_theirs(pending)) {
            self.by_end.remove(pending.expires_at, digest);
        }
    }

    /// Deletes some of the expired sessions.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        for digest in self.by_end.pop_until(at.minus(CLOCK_SKEW)) {
            self.pending.remove(&digest);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.pending.len(), self.by_end.len());
        self.pending.len()
    }
}
