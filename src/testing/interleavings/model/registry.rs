//! Applications, scopes and clients in the model.

use super::{Model, OperationOutcome, created};
use crate::testing::interleavings::operation::Operation;
use crate::testing::interleavings::registry::{CLIENT_OWNER, LIMIT_REACHED};

/// Settings of a client: allowed scopes, secrets (the newest last), owner, and time of suspension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub(in crate::testing::interleavings) scopes: Vec<u8>,
    pub(in crate::testing::interleavings) secrets: Vec<u8>,
    pub(in crate::testing::interleavings) owner: u8,
    pub(in crate::testing::interleavings) suspended_at: Option<i64>,
}

/// Definition of a scope: its id, its description, and whether clients need an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    id: u8,
    description: u8,
    approval_required: bool,
}

impl Model {
    pub(super) fn perform_on_registry(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateApplication { application } => {
                let is_new = !self.applications.contains_key(&application);
                if is_new {
                    self.applications.insert(application, 1);
                }
                created(is_new)
            }
            Operation::RegisterApplication { at_most, .. }
                if self.applications.len() >= at_most as usize =>
            {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterApplication { application, .. } => {
                self.perform_on_registry(Operation::CreateApplication { application })
            }
            Operation::RegisterScope { at_most, .. } if self.scopes.len() >= at_most as usize => {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterScope { id, scope, .. } => {
                self.perform_on_registry(Operation::CreateScope { id, scope })
            }
            Operation::RegisterClient { at_most, .. } if self.clients.len() >= at_most as usize => {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterClient { client, scopes, .. } => {
                self.perform_on_registry(Operation::CreateClient { client, scopes })
            }
            Operation::Application { application } => {
                OperationOutcome::RefersTo(self.applications.get(&application).copied())
            }
            Operation::RenameApplication { application, name } => {
                let Some(known) = self.applications.get_mut(&application) else {
                    return OperationOutcome::Unknown;
                };
                *known = name;
                OperationOutcome::Done
            }
            Operation::DeleteApplication { application } => {
                if self.applications.remove(&application).is_none() {
                    return OperationOutcome::Unknown;
                }
                if application == 1 {
                    let scopes: Vec<u8> = self.scopes.keys().copied().collect();
                    scopes
                        .into_iter()
                        .for_each(|scope| self.remove_scope(scope));
                }
                OperationOutcome::Done
            }
            Operation::CreateScope { id, scope } => {
                if !self.applications.contains_key(&1) {
                    return OperationOutcome::Unknown;
                }
                let is_new = !self.scopes.contains_key(&scope) && self.scope_of(id).is_none();
                if is_new {
                    self.scopes.insert(
                        scope,
                        Definition {
                            id,
                            description: 1,
                            approval_required: false,
                        },
                    );
                }
                created(is_new)
            }
            Operation::Scope { scope } => {
                OperationOutcome::RefersTo(self.scopes.get(&scope).map(|definition| definition.id))
            }
            Operation::Definition { id } => {
                let definition = self.scopes.values().find(|definition| definition.id == id);
                let name = self.applications.get(&1).copied().unwrap_or_default();
                OperationOutcome::Definition(
                    definition.map(|definition| {
                        (definition.description, definition.approval_required, name)
                    }),
                )
            }
            Operation::DescribeScope { id, description } => {
                self.redefine(id, |before| Definition {
                    description,
                    ..before
                })
            }
            Operation::RequireScopeApproval {
                id,
                approval_required,
            } => self.redefine(id, |before| Definition {
                approval_required,
                ..before
            }),
            Operation::ApproveScope { id, client } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                if !self.clients.contains_key(&client) {
                    return OperationOutcome::Bool(false);
                }
                self.approvals.insert((scope, client));
                OperationOutcome::Done
            }
            Operation::ScopeApprovals { id } => {
                let scope = self.scope_of(id);
                OperationOutcome::Clients(
                    self.approvals
                        .iter()
                        .filter(|(of, _)| Some(*of) == scope)
                        .map(|(_, client)| *client)
                        .collect(),
                )
            }
            Operation::DeleteScope { id } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                self.remove_scope(scope);
                OperationOutcome::Done
            }
            Operation::WithdrawScope { id, client } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Bool(false);
                };
                // All sessions, grants and consents belong to client 1.
                if client == 1 {
                    self.forget(scope);
                }
                let was_approved = self.approvals.remove(&(scope, client));
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Bool(false);
                };
                let before = client.scopes.len();
                client.scopes.retain(|listed| *listed != scope);
                OperationOutcome::Bool(was_approved || client.scopes.len() < before)
            }
            Operation::CreateClient { client, scopes } => {
                if self.clients.contains_key(&client) {
                    return OperationOutcome::AlreadyExists;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &[]) {
                    return forbidden;
                }
                self.clients.insert(
                    client,
                    Client {
                        scopes: deduplicated(scopes),
                        secrets: vec![client],
                        owner: CLIENT_OWNER,
                        suspended_at: None,
                    },
                );
                OperationOutcome::Created
            }
            Operation::Client { client } => {
                OperationOutcome::Client(self.clients.get(&client).cloned())
            }
            Operation::UpdateClient {
                client,
                seen,
                scopes,
            } => {
                let Some(before) = self.clients.get(&client).cloned() else {
                    return OperationOutcome::Unknown;
                };
                if before.scopes != deduplicated(seen) {
                    return OperationOutcome::Conflict;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &before.scopes) {
                    return forbidden;
                }
                self.clients.insert(
                    client,
                    Client {
                        scopes: deduplicated(scopes),
                        ..before
                    },
                );
                OperationOutcome::Done
            }
            Operation::DeleteClient { client, at } => {
                if self.clients.remove(&client).is_none() {
                    return OperationOutcome::Bool(false);
                }
                self.approvals.retain(|(_, approved)| *approved != client);
                if client == 1 {
                    self.sessions.clear();
                    self.consents.clear();
                    self.grants.values_mut().for_each(|grant| grant.revoke(at));
                }
                OperationOutcome::Bool(true)
            }
            Operation::SetClientOwner { client, owner } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Bool(false);
                };
                if client.suspended_at.is_some() {
                    client.secrets.clear();
                }
                (client.owner, client.suspended_at) = (owner, None);
                OperationOutcome::Bool(true)
            }
            Operation::RemoveOwner { owner, at } => {
                OperationOutcome::Clients(self.remove_owner(owner, at))
            }
            Operation::AddClientSecret { client, secret } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Unknown;
                };
                client.secrets.push(secret);
                client.secrets = client
                    .secrets
                    .split_off(client.secrets.len().saturating_sub(2));
                OperationOutcome::Done
            }
            Operation::RemoveOlderSecret { client } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Unknown;
                };
                if client.secrets.len() < 2 {
                    return OperationOutcome::Bool(false);
                }
                client.secrets.remove(0);
                OperationOutcome::Done
            }
            _ => self.perform_on_directory(operation),
        }
    }

    /// Suspends the clients of a removed owner and returns them.
    pub(super) fn remove_owner(&mut self, owner: u8, at: i64) -> Vec<u8> {
        let in_use = self
            .clients
            .iter_mut()
            .filter(|(_, client)| client.owner == owner && client.suspended_at.is_none());
        in_use
            .map(|(number, client)| (client.suspended_at = Some(at), *number).1)
            .collect()
    }

    pub(super) fn scope_of(&self, id: u8) -> Option<u8> {
        self.scopes
            .iter()
            .find(|(_, definition)| definition.id == id)
            .map(|(scope, _)| *scope)
    }

    fn redefine(&mut self, id: u8, change: impl Fn(Definition) -> Definition) -> OperationOutcome {
        let Some(definition) = self
            .scopes
            .values_mut()
            .find(|definition| definition.id == id)
        else {
            return OperationOutcome::Unknown;
        };
        *definition = change(*definition);
        OperationOutcome::Done
    }

    /// Returns the scope that a client may not list. It may keep those it has listed before.
    fn forbidden(&self, client: u8, scopes: [u8; 2], before: &[u8]) -> Option<OperationOutcome> {
        scopes.into_iter().find_map(|scope| {
            let Some(definition) = self.scopes.get(&scope) else {
                return Some(OperationOutcome::UnknownScope(scope));
            };
            let is_free = !definition.approval_required
                || self.approvals.contains(&(scope, client))
                || before.contains(&scope);
            (!is_free).then_some(OperationOutcome::NeedsApproval(scope))
        })
    }

    fn remove_scope(&mut self, scope: u8) {
        self.scopes.remove(&scope);
        self.approvals.retain(|(approved, _)| *approved != scope);
        self.clients
            .values_mut()
            .for_each(|client| client.scopes.retain(|listed| *listed != scope));
        self.forget(scope);
    }

    /// Removes a scope from sessions, grants and consents, which have at most the first of these.
    fn forget(&mut self, scope: u8) {
        if scope == 1 {
            self.sessions
                .values_mut()
                .for_each(|session| session.scopes.retain(|asked| *asked != 1));
            self.consents
                .values_mut()
                .for_each(|(allowed, _)| allowed.retain(|allowed| *allowed != 1));
            self.grants
                .values_mut()
                .for_each(|grant| grant.has_scope = false);
        }
    }
}

fn deduplicated(scopes: [u8; 2]) -> Vec<u8> {
    let mut scopes = scopes.to_vec();
    scopes.dedup();
    scopes
}
