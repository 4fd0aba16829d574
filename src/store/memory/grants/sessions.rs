use std::collections::HashMap;

use super::super::ends::Ends;
use crate::domain::{AuthorizationSession, ClientId, Scope, SessionDigest, SubjectId, Timestamp};
use crate::store::sweep::CLOCKS_APART;

/// The pending sessions, also in the order in which they expire.
#[derive(Default)]
pub(super) struct Sessions {
    pending: HashMap<SessionDigest, AuthorizationSession>,
    ends: Ends<Timestamp, SessionDigest>,
}

impl Sessions {
    pub(super) fn get(&self, digest: &SessionDigest, at: Timestamp) -> Option<&AuthorizationSession> {
        self.pending.get(digest).filter(|pending| at < pending.expires_at)
    }

    /// Whether the digest is taken, also by a session that has expired.
    pub(super) fn contains(&self, digest: &SessionDigest) -> bool {
        self.pending.contains_key(digest)
    }

    pub(super) fn insert(&mut self, digest: SessionDigest, pending: AuthorizationSession) {
        self.ends.insert(pending.expires_at, digest);
        self.pending.insert(digest, pending);
    }

    pub(super) fn remove(&mut self, digest: &SessionDigest) -> Option<AuthorizationSession> {
        let pending = self.pending.remove(digest)?;
        self.ends.remove(pending.expires_at, *digest);
        Some(pending)
    }

    /// Takes a scope from the sessions of the clients that are meant.
    pub(super) fn forget(&mut self, scope: &Scope, is_meant: impl Fn(ClientId) -> bool) {
        for pending in self.pending.values_mut().filter(|pending| is_meant(pending.client)) {
            pending.scopes = pending.scopes.without(scope);
        }
    }

    /// Ends the sessions of a client.
    pub(super) fn end_client(&mut self, client: ClientId) {
        let ended: Vec<_> = self.pending.iter().filter(|(_, pending)| pending.client == client).map(|(digest, _)| *digest).collect();
        for digest in ended {
            self.remove(&digest);
        }
    }

    /// Takes the sessions away that this user has signed in to.
    pub(super) fn remove_of(&mut self, subject: &SubjectId) {
        let is_theirs = |pending: &AuthorizationSession| pending.subject.as_ref().is_some_and(|signed_in| signed_in.id == *subject);
        for (digest, pending) in self.pending.extract_if(|_, pending| is_theirs(pending)) {
            self.ends.remove(pending.expires_at, digest);
        }
    }

    /// Takes some of the sessions away that have had their time.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        for digest in self.ends.take(at.minus(CLOCKS_APART)) {
            self.pending.remove(&digest);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.pending.len(), self.ends.len());
        self.pending.len()
    }
}
