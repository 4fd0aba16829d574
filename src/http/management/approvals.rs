//! Clients that list a scope, and approvals of clients for scopes that require it.

use super::permission::{Changeable, parse_id};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{PageRequest, ScopeDefinition};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{Paged, ScopeApproval, ScopeClient};

impl ManagementSession<'_> {
    /// The clients that list the scope or are approved for it.
    pub(crate) async fn clients_of_scope(
        &self,
        definition: &Changeable<ScopeDefinition>,
        page: PageRequest,
    ) -> Result<Paged<ScopeClient>, ManagementError> {
        Ok(self
            .registry()?
            .clients_of_scope(definition.id, page)
            .await?)
    }

    pub(crate) async fn approve_scope(
        &self,
        definition: &Changeable<ScopeDefinition>,
        client: &str,
    ) -> Result<(), ManagementError> {
        let client = parse_id(client)?;
        match self
            .registry()?
            .approve_scope(definition.id, client, self.now())
            .await?
        {
            ScopeApproval::Approved => {}
            ScopeApproval::UnknownScope | ScopeApproval::UnknownClient => {
                return Err(Rejection::not_found().into());
            }
        }
        self.record_change(
            ManagedObject::ScopeApproval {
                scope: definition.scope.clone(),
                client,
            },
            Change::Created,
        );
        Ok(())
    }

    /// Withdraws the scope from the client, also if it required no approval.
    pub(crate) async fn withdraw_scope(
        &self,
        definition: &Changeable<ScopeDefinition>,
        client: &str,
    ) -> Result<(), ManagementError> {
        let client = parse_id(client)?;
        if !self
            .registry()?
            .revoke_scope_approval(definition.id, client)
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        self.record_change(
            ManagedObject::ScopeApproval {
                scope: definition.scope.clone(),
                client,
            },
            Change::Deleted,
        );
        Ok(())
    }
}
