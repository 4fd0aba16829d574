use std::cmp::Reverse;
use std::sync::Arc;

use super::{Registry, is_at_limit, paginate};
use crate::domain::{
    Client, ClientId, ClientPolicy, ClientSecretUse, ClientSettings, PageRequest, RegisteredSecret,
    Scope, ScopeSet, Timestamp,
};
use crate::store::memory::grants::Grants;
use crate::store::{
    ClientCreation, ClientDeletion, ClientFilter, ClientUpdate, Paged, SecretAddition,
    SecretRemoval,
};

/// Reason why a client may not list a scope.
enum ForbiddenScope {
    Unknown(Scope),
    NeedsApproval(Scope),
}

impl Registry {
    pub(super) fn create_client(&mut self, client: Client, limit: u32) -> ClientCreation {
        if let Err(error) = client.check() {
            return ClientCreation::Invalid(error);
        }
        if is_at_limit(
            self.clients
                .values()
                .filter(|other| other.owner == client.owner),
            limit,
        ) {
            return ClientCreation::LimitReached;
        }
        if self.clients.contains_key(&client.id) {
            return ClientCreation::AlreadyExists;
        }
        match self.forbidden_scope(&client, &ScopeSet::default()) {
            Some(ForbiddenScope::Unknown(scope)) => ClientCreation::UnknownScope(scope),
            Some(ForbiddenScope::NeedsApproval(scope)) => ClientCreation::NeedsApproval(scope),
            None => {
                self.clients.insert(client.id, Arc::new(client));
                ClientCreation::Created
            }
        }
    }

    pub(super) fn clients(
        &self,
        filter: ClientFilter<'_>,
        page: PageRequest,
    ) -> Paged<Arc<Client>> {
        let selected = self.clients.values().filter(|client| match filter {
            ClientFilter::All => true,
            ClientFilter::OwnedBy(owner) => client.owner == *owner,
            ClientFilter::AwaitingReview => client.awaits_review(),
        });
        let selected = selected.cloned().collect();
        match filter {
            ClientFilter::AwaitingReview => paginate(
                selected,
                |client| Reverse((client.created_at, client.id)),
                page,
            ),
            _ => paginate(selected, |client| (client.created_at, client.id), page),
        }
    }

    pub(super) fn update_client(
        &mut self,
        id: ClientId,
        expected: &ClientSettings,
        new: ClientSettings,
    ) -> ClientUpdate {
        let Some(client) = self.clients.get(&id) else {
            return ClientUpdate::NotFound;
        };
        if client.settings() != *expected {
            return ClientUpdate::Conflict;
        }
        let updated = client.with_settings(new);
        if let Err(error) = updated.check() {
            return ClientUpdate::Invalid(error);
        }
        match self.forbidden_scope(&updated, &expected.allowed_scopes) {
            Some(ForbiddenScope::Unknown(scope)) => ClientUpdate::UnknownScope(scope),
            Some(ForbiddenScope::NeedsApproval(scope)) => ClientUpdate::NeedsApproval(scope),
            None => {
                self.clients.insert(id, Arc::new(updated));
                ClientUpdate::Updated
            }
        }
    }

    /// The first scope that the client may not list. Scopes in `listed` are allowed.
    fn forbidden_scope(&self, client: &Client, listed: &ScopeSet) -> Option<ForbiddenScope> {
        client
            .allowed_scopes
            .iter()
            .filter(|scope| !listed.contains(scope))
            .find_map(|scope| {
                let Some(definition) = self.scopes.get(scope) else {
                    return Some(ForbiddenScope::Unknown(scope.clone()));
                };
                let is_own = self
                    .applications
                    .get(&scope.application)
                    .is_some_and(|application| application.owner == client.owner);
                let is_allowed = !definition.approval_required
                    || is_own
                    || self.approvals.contains_key(&(definition.id, client.id));
                (!is_allowed).then(|| ForbiddenScope::NeedsApproval(scope.clone()))
            })
    }

    pub(super) fn delete_client(
        &mut self,
        id: ClientId,
        grants: &mut Grants,
        at: Timestamp,
    ) -> ClientDeletion {
        let Some(client) = self.clients.get(&id) else {
            return ClientDeletion::NotFound;
        };
        let can_replace = |other: &Client| {
            other.first_party
                && !other.is_suspended()
                && (other.may_manage() || !client.may_manage())
        };
        if client.first_party
            && !self
                .clients
                .values()
                .any(|other| other.id != id && can_replace(other))
        {
            return ClientDeletion::LastFirstParty;
        }
        self.clients.remove(&id);
        self.approvals.retain(|(_, client), _| *client != id);
        self.requests.retain(|(_, client), _| *client != id);
        grants.remove_client(id, at);
        ClientDeletion::Deleted
    }

    pub(super) fn add_client_secret(
        &mut self,
        id: ClientId,
        secret: RegisteredSecret,
    ) -> SecretAddition {
        let Some(client) = self.clients.get_mut(&id) else {
            return SecretAddition::NotFound;
        };
        if client.policy == ClientPolicy::Public {
            return SecretAddition::Public;
        }
        let secrets = client
            .secrets
            .last()
            .cloned()
            .into_iter()
            .chain([secret])
            .collect();
        *client = Arc::new(Client {
            secrets,
            ..Client::clone(client)
        });
        SecretAddition::Added
    }

    pub(super) fn remove_older_secret(&mut self, id: ClientId) -> SecretRemoval {
        let Some(client) = self.clients.get_mut(&id) else {
            return SecretRemoval::NotFound;
        };
        let [_, .., newest] = &client.secrets[..] else {
            return SecretRemoval::NoOlder;
        };
        let secrets = vec![newest.clone()];
        *client = Arc::new(Client {
            secrets,
            ..Client::clone(client)
        });
        SecretRemoval::Removed
    }

    pub(super) fn touch_secret(&mut self, used: ClientSecretUse) {
        let Some(client) = self.clients.get_mut(&used.client) else {
            return;
        };
        for secret in &mut Arc::make_mut(client).secrets {
            if secret.digest.matches(&used.secret) {
                secret.last_used_at = secret.last_used_at.max(Some(used.last_used_at));
            }
        }
    }
}
