//! Applications, their scopes, and clients.

use super::{Model, Outcome, created};
use crate::testing::interleavings::operation::Operation;
use crate::testing::interleavings::registry::{CLIENT_OWNER, ENOUGH};

/// The scopes that it may ask for, its secrets, the newest last, its owner, and since when it is suspended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub(in crate::testing::interleavings) scopes: Vec<u8>,
    pub(in crate::testing::interleavings) secrets: Vec<u8>,
    pub(in crate::testing::interleavings) owner: u8,
    pub(in crate::testing::interleavings) suspended_at: Option<i64>,
}

/// Its id, its description, and whether clients need an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    id: u8,
    description: u8,
    guarded: bool,
}

impl Model {
    pub(super) fn perform_in_registry(&mut self, operation: Operation) -> Outcome {
        match operation {
            Operation::CreateApplication { application } => {
                let is_new = !self.applications.contains_key(&application);
                if is_new {
                    self.applications.insert(application, 1);
                }
                created(is_new)
            }
            Operation::RegisterApplication { at_most, .. } if self.applications.len() >= at_most as usize => Outcome::Refused(ENOUGH),
            Operation::RegisterApplication { application, .. } => self.perform_in_registry(Operation::CreateApplication { application }),
            Operation::RegisterScope { at_most, .. } if self.scopes.len() >= at_most as usize => Outcome::Refused(ENOUGH),
            Operation::RegisterScope { id, scope, .. } => self.perform_in_registry(Operation::CreateScope { id, scope }),
            Operation::RegisterClient { at_most, .. } if self.clients.len() >= at_most as usize => Outcome::Refused(ENOUGH),
            Operation::RegisterClient { client, scopes, .. } => self.perform_in_registry(Operation::CreateClient { client, scopes }),
            Operation::Application { application } => Outcome::Belongs(self.applications.get(&application).copied()),
            Operation::RenameApplication { application, name } => {
                let Some(known) = self.applications.get_mut(&application) else { return Outcome::Unknown };
                *known = name;
                Outcome::Done
            }
            Operation::DeleteApplication { application } => {
                if self.applications.remove(&application).is_none() {
                    return Outcome::Unknown;
                }
                if application == 1 {
                    let scopes: Vec<u8> = self.scopes.keys().copied().collect();
                    scopes.into_iter().for_each(|scope| self.remove_scope(scope));
                }
                Outcome::Done
            }
            Operation::CreateScope { id, scope } => {
                if !self.applications.contains_key(&1) {
                    return Outcome::Unknown;
                }
                let is_new = !self.scopes.contains_key(&scope) && self.scope_of(id).is_none();
                if is_new {
                    self.scopes.insert(scope, Definition { id, description: 1, guarded: false });
                }
                created(is_new)
            }
            Operation::Scope { scope } => Outcome::Belongs(self.scopes.get(&scope).map(|definition| definition.id)),
            Operation::Definition { id } => {
                let definition = self.scopes.values().find(|definition| definition.id == id);
                let name = self.applications.get(&1).copied().unwrap_or_default();
                Outcome::Definition(definition.map(|definition| (definition.description, definition.guarded, name)))
            }
            Operation::DescribeScope { id, description } => self.redefine(id, |before| Definition { description, ..before }),
            Operation::GuardScope { id, guarded } => self.redefine(id, |before| Definition { guarded, ..before }),
            Operation::ApproveScope { id, client } => {
                let Some(scope) = self.scope_of(id) else { return Outcome::Unknown };
                if !self.clients.contains_key(&client) {
                    return Outcome::Is(false);
                }
                self.approvals.insert((scope, client));
                Outcome::Done
            }
            Operation::Approved { id } => {
                let scope = self.scope_of(id);
                Outcome::Clients(self.approvals.iter().filter(|(of, _)| Some(*of) == scope).map(|(_, client)| *client).collect())
            }
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
                let was_approved = self.approvals.remove(&(scope, client));
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Is(false) };
                let before = client.scopes.len();
                client.scopes.retain(|listed| *listed != scope);
                Outcome::Is(was_approved || client.scopes.len() < before)
            }
            Operation::CreateClient { client, scopes } => {
                if self.clients.contains_key(&client) {
                    return Outcome::Taken;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &[]) {
                    return forbidden;
                }
                self.clients
                    .insert(client, Client { scopes: once_each(scopes), secrets: vec![client], owner: CLIENT_OWNER, suspended_at: None });
                Outcome::Created
            }
            Operation::Client { client } => Outcome::Client(self.clients.get(&client).cloned()),
            Operation::UpdateClient { client, seen, scopes } => {
                let Some(before) = self.clients.get(&client).cloned() else { return Outcome::Unknown };
                if before.scopes != once_each(seen) {
                    return Outcome::Changed;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &before.scopes) {
                    return forbidden;
                }
                self.clients.insert(client, Client { scopes: once_each(scopes), ..before });
                Outcome::Done
            }
            Operation::DeleteClient { client, at } => {
                if self.clients.remove(&client).is_none() {
                    return Outcome::Is(false);
                }
                self.approvals.retain(|(_, approved)| *approved != client);
                if client == 1 {
                    self.sessions.clear();
                    self.consents.clear();
                    self.grants.values_mut().for_each(|grant| grant.revoke(at));
                }
                Outcome::Is(true)
            }
            Operation::GiveClient { client, owner } => {
                let Some(client) = self.clients.get_mut(&client) else { return Outcome::Is(false) };
                if client.suspended_at.is_some() {
                    client.secrets.clear();
                }
                (client.owner, client.suspended_at) = (owner, None);
                Outcome::Is(true)
            }
            Operation::RemoveOwner { owner, at } => Outcome::Clients(self.remove_owner(owner, at)),
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

    /// Suspends the clients of an owner who has left, and says which those are.
    pub(super) fn remove_owner(&mut self, owner: u8, at: i64) -> Vec<u8> {
        let in_use = self.clients.iter_mut().filter(|(_, client)| client.owner == owner && client.suspended_at.is_none());
        in_use.map(|(number, client)| (client.suspended_at = Some(at), *number).1).collect()
    }

    pub(super) fn scope_of(&self, id: u8) -> Option<u8> {
        self.scopes.iter().find(|(_, definition)| definition.id == id).map(|(scope, _)| *scope)
    }

    fn redefine(&mut self, id: u8, change: impl Fn(Definition) -> Definition) -> Outcome {
        let Some(definition) = self.scopes.values_mut().find(|definition| definition.id == id) else { return Outcome::Unknown };
        *definition = change(*definition);
        Outcome::Done
    }

    /// Why a client may not list one of these. What it has listed before, it may.
    fn forbidden(&self, client: u8, scopes: [u8; 2], before: &[u8]) -> Option<Outcome> {
        scopes.into_iter().find_map(|scope| {
            let Some(definition) = self.scopes.get(&scope) else { return Some(Outcome::Missing(scope)) };
            let is_free = !definition.guarded || self.approvals.contains(&(scope, client)) || before.contains(&scope);
            (!is_free).then_some(Outcome::NeedsApproval(scope))
        })
    }

    fn remove_scope(&mut self, scope: u8) {
        self.scopes.remove(&scope);
        self.approvals.retain(|(approved, _)| *approved != scope);
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
