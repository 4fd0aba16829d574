use std::sync::Arc;

use super::{Registry, is_at_limit, paginate};
use crate::domain::{
    ApplicationId, Client, ClientId, PageRequest, Scope, ScopeDefinition, ScopeId, ScopeSet,
    Timestamp,
};
use crate::store::memory::grants::Grants;
use crate::store::{Paged, RegistryChange, ScopeApproval, ScopeClient, ScopeCreation, ScopePatch};

impl Registry {
    pub(super) fn create_scope(&mut self, definition: ScopeDefinition) -> ScopeCreation {
        let Some(application) = self.applications.get(&definition.scope.application) else {
            return ScopeCreation::UnknownApplication;
        };
        if self.scopes.contains_key(&definition.scope)
            || self.scopes_by_id.contains_key(&definition.id)
        {
            return ScopeCreation::NameTaken;
        }
        let definition = ScopeDefinition {
            application_name: application.name.clone(),
            application_name_translations: application.name_translations.clone(),
            ..definition
        };
        self.scopes_by_id
            .insert(definition.id, definition.scope.clone());
        self.scopes.insert(definition.scope.clone(), definition);
        ScopeCreation::Created
    }

    pub(super) fn register_scope(
        &mut self,
        definition: ScopeDefinition,
        limit: u32,
    ) -> ScopeCreation {
        if is_at_limit(
            self.scopes
                .keys()
                .filter(|scope| scope.application == definition.scope.application),
            limit,
        ) {
            return ScopeCreation::LimitReached;
        }
        self.create_scope(definition)
    }

    /// Returns those of the scopes that exist.
    pub(in crate::store::memory) fn existing_scopes(&self, scopes: &ScopeSet) -> ScopeSet {
        scopes
            .iter()
            .filter(|scope| self.scopes.contains_key(scope))
            .cloned()
            .collect()
    }

    pub(super) fn definition(&self, id: ScopeId) -> Option<&ScopeDefinition> {
        self.scopes_by_id
            .get(&id)
            .and_then(|scope| self.scopes.get(scope))
    }

    pub(super) fn scopes(
        &self,
        of: Option<ApplicationId>,
        page: PageRequest,
    ) -> Paged<ScopeDefinition> {
        let scopes = self
            .scopes
            .values()
            .filter(|definition| of.is_none_or(|of| definition.scope.application == of));
        let key = |definition: &ScopeDefinition| {
            (
                definition.scope.application.to_string(),
                definition.scope.name.clone(),
            )
        };
        paginate(scopes.cloned().collect(), key, page)
    }

    pub(super) fn update_scope(&mut self, id: ScopeId, change: ScopePatch) -> RegistryChange {
        let Some(definition) = self
            .scopes_by_id
            .get(&id)
            .and_then(|scope| self.scopes.get_mut(scope))
        else {
            return RegistryChange::NotFound;
        };
        if definition.scope.application == ApplicationId::Service {
            return RegistryChange::BuiltIn;
        }
        let ScopePatch {
            description,
            description_translations,
            approval_required,
        } = change;
        if let Some(description) = description {
            definition.description = description;
        }
        if let Some(translations) = description_translations {
            definition.description_translations = translations;
        }
        definition.approval_required = approval_required.unwrap_or(definition.approval_required);
        RegistryChange::Done
    }

    pub(super) fn delete_scope(&mut self, id: ScopeId, grants: &mut Grants) -> RegistryChange {
        let Some(scope) = self.scopes_by_id.get(&id).cloned() else {
            return RegistryChange::NotFound;
        };
        if scope.application == ApplicationId::Service {
            return RegistryChange::BuiltIn;
        }
        self.remove_scope(&scope, grants);
        RegistryChange::Done
    }

    /// Removes a scope from everything that has it.
    pub(super) fn remove_scope(&mut self, scope: &Scope, grants: &mut Grants) {
        if let Some(definition) = self.scopes.remove(scope) {
            self.scopes_by_id.remove(&definition.id);
            self.approvals
                .retain(|(approved, _), _| *approved != definition.id);
            self.requests
                .retain(|(requested, _), _| *requested != definition.id);
        }
        for client in self.clients.values_mut() {
            remove_allowed_scope(client, scope);
        }
        grants.remove_scope(scope, None);
    }

    pub(super) fn approve_scope(
        &mut self,
        id: ScopeId,
        client: ClientId,
        at: Timestamp,
    ) -> ScopeApproval {
        if !self.scopes_by_id.contains_key(&id) {
            return ScopeApproval::UnknownScope;
        }
        if !self.clients.contains_key(&client) {
            return ScopeApproval::UnknownClient;
        }
        self.approvals.entry((id, client)).or_insert(at);
        ScopeApproval::Approved
    }

    pub(super) fn revoke_scope_approval(
        &mut self,
        id: ScopeId,
        client: ClientId,
        grants: &mut Grants,
    ) -> bool {
        let Some(scope) = self.scopes_by_id.get(&id).cloned() else {
            return false;
        };
        let was_approved = self.approvals.remove(&(id, client)).is_some();
        self.requests.remove(&(id, client));
        let was_allowed = self
            .clients
            .get_mut(&client)
            .is_some_and(|client| remove_allowed_scope(client, &scope));
        grants.remove_scope(&scope, Some(client));
        was_approved || was_allowed
    }

    pub(super) fn clients_of_scope(&self, id: ScopeId, page: PageRequest) -> Paged<ScopeClient> {
        let scope = self.scopes_by_id.get(&id);
        let each = self.clients.values().map(|client| ScopeClient {
            client: client.id,
            approved: self.approvals.contains_key(&(id, client.id)),
            listed: scope.is_some_and(|scope| client.allowed_scopes.contains(scope)),
        });
        paginate(
            each.filter(|found| found.approved || found.listed)
                .collect(),
            |found| found.client,
            page,
        )
    }
}

/// Removes a scope from a client's list. Returns whether the client listed it.
fn remove_allowed_scope(client: &mut Arc<Client>, scope: &Scope) -> bool {
    let was_allowed = client.allowed_scopes.contains(scope);
    if was_allowed {
        let allowed_scopes = client.allowed_scopes.without(scope);
        *client = Arc::new(Client {
            allowed_scopes,
            ..Client::clone(client)
        });
    }
    was_allowed
}
