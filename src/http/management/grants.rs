use std::sync::Arc;

use super::permission::parse_id;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Client, GrantId, LiveGrant};
use crate::http::audit::EventKind;
use crate::store::GrantRevocation;

impl ManagementSession<'_> {
    /// The user's live grants with their clients.
    pub(crate) async fn grants(&self) -> Result<Vec<(LiveGrant, Arc<Client>)>, ManagementError> {
        let grants = self
            .consents()?
            .grants_of(&self.user.id, self.now())
            .await?;
        let clients = self
            .management
            .clients_by_id(grants.iter().map(|grant| grant.client).collect())
            .await?;
        // A client may have been deleted in the meantime, with its grants.
        let known = grants.into_iter().filter_map(|grant| {
            clients
                .get(&grant.client)
                .cloned()
                .map(|client| (grant, client))
        });
        Ok(known.collect())
    }

    /// Revokes a grant of the user, so that its client has to ask for consent again.
    pub(crate) async fn withdraw_grant(&self, id: &str) -> Result<(), ManagementError> {
        self.end_grant(parse_id(id)?).await
    }

    pub(super) async fn end_grant(&self, grant: GrantId) -> Result<(), ManagementError> {
        let subject = self.user.id.clone();
        match self
            .consents()?
            .revoke_grant_and_consent(&subject, &grant, self.now())
            .await?
        {
            GrantRevocation::Revoked => {}
            GrantRevocation::NotFound => return Err(Rejection::not_found().into()),
        }
        self.management
            .record(self.origin, EventKind::GrantWithdrawn { grant, subject });
        Ok(())
    }
}
