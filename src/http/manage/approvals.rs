//! Which clients list a scope, and which of other owners may where it needs approval.

use super::permission::{Changeable, id_of};
use super::{Denial, Desk, NotDone};
use crate::domain::{PageRequest, ScopeDefinition};
use crate::http::audit::{Change, Object};
use crate::store::{Registered, ScopeApproval, ScopeClient};

impl Desk<'_> {
    /// The clients that list the scope or were approved for it.
    pub(crate) async fn clients_of_scope(
        &self,
        definition: &Changeable<ScopeDefinition>,
        page: PageRequest,
    ) -> Result<Registered<ScopeClient>, NotDone> {
        Ok(self.office.storage.clients_of_scope(definition.id, page).await?)
    }

    pub(crate) async fn approve_scope(&self, definition: &Changeable<ScopeDefinition>, client: &str) -> Result<(), NotDone> {
        let client = id_of(client)?;
        match self.office.storage.approve_scope(definition.id, client, self.now()).await? {
            ScopeApproval::Approved => {}
            ScopeApproval::UnknownScope | ScopeApproval::UnknownClient => return Err(Denial::unknown().into()),
        }
        self.managed(Object::ScopeApproval { scope: definition.scope.clone(), client }, Change::Created);
        Ok(())
    }

    /// Takes the scope from the client, also where it needed no approval.
    pub(crate) async fn withdraw_scope(&self, definition: &Changeable<ScopeDefinition>, client: &str) -> Result<(), NotDone> {
        let client = id_of(client)?;
        if !self.office.storage.withdraw_scope(definition.id, client).await? {
            return Err(Denial::unknown().into());
        }
        self.managed(Object::ScopeApproval { scope: definition.scope.clone(), client }, Change::Deleted);
        Ok(())
    }
}
