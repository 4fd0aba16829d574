//! Usage of applications and scopes, for pages that only their owners and administrators see.

use std::sync::Arc;

use super::permission::{Changeable, parse_id};
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Application, Client, ClientId, ScopeDefinition};
use crate::store::ScopeUsage;

impl ManagementSession<'_> {
    pub(crate) async fn application_usage(
        &self,
        of: &Application,
    ) -> Result<ScopeUsage, ManagementError> {
        Ok(self
            .registry()?
            .application_usage(of.id, self.now())
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    pub(crate) async fn scope_usage(
        &self,
        of: &ScopeDefinition,
    ) -> Result<ScopeUsage, ManagementError> {
        Ok(self
            .registry()?
            .scope_usage(of.id, self.now())
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    /// A client that uses the scope, for the scope's owner. Pages show its name and owner.
    pub(crate) async fn client_of_scope(
        &self,
        _: &Changeable<ScopeDefinition>,
        id: &str,
    ) -> Result<Arc<Client>, ManagementError> {
        Ok(self
            .management
            .storage
            .client(parse_id::<ClientId>(id)?)
            .await?
            .ok_or_else(Rejection::not_found)?)
    }

    /// Whether the user may see all of the client's settings.
    pub(crate) fn may_see(&self, client: &Client) -> bool {
        self.check_owner(Some(&client.owner)).is_ok()
    }
}
