use std::collections::HashMap;

use super::super::ends::Ends;
use super::index::Index;
use crate::domain::{AuthorizationSession, ClientId, Consent, Scope, SubjectId, Timestamp};
use crate::store::sweep::CONSENT_KEPT;

/// What each user has let each client have, also by client and by scope and in the order of its last use.
#[derive(Default)]
pub(super) struct Consents {
    rows: HashMap<SubjectId, HashMap<ClientId, Row>>,
    clients: Index<ClientId, SubjectId>,
    scopes: Index<Scope, (SubjectId, ClientId)>,
    uses: Ends<Timestamp, (SubjectId, ClientId)>,
}

struct Row {
    consent: Consent,
    last_used_at: Timestamp,
}

impl Consents {
    pub(super) fn get(&self, subject: &SubjectId, client: &ClientId) -> Option<&Consent> {
        self.rows.get(subject)?.get(client).map(|row| &row.consent)
    }

    /// What a user has let each client have.
    pub(super) fn of(&self, subject: &SubjectId) -> impl Iterator<Item = (ClientId, Consent)> {
        self.rows.get(subject).into_iter().flatten().map(|(client, row)| (*client, row.consent.clone()))
    }

    /// Whether the user has allowed before all that the session asks for.
    pub(super) fn covers(&self, subject: &SubjectId, session: &AuthorizationSession) -> bool {
        self.get(subject, &session.client).is_some_and(|consent| session.scopes.is_subset(&consent.scopes))
    }

    /// Records that the consent was used to skip the consent page.
    pub(super) fn touch(&mut self, subject: &SubjectId, client: ClientId, at: Timestamp) {
        let Some(row) = self.rows.get_mut(subject).and_then(|consents| consents.get_mut(&client)) else { return };
        if row.last_used_at < at {
            self.uses.remove(row.last_used_at, (subject.clone(), client));
            self.uses.insert(at, (subject.clone(), client));
            row.last_used_at = at;
        }
    }

    /// Forgets those consents of a user that were used longest ago, until there is room for that of a client among so many.
    pub(super) fn make_room(&mut self, subject: &SubjectId, client: ClientId, at_most: u32) {
        let others = self.rows.get(subject).into_iter().flatten().filter(|(other, _)| **other != client);
        let mut others: Vec<_> = others.map(|(other, row)| (row.last_used_at, *other)).collect();
        others.sort_unstable();
        let go = others.len().saturating_sub(at_most.saturating_sub(1) as usize);
        for (_, other) in others.into_iter().take(go) {
            self.forget(subject, &other);
        }
    }

    /// Adds what the session asks for to what was allowed before, and takes a few consents away that have not been used for years.
    pub(super) fn remember(&mut self, subject: &SubjectId, session: &AuthorizationSession, at: Timestamp) {
        for (subject, client) in self.uses.take(at.minus(CONSENT_KEPT)) {
            self.forget(&subject, &client);
        }
        let scopes = match self.get(subject, &session.client) {
            Some(before) => session.scopes.union(&before.scopes),
            None => session.scopes.clone(),
        };
        self.forget(subject, &session.client);
        let key = (subject.clone(), session.client);
        for scope in &scopes {
            self.scopes.insert(scope, key.clone());
        }
        self.clients.insert(&session.client, subject.clone());
        self.uses.insert(at, key);
        let row = Row { consent: Consent { scopes, granted_at: at }, last_used_at: at };
        self.rows.entry(subject.clone()).or_default().insert(session.client, row);
    }

    /// Says whether there was anything.
    pub(super) fn forget(&mut self, subject: &SubjectId, client: &ClientId) -> bool {
        let Some(consents) = self.rows.get_mut(subject) else { return false };
        let Some(row) = consents.remove(client) else { return false };
        if consents.is_empty() {
            self.rows.remove(subject);
        }
        let key = (subject.clone(), *client);
        for scope in &row.consent.scopes {
            self.scopes.remove(scope, &key);
        }
        self.clients.remove(client, subject);
        self.uses.remove(row.last_used_at, key);
        true
    }

    /// Takes a scope from what a client was allowed, or all.
    pub(super) fn forget_scope(&mut self, scope: &Scope, client: Option<ClientId>) {
        let with_it: Vec<_> = self.scopes.of(scope).filter(|(_, of)| client.is_none_or(|client| *of == client)).cloned().collect();
        for key in with_it {
            if let Some(row) = self.rows.get_mut(&key.0).and_then(|consents| consents.get_mut(&key.1)) {
                row.consent.scopes = row.consent.scopes.without(scope);
            }
            self.scopes.remove(scope, &key);
        }
    }

    /// Forgets what a user allowed, to whomever.
    pub(super) fn end_subject(&mut self, subject: &SubjectId) {
        let clients: Vec<_> = self.rows.get(subject).into_iter().flat_map(HashMap::keys).copied().collect();
        for client in clients {
            self.forget(subject, &client);
        }
    }

    /// Forgets what a client was allowed, by whomever.
    pub(super) fn end_client(&mut self, client: &ClientId) {
        let subjects: Vec<_> = self.clients.of(client).cloned().collect();
        for subject in subjects {
            self.forget(&subject, client);
        }
    }
}
