use std::sync::Arc;

use super::{Registry, has_enough, paged};
use crate::domain::{Client, ClientId, ClientPolicy, ClientSettings, PageRequest, RegisteredSecret, Scope, ScopeSet, Timestamp};
use crate::store::memory::grants::Grants;
use crate::store::{ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Registered, SecretAddition, SecretRemoval};

/// Why a client may not list a scope.
enum Forbidden {
    Unknown(Scope),
    NeedsApproval(Scope),
}

impl Registry {
    pub(super) fn create_client(&mut self, client: Client, at_most: u32) -> ClientCreation {
        if let Err(fault) = client.check() {
            return ClientCreation::Refused(fault);
        }
        if has_enough(self.clients.values().filter(|other| other.owner == client.owner), at_most) {
            return ClientCreation::OwnerHasEnough;
        }
        if self.clients.contains_key(&client.id) {
            return ClientCreation::Taken;
        }
        match self.forbidden(&client, &ScopeSet::default()) {
            Some(Forbidden::Unknown(scope)) => ClientCreation::UnknownScope(scope),
            Some(Forbidden::NeedsApproval(scope)) => ClientCreation::NeedsApproval(scope),
            None => {
                self.clients.insert(client.id, Arc::new(client));
                ClientCreation::Created
            }
        }
    }

    pub(super) fn clients(&self, filter: ClientFilter<'_>, page: PageRequest) -> Registered<Arc<Client>> {
        let selected = self.clients.values().filter(|client| match filter {
            ClientFilter::All => true,
            ClientFilter::OwnedBy(owner) => client.owner == *owner,
            ClientFilter::AwaitingReview => client.awaits_review(),
        });
        paged(selected.cloned().collect(), |client| (client.created_at, client.id), page)
    }

    pub(super) fn update_client(&mut self, id: ClientId, seen: &ClientSettings, new: ClientSettings) -> ClientUpdate {
        let Some(client) = self.clients.get(&id) else {
            return ClientUpdate::Unknown;
        };
        if client.settings() != *seen {
            return ClientUpdate::Changed;
        }
        let updated = client.with(new);
        if let Err(fault) = updated.check() {
            return ClientUpdate::Refused(fault);
        }
        match self.forbidden(&updated, &seen.allowed_scopes) {
            Some(Forbidden::Unknown(scope)) => ClientUpdate::UnknownScope(scope),
            Some(Forbidden::NeedsApproval(scope)) => ClientUpdate::NeedsApproval(scope),
            None => {
                self.clients.insert(id, Arc::new(updated));
                ClientUpdate::Updated
            }
        }
    }

    /// The first scope that the client may not list. What it lists already, it may.
    fn forbidden(&self, client: &Client, listed: &ScopeSet) -> Option<Forbidden> {
        client.allowed_scopes.iter().filter(|scope| !listed.contains(scope)).find_map(|scope| {
            let Some(definition) = self.scopes.get(scope) else {
                return Some(Forbidden::Unknown(scope.clone()));
            };
            let is_own = self.applications.get(&scope.application).is_some_and(|application| application.owner == client.owner);
            let is_free = !definition.approval_required || is_own || self.approvals.contains(&(definition.id, client.id));
            (!is_free).then(|| Forbidden::NeedsApproval(scope.clone()))
        })
    }

    pub(super) fn delete_client(&mut self, id: ClientId, grants: &mut Grants, at: Timestamp) -> ClientDeletion {
        let Some(client) = self.clients.get(&id) else { return ClientDeletion::Unknown };
        let replaces_it = |other: &Client| other.first_party && !other.is_suspended() && (other.may_manage() || !client.may_manage());
        if client.first_party && !self.clients.values().any(|other| other.id != id && replaces_it(other)) {
            return ClientDeletion::LastFirstParty;
        }
        self.clients.remove(&id);
        self.approvals.retain(|(_, client)| *client != id);
        grants.end_client(id, at);
        ClientDeletion::Deleted
    }

    pub(super) fn add_client_secret(&mut self, id: ClientId, secret: RegisteredSecret) -> SecretAddition {
        let Some(client) = self.clients.get_mut(&id) else {
            return SecretAddition::Unknown;
        };
        if client.policy == ClientPolicy::Public {
            return SecretAddition::Public;
        }
        let secrets = client.secrets.last().cloned().into_iter().chain([secret]).collect();
        *client = Arc::new(Client { secrets, ..Client::clone(client) });
        SecretAddition::Added
    }

    pub(super) fn remove_older_secret(&mut self, id: ClientId) -> SecretRemoval {
        let Some(client) = self.clients.get_mut(&id) else {
            return SecretRemoval::Unknown;
        };
        let [_, .., newest] = &client.secrets[..] else {
            return SecretRemoval::NoOlder;
        };
        let secrets = vec![newest.clone()];
        *client = Arc::new(Client { secrets, ..Client::clone(client) });
        SecretRemoval::Removed
    }
}
