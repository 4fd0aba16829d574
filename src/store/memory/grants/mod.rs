mod grant_row;
mod grant_rows;
mod sessions;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Generation, GrantId, Scope, SessionDigest, Subject,
    Timestamp,
};
use crate::store::{Approval, ApprovalOutcome, GrantStore, Redemption, RefreshBinding, Rotation, SignIn, StorageError, TokenLifetimes};
use grant_row::GrantRow;
use grant_rows::GrantRows;
use sessions::Sessions;

/// Sessions and what became of them, under one lock: an approval moves from the one to the other in one transition.
#[derive(Default)]
pub(super) struct Grants {
    sessions: Sessions,
    rows: GrantRows,
}

impl Grants {
    /// Takes a scope out of all that was to be had with it, through one client or any.
    pub(super) fn forget(&mut self, scope: &Scope, client: Option<ClientId>) {
        let is_meant = |of: ClientId| client.is_none_or(|client| client == of);
        self.sessions.forget(scope, is_meant);
        self.rows.forget(scope, is_meant);
    }

    /// Ends what a client that is gone had begun.
    pub(super) fn end_client(&mut self, client: ClientId, at: Timestamp) {
        self.sessions.end_client(client);
        self.rows.revoke_client(client, at);
    }
}

#[cfg(test)]
impl Grants {
    /// How many sessions and how many grants there are.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.sessions.len(), self.rows.len())
    }
}

#[async_trait]
impl GrantStore for MemoryStore {
    async fn open_session(&self, session: SessionDigest, pending: AuthorizationSession) -> Result<(), StorageError> {
        let mut grants = writing(&self.grants);
        if grants.sessions.contains(&session) {
            return Err(not_random("opening a session"));
        }
        grants.sessions.sweep(pending.created_at);
        grants.sessions.insert(session, pending);
        Ok(())
    }

    async fn session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError> {
        Ok(reading(&self.grants).sessions.get(session, at).cloned())
    }

    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError> {
        let mut grants = writing(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(SignIn::Unknown);
        };
        if grants.sessions.contains(&replacement) {
            return Err(not_random("moving a session"));
        }
        let signed_in = AuthorizationSession { subject: Some(subject), ..pending.clone() };
        grants.sessions.remove(session);
        grants.sessions.insert(replacement, signed_in.clone());
        Ok(SignIn::SignedIn(signed_in))
    }

    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Result<ApprovalOutcome, StorageError> {
        let mut grants = writing(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(ApprovalOutcome::Unknown);
        };
        let Some(subject) = pending.subject.as_ref().map(|subject| subject.id.clone()) else {
            return Ok(ApprovalOutcome::NotSignedIn);
        };
        if grants.rows.contains(&approval.grant, &approval.code) {
            return Err(not_random("approving a session"));
        }
        let approved = pending.clone();
        grants.sessions.remove(session);
        grants.rows.sweep(at);
        grants.rows.insert(GrantRow::new(&approval, &approved, subject));
        Ok(ApprovalOutcome::Approved(approved))
    }

    async fn close_session(&self, session: &SessionDigest, at: Timestamp) -> Result<Option<AuthorizationSession>, StorageError> {
        let sessions = &mut writing(&self.grants).sessions;
        // One that has expired stays for nodes whose clock is behind, until it is swept.
        Ok(if sessions.get(session, at).is_some() { sessions.remove(session) } else { None })
    }

    async fn code_binding(&self, code: &AuthorizationCodeDigest) -> Result<Option<CodeBinding>, StorageError> {
        Ok(reading(&self.grants).rows.of_code(code).map(GrantRow::code_binding))
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError> {
        let rows = &mut writing(&self.grants).rows;
        let Some(grant) = rows.of_code(code).map(GrantRow::id) else {
            return Ok(Redemption::Unknown);
        };
        Ok(rows.change(&grant, |row| row.redeem(proof, lifetimes, at)).unwrap_or(Redemption::Unknown))
    }

    async fn refresh_binding(&self, grant: &GrantId) -> Result<Option<RefreshBinding>, StorageError> {
        Ok(reading(&self.grants).rows.get(grant).and_then(GrantRow::refresh_binding))
    }

    async fn rotate(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError> {
        let rows = &mut writing(&self.grants).rows;
        Ok(rows.change(grant, |row| row.rotate(presented, lifetimes, at)).unwrap_or(Rotation::Unknown))
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(writing(&self.grants).rows.change(grant, |row| row.revoke(at)).is_some())
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(reading(&self.grants).rows.get(grant).is_some_and(|row| row.is_live(at)))
    }
}

/// Two secrets of 256 random bits are never the same, so the entropy is broken and nothing may be overwritten.
fn not_random(context: &'static str) -> StorageError {
    StorageError::failed(context, "what should be random is taken")
}

#[cfg(test)]
mod tests;
