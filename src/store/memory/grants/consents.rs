use std::collections::HashMap;

use crate::domain::{AuthorizationSession, ClientId, Consent, Scope, SubjectId, Timestamp};

/// What each user has let each client have.
#[derive(Default)]
pub(super) struct Consents(HashMap<SubjectId, HashMap<ClientId, Consent>>);

impl Consents {
    pub(super) fn get(&self, subject: &SubjectId, client: &ClientId) -> Option<&Consent> {
        self.0.get(subject)?.get(client)
    }

    /// What a user has let each client have.
    pub(super) fn of(&self, subject: &SubjectId) -> impl Iterator<Item = (ClientId, Consent)> {
        self.0.get(subject).into_iter().flatten().map(|(client, consent)| (*client, consent.clone()))
    }

    /// Whether the user has allowed before all that the session asks for.
    pub(super) fn covers(&self, subject: &SubjectId, session: &AuthorizationSession) -> bool {
        self.get(subject, &session.client).is_some_and(|consent| session.scopes.is_subset(&consent.scopes))
    }

    /// Adds what the session asks for to what was allowed before.
    pub(super) fn remember(&mut self, subject: &SubjectId, session: &AuthorizationSession, at: Timestamp) {
        let scopes = match self.get(subject, &session.client) {
            Some(before) => session.scopes.union(&before.scopes),
            None => session.scopes.clone(),
        };
        self.0.entry(subject.clone()).or_default().insert(session.client, Consent { scopes, granted_at: at });
    }

    /// Says whether there was anything.
    pub(super) fn forget(&mut self, subject: &SubjectId, client: &ClientId) -> bool {
        let Some(consents) = self.0.get_mut(subject) else { return false };
        let was_there = consents.remove(client).is_some();
        if consents.is_empty() {
            self.0.remove(subject);
        }
        was_there
    }

    /// Takes a scope from what the clients that are meant were allowed.
    pub(super) fn forget_scope(&mut self, scope: &Scope, is_meant: impl Fn(ClientId) -> bool) {
        let all = self.0.values_mut().flatten();
        for (_, consent) in all.filter(|(client, _)| is_meant(**client)) {
            consent.scopes = consent.scopes.without(scope);
        }
    }

    /// Forgets what a user allowed, to whomever.
    pub(super) fn end_subject(&mut self, subject: &SubjectId) {
        self.0.remove(subject);
    }

    /// Forgets what a client was allowed, by whomever.
    pub(super) fn end_client(&mut self, client: &ClientId) {
        self.0.retain(|_, consents| {
            consents.remove(client);
            !consents.is_empty()
        });
    }
}
