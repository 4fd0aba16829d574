mod authorization_sessions;
mod consents;
mod grant_row;
mod grant_rows;
mod secondary_index;
mod user_sessions;

use async_trait::async_trait;

use super::MemoryStore;
use super::lock::{read_lock, write_lock};
use crate::domain::{
    AuthorizationCodeDigest, AuthorizationSession, ClientId, ClientProof, CodeBinding, Generation,
    GrantId, LiveGrant, Scope, SessionDigest, Subject, SubjectId, Timestamp,
};
use crate::store::{
    ApiKeyAction, Approval, ApprovalOutcome, ApprovedSession, ConsentMode, GrantStore, Redemption,
    RefreshBinding, Rotation, SignIn, StorageError, TokenLifetimes,
};
use authorization_sessions::Sessions;
use consents::Consents;
use grant_row::GrantRow;
use grant_rows::GrantRows;
use user_sessions::UserSessions;

/// Sessions, grants and consents under one lock, because an approval changes all of them in one
/// transition. Console sessions are included, because they end together with the others.
#[derive(Default)]
pub(super) struct Grants {
    sessions: Sessions,
    rows: GrantRows,
    consents: Consents,
    user_sessions: UserSessions,
}

impl Grants {
    /// Removes a scope from sessions, grants and consents, of one client or all.
    pub(super) fn remove_scope(&mut self, scope: &Scope, client: Option<ClientId>) {
        let matches = |of: ClientId| client.is_none_or(|client| client == of);
        self.sessions.remove_scope(scope, matches);
        self.rows.remove_scope(scope, client);
        self.consents.remove_scope(scope, client);
    }

    /// The live grants that have a matching scope.
    pub(super) fn live_with_scope(
        &self,
        matches: impl Fn(&Scope) -> bool,
        at: Timestamp,
    ) -> impl Iterator<Item = LiveGrant> {
        self.rows
            .with_matching_scope(matches)
            .filter_map(move |row| row.to_live_grant(at))
    }

    /// The live grants of a client.
    pub(super) fn live_by_client(
        &self,
        client: ClientId,
        at: Timestamp,
    ) -> impl Iterator<Item = LiveGrant> {
        self.rows
            .by_client(client)
            .filter_map(move |row| row.to_live_grant(at))
    }

    /// Removes the sessions and consents of a deleted client, and revokes its grants.
    pub(super) fn remove_client(&mut self, client: ClientId, at: Timestamp) {
        self.sessions.remove_client(client);
        self.rows.revoke_client(client, at);
        self.consents.remove_client(&client);
    }

    /// Ends a user's sessions, revokes the user's grants, and returns the number of grants revoked.
    pub(super) fn end_access(&mut self, subject: &SubjectId, at: Timestamp) -> usize {
        self.sessions.remove_subject(subject);
        self.end_user_sessions(subject);
        let held: Vec<_> = self
            .rows
            .by_subject(subject)
            .filter(|row| !row.is_revoked())
            .map(GrantRow::id)
            .collect();
        for grant in &held {
            self.rows.update(grant, |row| row.revoke(at));
        }
        held.len()
    }

    /// Ends a user's console sessions.
    pub(super) fn end_user_sessions(&mut self, subject: &SubjectId) {
        self.user_sessions.remove_by_subject(subject, None);
    }

    /// Ends the sessions, revokes the grants and deletes the consents of a deleted user.
    pub(super) fn remove_subject(&mut self, subject: &SubjectId, at: Timestamp) {
        self.end_access(subject, at);
        self.consents.remove_subject(subject);
    }
}

#[cfg(test)]
impl Grants {
    /// The numbers of sessions, grants and console sessions.
    pub(super) fn len(&self) -> (usize, usize, usize) {
        (
            self.sessions.len(),
            self.rows.len(),
            self.user_sessions.len(),
        )
    }
}

#[async_trait]
impl GrantStore for MemoryStore {
    async fn open_session(
        &self,
        session: SessionDigest,
        pending: AuthorizationSession,
    ) -> Result<(), StorageError> {
        let mut grants = write_lock(&self.grants);
        if grants.sessions.contains(&session) {
            return Err(random_collision("opening a session"));
        }
        grants.sessions.sweep(pending.created_at);
        grants.sessions.insert(session, pending);
        Ok(())
    }

    async fn session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        Ok(read_lock(&self.grants).sessions.get(session, at).cloned())
    }

    async fn sign_in(
        &self,
        session: &SessionDigest,
        replacement: SessionDigest,
        subject: Subject,
        at: Timestamp,
    ) -> Result<SignIn, StorageError> {
        let mut grants = write_lock(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(SignIn::NotFound);
        };
        if grants.sessions.contains(&replacement) {
            return Err(random_collision("moving a session"));
        }
        let signed_in = AuthorizationSession {
            subject: Some(subject),
            ..pending.clone()
        };
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
        let mut grants = write_lock(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(None);
        };
        if grants.sessions.contains(&replacement) {
            return Err(random_collision("moving a session"));
        }
        let signed_out = AuthorizationSession {
            subject: None,
            ..pending.clone()
        };
        grants.sessions.remove(session);
        grants.sessions.insert(replacement, signed_out.clone());
        Ok(Some(signed_out))
    }

    async fn approve_session(
        &self,
        session: &SessionDigest,
        approval: Approval,
        at: Timestamp,
    ) -> Result<ApprovalOutcome, StorageError> {
        // Prevents deletion of scopes from here on.
        let registry = read_lock(&self.registry);
        let mut grants = write_lock(&self.grants);
        let Some(pending) = grants.sessions.get(session, at) else {
            return Ok(ApprovalOutcome::NotFound);
        };
        let Some(subject) = pending.subject.as_ref().map(|subject| subject.id.clone()) else {
            return Ok(ApprovalOutcome::NotSignedIn);
        };
        if grants.rows.contains(&approval.grant, &approval.code) {
            return Err(random_collision("approving a session"));
        }
        let approved = AuthorizationSession {
            scopes: registry.existing_scopes(&pending.scopes),
            ..pending.clone()
        };
        match approval.consent_mode {
            ConsentMode::Once => {}
            ConsentMode::Remembered => {
                grants
                    .consents
                    .enforce_limit(&subject, approved.client, approval.limits.consents);
                grants.consents.record(&subject, &approved, at);
            }
            ConsentMode::Existing if grants.consents.covers(&subject, &approved) => {
                grants.consents.touch(&subject, approved.client, at)
            }
            ConsentMode::Existing => return Ok(ApprovalOutcome::ConsentRequired),
        }
        grants.sessions.remove(session);
        let replaced = grants.rows.enforce_limit(
            &subject,
            approved.client,
            approval.limits.grants_per_client,
            at,
        );
        grants.rows.sweep(at);
        grants
            .rows
            .insert(GrantRow::new(&approval, &approved, subject, at));
        Ok(ApprovalOutcome::Approved(Box::new(ApprovedSession {
            session: approved,
            replaced,
        })))
    }

    async fn close_session(
        &self,
        session: &SessionDigest,
        at: Timestamp,
    ) -> Result<Option<AuthorizationSession>, StorageError> {
        let sessions = &mut write_lock(&self.grants).sessions;
        // An expired session stays for nodes whose clock is behind, until it is swept.
        Ok(if sessions.get(session, at).is_some() {
            sessions.remove(session)
        } else {
            None
        })
    }

    async fn code_binding(
        &self,
        code: &AuthorizationCodeDigest,
    ) -> Result<Option<CodeBinding>, StorageError> {
        Ok(read_lock(&self.grants)
            .rows
            .by_code(code)
            .map(GrantRow::code_binding))
    }

    async fn redeem_authorization_code(
        &self,
        code: &AuthorizationCodeDigest,
        proof: ClientProof,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Redemption, StorageError> {
        let rows = &mut write_lock(&self.grants).rows;
        let Some(grant) = rows.by_code(code).map(GrantRow::id) else {
            return Ok(Redemption::NotFound);
        };
        Ok(rows
            .update(&grant, |row| row.redeem(proof, lifetimes, at))
            .unwrap_or(Redemption::NotFound))
    }

    async fn refresh_binding(
        &self,
        grant: &GrantId,
    ) -> Result<Option<RefreshBinding>, StorageError> {
        Ok(read_lock(&self.grants)
            .rows
            .get(grant)
            .and_then(GrantRow::refresh_binding))
    }

    async fn rotate_refresh_token(
        &self,
        grant: &GrantId,
        presented: Generation,
        lifetimes: TokenLifetimes,
        at: Timestamp,
    ) -> Result<Rotation, StorageError> {
        let rows = &mut write_lock(&self.grants).rows;
        Ok(rows
            .update(grant, |row| row.rotate(presented, lifetimes, at))
            .unwrap_or(Rotation::NotFound))
    }

    async fn revoke_grant(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(write_lock(&self.grants)
            .rows
            .update(grant, |row| row.revoke(at))
            .is_some())
    }

    async fn grant_is_live(&self, grant: &GrantId, at: Timestamp) -> Result<bool, StorageError> {
        Ok(read_lock(&self.grants)
            .rows
            .get(grant)
            .is_some_and(|row| row.is_live(at)))
    }
}

impl MemoryStore {
    /// Both are locked before either changes, so that no caller sees a partial change.
    pub(in crate::store::memory) fn end_access(
        &self,
        subject: &SubjectId,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> usize {
        let (mut grants, mut api_keys) = (write_lock(&self.grants), write_lock(&self.api_keys));
        if keys == ApiKeyAction::Revoke {
            api_keys.revoke_by_owner(subject, at);
        }
        grants.end_access(subject, at)
    }
}

/// The error for a collision of two 256-bit secrets: the entropy source is broken, and nothing may
/// be overwritten.
fn random_collision(context: &'static str) -> StorageError {
    StorageError::failed(context, "what should be random is taken")
}

#[cfg(test)]
mod tests;
