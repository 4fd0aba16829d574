use std::collections::{BTreeSet, HashMap};

use crate::domain::{AuthorizationSession, SessionDigest, Timestamp};

/// How many expired sessions go when a new one comes. More than one, so that their number falls.
const SWEPT: usize = 8;

/// The pending sessions, also in the order in which they expire.
#[derive(Default)]
pub(super) struct Sessions {
    pending: HashMap<SessionDigest, AuthorizationSession>,
    expiries: BTreeSet<(Timestamp, SessionDigest)>,
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
        self.expiries.insert((pending.expires_at, digest));
        self.pending.insert(digest, pending);
    }

    pub(super) fn remove(&mut self, digest: &SessionDigest) -> Option<AuthorizationSession> {
        let pending = self.pending.remove(digest)?;
        self.expiries.remove(&(pending.expires_at, *digest));
        Some(pending)
    }

    /// Takes some of the sessions away that have expired.
    pub(super) fn sweep(&mut self, at: Timestamp) {
        let expired: Vec<_> = self.expiries.iter().take_while(|(expires_at, _)| *expires_at <= at).take(SWEPT).copied().collect();
        for (_, digest) in expired {
            self.remove(&digest);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        assert_eq!(self.pending.len(), self.expiries.len());
        self.pending.len()
    }
}
