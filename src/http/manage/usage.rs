//! Who uses what somebody manages, for pages, which ask for those alone who may change it.

use std::sync::Arc;

use super::permission::{Changeable, id_of};
use super::{Denial, Desk, NotDone};
use crate::domain::{Application, Client, ClientId, ScopeDefinition};
use crate::store::ScopeUsage;

impl Desk<'_> {
    pub(crate) async fn application_usage(&self, of: &Application) -> Result<ScopeUsage, NotDone> {
        Ok(self.office.storage.application_usage(of.id, self.now()).await?.ok_or_else(Denial::unknown)?)
    }

    pub(crate) async fn scope_usage(&self, of: &ScopeDefinition) -> Result<ScopeUsage, NotDone> {
        Ok(self.office.storage.scope_usage(of.id, self.now()).await?.ok_or_else(Denial::unknown)?)
    }

    /// The client with this id, as far as the owner of a scope sees those that use it, whoever owns them: its name and its owner.
    pub(crate) async fn client_beside(&self, _: &Changeable<ScopeDefinition>, id: &str) -> Result<Arc<Client>, NotDone> {
        Ok(self.office.storage.client(id_of::<ClientId>(id)?).await?.ok_or_else(Denial::unknown)?)
    }

    /// Whether the person may see all of the client.
    pub(crate) fn may_see(&self, client: &Client) -> bool {
        self.check_owner(Some(&client.owner)).is_ok()
    }
}
