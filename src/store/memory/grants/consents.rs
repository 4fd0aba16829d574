use std::cmp::Reverse;
use std::collections::HashMap;

use async_trait::async_trait;

use super::super::MemoryStore;
use super::super::lock::{read_lock, write_lock};
use super::super::time_index::TimeIndex;
use super::grant_row::GrantRow;
use super::secondary_index::SecondaryIndex;
use crate::domain::{
    AuthorizationSession, ClientId, Consent, GrantId, LiveGrant, Scope, SubjectId, Timestamp,
};
use crate::store::retention::CONSENT_RETENTION;
use crate::store::{
    ApiKeyAction, ConsentStore, GrantRevocation, MAX_LISTED_CONSENTS, MAX_LISTED_GRANTS,
    StorageError,
};

/// Consents by user and client, with indexes by client, by scope and by last use.
#[derive(Default)]
pub(super) struct Consents {
    rows: HashMap<SubjectId, HashMap<ClientId, Row>>,
    clients: SecondaryIndex<ClientId, SubjectId>,
    scopes: SecondaryIndex<Scope, (SubjectId, ClientId)>,
    by_last_use: TimeIndex<Timestamp, (SubjectId, ClientId)>,
}

struct Row {
    consent: Consent,
    last_used_at: Timestamp,
}

impl Consents {
    pub(super) fn get(&self, subject: &SubjectId, client: &ClientId) -> Option<&Consent> {
        self.rows.get(subject)?.get(client).map(|row| &row.consent)
    }

    /// The consents of a user.
    pub(super) fn by_subject(
        &self,
        subject: &SubjectId,
    ) -> impl Iterator<Item = (ClientId, Consent)> {
        self.rows
            .get(subject)
            .into_iter()
            .flatten()
            .map(|(client, row)| (*client, row.consent.clone()))
    }

    /// Whether the stored consent covers all scopes of the session.
    pub(super) fn covers(&self, subject: &SubjectId, session: &AuthorizationSession) -> bool {
        self.get(subject, &session.client)
            .is_some_and(|consent| session.scopes.is_subset(&consent.scopes))
    }

    /// Records that the consent was used to skip the consent page.
    pub(super) fn touch(&mut self, subject: &SubjectId, client: ClientId, at: Timestamp) {
        let Some(row) = self
            .rows
            .get_mut(subject)
            .and_then(|consents| consents.get_mut(&client))
        else {
            return;
        };
        if row.last_used_at < at {
            self.by_last_use
                .remove(row.last_used_at, (subject.clone(), client));
            self.by_last_use.insert(at, (subject.clone(), client));
            row.last_used_at = at;
        }
    }

    /// Deletes the user's least recently used consents until the client's consent is within the
    /// limit.
    pub(super) fn enforce_limit(&mut self, subject: &SubjectId, client: ClientId, limit: u32) {
        let others = self
            .rows
            .get(subject)
            .into_iter()
            .flatten()
            .filter(|(other, _)| **other != client);
        let mut others: Vec<_> = others
            .map(|(other, row)| (row.last_used_at, *other))
            .collect();
        others.sort_unstable();
        let excess = others
            .len()
            .saturating_sub(limit.saturating_sub(1) as usize);
        for (_, other) in others.into_iter().take(excess) {
            self.remove(subject, &other);
        }
    }

    /// Adds the session's scopes to the stored consent, and deletes a few consents that have not
    /// been used for years.
    pub(super) fn record(
        &mut self,
        subject: &SubjectId,
        session: &AuthorizationSession,
        at: Timestamp,
    ) {
        for (subject, client) in self.by_last_use.pop_until(at.minus(CONSENT_RETENTION)) {
            self.remove(&subject, &client);
        }
        let scopes = match self.get(subject, &session.client) {
            Some(before) => session.scopes.union(&before.scopes),
            None => session.scopes.clone(),
        };
        self.remove(subject, &session.client);
        let key = (subject.clone(), session.client);
        for scope in &scopes {
            self.scopes.insert(scope, key.clone());
        }
        self.clients.insert(&session.client, subject.clone());
        self.by_last_use.insert(at, key);
        let row = Row {
            consent: Consent {
                scopes,
                granted_at: at,
            },
            last_used_at: at,
        };
        self.rows
            .entry(subject.clone())
            .or_default()
            .insert(session.client, row);
    }

    /// Deletes a consent. Returns whether there was one.
    pub(super) fn remove(&mut self, subject: &SubjectId, client: &ClientId) -> bool {
        let Some(consents) = self.rows.get_mut(subject) else {
            return false;
        };
        let Some(row) = consents.remove(client) else {
            return false;
        };
        if consents.is_empty() {
            self.rows.remove(subject);
        }
        let key = (subject.clone(), *client);
        for scope in &row.consent.scopes {
            self.scopes.remove(scope, &key);
        }
        self.clients.remove(client, subject);
        self.by_last_use.remove(row.last_used_at, key);
        true
    }

    /// Removes a scope from the consents for a client, or all.
    pub(super) fn remove_scope(&mut self, scope: &Scope, client: Option<ClientId>) {
        let with_it: Vec<_> = self
            .scopes
            .rows_with(scope)
            .filter(|(_, of)| client.is_none_or(|client| *of == client))
            .cloned()
            .collect();
        for key in with_it {
            if let Some(row) = self
                .rows
                .get_mut(&key.0)
                .and_then(|consents| consents.get_mut(&key.1))
            {
                row.consent.scopes = row.consent.scopes.without(scope);
            }
            self.scopes.remove(scope, &key);
        }
    }

    /// Deletes the consents of a user.
    pub(super) fn remove_subject(&mut self, subject: &SubjectId) {
        let clients: Vec<_> = self
            .rows
            .get(subject)
            .into_iter()
            .flat_map(HashMap::keys)
            .copied()
            .collect();
        for client in clients {
            self.remove(subject, &client);
        }
    }

    /// Deletes the consents for a client.
    pub(super) fn remove_client(&mut self, client: &ClientId) {
        let subjects: Vec<_> = self.clients.rows_with(client).cloned().collect();
        for subject in subjects {
            self.remove(&subject, client);
        }
    }
}

#[async_trait]
impl ConsentStore for MemoryStore {
    async fn consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<Option<Consent>, StorageError> {
        Ok(read_lock(&self.grants)
            .consents
            .get(subject, client)
            .cloned())
    }

    async fn consents_of(
        &self,
        subject: &SubjectId,
    ) -> Result<Vec<(ClientId, Consent)>, StorageError> {
        let mut shown: Vec<_> = read_lock(&self.grants)
            .consents
            .by_subject(subject)
            .collect();
        shown.sort_by_key(|(client, consent)| (Reverse(consent.granted_at), *client));
        shown.truncate(MAX_LISTED_CONSENTS);
        Ok(shown)
    }

    async fn delete_consent(
        &self,
        subject: &SubjectId,
        client: &ClientId,
    ) -> Result<bool, StorageError> {
        Ok(write_lock(&self.grants).consents.remove(subject, client))
    }

    async fn grants_of(
        &self,
        subject: &SubjectId,
        at: Timestamp,
    ) -> Result<Vec<LiveGrant>, StorageError> {
        let mut shown: Vec<_> = read_lock(&self.grants)
            .rows
            .by_subject(subject)
            .filter_map(|row| row.to_live_grant(at))
            .collect();
        shown.sort_by_key(|grant| (Reverse(grant.since), grant.id));
        shown.truncate(MAX_LISTED_GRANTS);
        Ok(shown)
    }

    async fn revoke_grant_and_consent(
        &self,
        subject: &SubjectId,
        grant: &GrantId,
        at: Timestamp,
    ) -> Result<GrantRevocation, StorageError> {
        let mut grants = write_lock(&self.grants);
        let Some(client) = grants
            .rows
            .get(grant)
            .filter(|row| row.subject() == subject)
            .map(GrantRow::client)
        else {
            return Ok(GrantRevocation::NotFound);
        };
        grants.rows.update(grant, |row| row.revoke(at));
        grants.consents.remove(subject, &client);
        Ok(GrantRevocation::Revoked)
    }

    async fn sign_out_everywhere(
        &self,
        subject: &SubjectId,
        keys: ApiKeyAction,
        at: Timestamp,
    ) -> Result<usize, StorageError> {
        Ok(self.end_access(subject, keys, at))
    }
}
