//! Applications, their scopes, and clients.

use super::{Model, Outcome, created};
use crate::testing::interleavings::operation::Operation;

/// The scopes that it may ask for, and its secrets, the newest last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Client {
    scopes: Vec<u8>,
    secrets: Vec<u8>,
}

impl Model {
    pub(super) fn perform_in_registry(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::CreateApplication { application } => created(self.applications.insert(application)),
            Operation::Application { application } => Outcome::Is(self.applications.contains(&application)),
            Operation::DeleteApplication { application } => {
                if !self.applications.remove(&application) {
                    return Outcome::Unknown;
                }
                if application == 1 {
                    let scopes: Vec<u8> = self.scopes.keys().copied().collect();
                    scopes.into_iter().for_each(|scope| self.remove_scope(scope));
                }
                Outcome::Done
            }
            Operation::CreateScope { id, scope } => {
                if !self.applications.contains(&1) {
                    return Outcome::Unknown;
                }
                let is_new = !self.scopes.contains_key(&scope) && !self.scopes.values().any(|taken| *taken == id);
                if is_new {
                    self.scopes.insert(scope, id);
                }
                created(is_new)
            }
            Operation::Scope { scope } => Outcome::Belongs(self.scopes.get(&scope).copied()),
            Operation::DeleteScope { id } => {
                let Some(scope) = self.scope_of(id) else { return Outcome::Unknown };
                self.remove_scope(scope);
                Outcome::Done
            }
            Operation::WithdrawScope { id, client } => {
                let Some(scope) = self.scope_of(id) else { return Outcome::Is(false) };
                // All sessions, grants and consents are of client 1.
                if client == 1 {
                    self.forget(scope);
                }
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Is(false) };
                let before = client.scopes.len();
                client.scopes.retain(|listed| *listed != scope);
                Outcome::Is(client.scopes.len() < before)
            }
            Operation::CreateClient { client, scopes } => {
                if self.clients.contains_key(&client) {
                    return Outcome::Taken;
                }
                if let Some(missing) = scopes.iter().find(|scope| !self.scopes.contains_key(scope)) {
                    return Outcome::Missing(*missing);
                }
                self.clients.insert(client, Client { scopes: once_each(scopes), secrets: vec![client] });
                Outcome::Created
            }
            Operation::Client { client } => {
                Outcome::Client(self.clients.get(&client).map(|client| (client.scopes.clone(), client.secrets.clone())))
            }
            Operation::UpdateClient { client, seen, scopes } => {
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Unknown };
                if client.scopes != once_each(seen) {
                    return Outcome::Changed;
                }
                if let Some(missing) = scopes.iter().find(|scope| !self.scopes.contains_key(scope)) {
                    return Outcome::Missing(*missing);
                }
                client.scopes = once_each(scopes);
                Outcome::Done
            }
            Operation::DeleteClient { client, at } => {
                if self.clients.remove(&client).is_none() {
                    return Outcome::Is(false);
                }
                if client == 1 {
                    self.sessions.clear();
                    self.consents.clear();
                    self.grants.values_mut().for_each(|grant| grant.revoke(at));
                }
                Outcome::Is(true)
            }
            Operation::AddSecret { client, secret } => {
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Unknown };
                client.secrets.push(secret);
                client.secrets = client.secrets.split_off(client.secrets.len().saturating_sub(2));
                Outcome::Done
            }
            Operation::RemoveOlderSecret { client } => {
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Unknown };
                if client.secrets.len() < 2 {
                    return Outcome::Is(false);
                }
                client.secrets.remove(0);
                Outcome::Done
            }
            _ => self.perform_in_school(operation),
        }
    }

    fn scope_of(&self, id: u8) -> Option<u8> {
        self.scopes.iter().find(|(_, known)| **known == id).map(|(scope, _)| *scope)
    }

    fn remove_scope(&mut self, scope: u8) {
        self.scopes.remove(&scope);
        self.clients.values_mut().for_each(|client| client.scopes.retain(|listed| *listed != scope));
        self.forget(scope);
    }

    /// Sessions, grants and consents have no other scope of these than the first.
    fn forget(&mut self, scope: u8) {
        if scope == 1 {
            self.sessions.values_mut().for_each(|session| session.scopes.retain(|asked| *asked != 1));
            self.consents.values_mut().for_each(|(allowed, _)| allowed.retain(|allowed| *allowed != 1));
            self.grants.values_mut().for_each(|grant| grant.has_scope = false);
        }
    }
}

fn once_each(scopes: [u8; 2]) -> Vec<u8> {
    let mut scopes = scopes.to_vec();
    scopes.dedup();
    scopes
}
