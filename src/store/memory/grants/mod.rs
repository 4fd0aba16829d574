mod consents;
mod grant_row;
mod grant_rows;
mod index;
mod sessions;
mod user_sessions;

use std::cmp::Reverse;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{reading, writing};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Consent, Generation, GrantId, LiveGrant, Scope,
    SessionDigest, Subject, SubjectId, Timestamp,
};
use crate::store::{
    Approval, ApprovalOutcome, ApprovedSession, Assent, CONSENTS_SHOWN, GRANTS_SHOWN, GrantStore, OwnedApiKeys, Redemption, RefreshBinding,
    Rotation, SignIn, StorageError, TokenLifetimes, Withdrawal,
};
use consents::Consents;
use grant_row::GrantRow;
use grant_rows::GrantRows;
use sessions::Sessions;
use user_sessions::UserSessions;

/// Sessions, what became of them and what was consented to, under one lock: an approval goes through all of them in one transition. People's
/// sessions in the console are here too, for they end with those.
#[derive(Default)]
pub(super) struct Grants {
    sessions: Sessions,
    rows: GrantRows,
    consents: Consents,
    user_sessions: UserSessions,
}

impl Grants {
    /// Takes a scope out of all that was to be had with it, through one client or any.
    pub(super) fn forget(&mut self, scope: &Scope, client: Option<ClientId>) {
        let is_meant = |of: ClientId| client.is_none_or(|client| client == of);
        self.sessions.forget(scope, is_meant);
        self.rows.forget(scope, client);
        self.consents.forget_scope(scope, client);
    }

    /// The grants in use that have a scope that is meant.
    pub(super) fn live_with(&self, is_meant: impl Fn(&Scope) -> bool, at: Timestamp) -> impl Iterator<Item = LiveGrant> {
        self.rows.with_scopes(is_meant).filter_map(move |row| row.shown(at))
    }

    /// The grants of a client that are in use.
    pub(super) fn live_of(&self, client: ClientId, at: Timestamp) -> impl Iterator<Item = LiveGrant> {
        self.rows.of_client(client).filter_map(move |row| row.shown(at))
    }

    /// Ends what a client that is gone had begun.
    pub(super) fn end_client(&mut self, client: ClientId, at: Timestamp) {
        self.sessions.end_client(client);
        self.rows.revoke_client(client, at);
        self.consents.end_client(&client);
    }

    /// Ends what a user has signed in to and revokes the grants, and says how many those were.
    pub(super) fn sign_out_everywhere(&mut self, subject: &SubjectId, at: Timestamp) -> usize {
        self.sessions.remove_of(subject);
        self.end_user_sessions(subject);
        let held: Vec<_> = self.rows.of_subject(subject).filter(|row| !row.is_revoked()).map(GrantRow::id).collect();
        for grant in &held {
            self.rows.change(grant, |row| row.revoke(at));
        }
        held.len()
    }

    /// Ends what a user has signed in to in the console.
    pub(super) fn end_user_sessions(&mut self, subject: &SubjectId) {
        self.user_sessions.end_of(subject, None);
    }

    /// Ends all of a user who is gone.
    pub(super) fn end_subject(&mut self, subject: &SubjectId, at: Timestamp) {
        self.sign_out_everywhere(subject, at);
        self.consents.end_subject(subject);
    }
}

#[cfg(test)]
impl Grants {
    /// How many sessions, grants and sessions in the console there are.
    pub(super) fn len(&self) -> (usize, usize, usize) {
        (self.sessions.len(), self.rows.len(), self.user_sessions.len())
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

    async fn sign_out(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let mut grants = writing(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(None);
        };
        if grants.sessions.contains(&replacement) {
            return Err(not_random("moving a session"));
        }
        let signed_out = AuthorizationSession { subject: None, ..pending.clone() };
        grants.sessions.remove(session);
        grants.sessions.insert(replacement, signed_out.clone());
        Ok(Some(signed_out))
    }

    async fn approve_session(&self, session: &SessionDigest, approval: Approval, at: Timestamp) -> Result<ApprovalOutcome, StorageError> {
        // No scope is deleted from here on.
        let registry = reading(&self.registry);
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
        let approved = AuthorizationSession { scopes: registry.existing(&pending.scopes), ..pending.clone() };
        match approval.assent {
            Assent::Once => {}
            Assent::Remembered => {
                grants.consents.make_room(&subject, approved.client, approval.caps.consents);
                grants.consents.remember(&subject, &approved, at);
            }
            Assent::Earlier if grants.consents.covers(&subject, &approved) => grants.consents.touch(&subject, approved.client, at),
            Assent::Earlier => return Ok(ApprovalOutcome::NotConsented),
        }
        grants.sessions.remove(session);
        let replaced = grants.rows.make_room(&subject, approved.client, approval.caps.grants_per_client, at);
        grants.rows.sweep(at);
        grants.rows.insert(GrantRow::new(&approval, &approved, subject, at));
        Ok(ApprovalOutcome::Approved(Box::new(ApprovedSession { session: approved, replaced })))
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

    async fn consent(&self, subject: &SubjectId, client: &ClientId) -> Result<Option<Consent>, StorageError> {
        Ok(reading(&self.grants).consents.get(subject, client).cloned())
    }

    async fn consents_of(&self, subject: &SubjectId) -> Result<Vec<(ClientId, Consent)>, StorageError> {
        let mut shown: Vec<_> = reading(&self.grants).consents.of(subject).collect();
        shown.sort_by_key(|(client, consent)| (Reverse(consent.granted_at), *client));
        shown.truncate(CONSENTS_SHOWN);
        Ok(shown)
    }

    async fn forget_consent(&self, subject: &SubjectId, client: &ClientId) -> Result<bool, StorageError> {
        Ok(writing(&self.grants).consents.forget(subject, client))
    }

    async fn grants_of(&self, subject: &SubjectId, at: Timestamp) -> Result<Vec<LiveGrant>, StorageError> {
        let mut shown: Vec<_> = reading(&self.grants).rows.of_subject(subject).filter_map(|row| row.shown(at)).collect();
        shown.sort_by_key(|grant| (Reverse(grant.since), grant.id));
        shown.truncate(GRANTS_SHOWN);
        Ok(shown)
    }

    async fn withdraw_grant(&self, subject: &SubjectId, grant: &GrantId, at: Timestamp) -> Result<Withdrawal, StorageError> {
        let mut grants = writing(&self.grants);
        let Some(client) = grants.rows.get(grant).filter(|row| row.subject() == subject).map(GrantRow::client) else {
            return Ok(Withdrawal::Unknown);
        };
        grants.rows.change(grant, |row| row.revoke(at));
        grants.consents.forget(subject, &client);
        Ok(Withdrawal::Withdrawn)
    }

    async fn revoke_grants_of(&self, subject: &SubjectId, keys: OwnedApiKeys, at: Timestamp) -> Result<usize, StorageError> {
        Ok(self.sign_out_everywhere(subject, keys, at))
    }
}

impl MemoryStore {
    /// Both are locked before either changes, so that nobody sees one without the other.
    pub(in crate::store::memory) fn sign_out_everywhere(&self, subject: &SubjectId, keys: OwnedApiKeys, at: Timestamp) -> usize {
        let (mut grants, mut api_keys) = (writing(&self.grants), writing(&self.api_keys));
        if keys == OwnedApiKeys::Revoke {
            api_keys.revoke_of(subject, at);
        }
        grants.sign_out_everywhere(subject, at)
    }
}

/// Two secrets of 256 random bits are never the same, so the entropy is broken and nothing may be overwritten.
fn not_random(context: &'static str) -> StorageError {
    StorageError::failed(context, "what should be random is taken")
}

#[cfg(test)]
mod tests;
