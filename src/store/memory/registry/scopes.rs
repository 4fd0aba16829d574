use std::sync::Arc;

use super::{Registry, has_enough, paged};
use crate::domain::{ApplicationId, Client, ClientId, PageRequest, Scope, ScopeDefinition, ScopeId, ScopeSet};
use crate::store::memory::grants::Grants;
use crate::store::{Registered, RegistryChange, ScopeApproval, ScopeChange, ScopeClient, ScopeCreation};

impl Registry {
    pub(super) fn create_scope(&mut self, definition: ScopeDefinition) -> ScopeCreation {
        let Some(application) = self.applications.get(&definition.scope.application) else {
            return ScopeCreation::UnknownApplication;
        };
        if self.scopes.contains_key(&definition.scope) || self.by_id.contains_key(&definition.id) {
            return ScopeCreation::NameTaken;
        }
        let definition = ScopeDefinition { application_name: application.name.clone(), ..definition };
        self.by_id.insert(definition.id, definition.scope.clone());
        self.scopes.insert(definition.scope.clone(), definition);
        ScopeCreation::Created
    }

    pub(super) fn register_scope(&mut self, definition: ScopeDefinition, at_most: u32) -> ScopeCreation {
        if has_enough(self.scopes.keys().filter(|scope| scope.application == definition.scope.application), at_most) {
            return ScopeCreation::ApplicationHasEnough;
        }
        self.create_scope(definition)
    }

    /// Those of the scopes that exist.
    pub(in crate::store::memory) fn existing(&self, scopes: &ScopeSet) -> ScopeSet {
        scopes.iter().filter(|scope| self.scopes.contains_key(scope)).cloned().collect()
    }

    pub(super) fn definition(&self, id: ScopeId) -> Option<&ScopeDefinition> {
        self.by_id.get(&id).and_then(|scope| self.scopes.get(scope))
    }

    pub(super) fn scopes(&self, of: Option<ApplicationId>, page: PageRequest) -> Registered<ScopeDefinition> {
        let wanted = self.scopes.values().filter(|definition| of.is_none_or(|of| definition.scope.application == of));
        let key = |definition: &ScopeDefinition| (definition.scope.application.to_string(), definition.scope.name.clone());
        paged(wanted.cloned().collect(), key, page)
    }

    pub(super) fn update_scope(&mut self, id: ScopeId, change: ScopeChange) -> RegistryChange {
        let Some(definition) = self.by_id.get(&id).and_then(|scope| self.scopes.get_mut(scope)) else {
            return RegistryChange::Unknown;
        };
        if definition.scope.application == ApplicationId::Service {
            return RegistryChange::OfTheService;
        }
        let ScopeChange { description, approval_required } = change;
        if let Some(description) = description {
            definition.description = description;
        }
        definition.approval_required = approval_required.unwrap_or(definition.approval_required);
        RegistryChange::Done
    }

    pub(super) fn delete_scope(&mut self, id: ScopeId, grants: &mut Grants) -> RegistryChange {
        let Some(scope) = self.by_id.get(&id).cloned() else {
            return RegistryChange::Unknown;
        };
        if scope.application == ApplicationId::Service {
            return RegistryChange::OfTheService;
        }
        self.remove_scope(&scope, grants);
        RegistryChange::Done
    }

    /// Removes a scope, and takes it from whoever has it.
    pub(super) fn remove_scope(&mut self, scope: &Scope, grants: &mut Grants) {
        if let Some(definition) = self.scopes.remove(scope) {
            self.by_id.remove(&definition.id);
            self.approvals.retain(|(approved, _)| *approved != definition.id);
        }
        for client in self.clients.values_mut() {
            disallow(client, scope);
        }
        grants.forget(scope, None);
    }

    pub(super) fn approve_scope(&mut self, id: ScopeId, client: ClientId) -> ScopeApproval {
        if !self.by_id.contains_key(&id) {
            return ScopeApproval::UnknownScope;
        }
        if !self.clients.contains_key(&client) {
            return ScopeApproval::UnknownClient;
        }
        self.approvals.insert((id, client));
        ScopeApproval::Approved
    }

    pub(super) fn withdraw_scope(&mut self, id: ScopeId, client: ClientId, grants: &mut Grants) -> bool {
        let Some(scope) = self.by_id.get(&id).cloned() else {
            return false;
        };
        let was_approved = self.approvals.remove(&(id, client));
        let was_allowed = self.clients.get_mut(&client).is_some_and(|client| disallow(client, &scope));
        grants.forget(&scope, Some(client));
        was_approved || was_allowed
    }

    pub(super) fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Registered<ScopeClient> {
        let scope = self.by_id.get(&id);
        let each = self.clients.values().map(|client| ScopeClient {
            client: client.id,
            approved: self.approvals.contains(&(id, client.id)),
            listed: scope.is_some_and(|scope| client.allowed_scopes.contains(scope)),
        });
        paged(each.filter(|found| found.approved || found.listed).collect(), |found| found.client, page)
    }
}

/// Takes a scope from a client's list. Says whether it was there.
fn disallow(client: &mut Arc<Client>, scope: &Scope) -> bool {
    let was_allowed = client.allowed_scopes.contains(scope);
    if was_allowed {
        let allowed_scopes = client.allowed_scopes.without(scope);
        *client = Arc::new(Client { allowed_scopes, ..Client::clone(client) });
    }
    was_allowed
}
