//! Transfer of clients between owners, and removal of owners.

use std::sync::Arc;

use super::permission::Changeable;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Client, SubjectId};
use crate::http::audit::{ManagedObject, RefusalRule};
use crate::http::login::owner_removal_changes;
use crate::store::OwnerRemoval;

/// Maximum attempts at the removal of an owner.
const MAX_ATTEMPTS: usize = 3;

impl ManagementSession<'_> {
    /// Transfers a client to another user or to the service itself, and ends its suspension. For
    /// administrators.
    pub(crate) async fn transfer_client(
        &self,
        client: &Changeable<Arc<Client>>,
        owner: SubjectId,
    ) -> Result<(), ManagementError> {
        if !self.is_administrator() {
            return Err(
                Rejection::administrators_only("may give a client to another owner").into(),
            );
        }
        self.check_still_authenticated().await?;
        self.check_user(&owner).await?;
        if !self
            .registry()?
            .set_client_owner(client.id, owner.clone())
            .await?
        {
            return Err(Rejection::not_found().into());
        }
        let fields = [
            ("owner", client.owner != owner),
            ("suspendedAt", client.is_suspended()),
        ];
        self.record_changed_fields(ManagedObject::Client(client.id), &fields);
        // The new owner may have been removed between the check and the transfer. A failed lookup
        // is not evidence of that.
        let checked = self.check_user(&owner).await;
        if matches!(&checked, Err(ManagementError::Rejected(rejection)) if rejection.rule == RefusalRule::OwnerUnknown)
        {
            self.remove_owner(&owner).await?;
        }
        checked
    }

    /// Suspends or reassigns the objects of a removed owner.
    pub(super) async fn remove_owner(&self, owner: &SubjectId) -> Result<(), ManagementError> {
        let mut attempts = 1;
        loop {
            match self.registry()?.remove_owner(owner, self.now()).await {
                Ok(removal) => {
                    self.record_owner_removal(&removal);
                    return Ok(());
                }
                Err(error) if attempts < MAX_ATTEMPTS => {
                    tracing::warn!(target: "lyceum::auth", %error, "the clients of a user who left could not be suspended; trying again");
                    attempts += 1;
                }
                Err(error) => {
                    let owner = owner.as_str();
                    let message = "the clients of a user who left still work: call `ClientRegistry::remove_owner`";
                    tracing::error!(target: "lyceum::auth", owner, message);
                    return Err(error.into());
                }
            }
        }
    }

    pub(super) fn record_owner_removal(&self, removal: &OwnerRemoval) {
        for (object, change, fields) in owner_removal_changes(removal) {
            self.record_change_of_fields(object, change, fields);
        }
    }

    /// Fails unless the user exists or is the service itself.
    async fn check_user(&self, owner: &SubjectId) -> Result<(), ManagementError> {
        if *owner == SubjectId::service() {
            return Ok(());
        }
        match self
            .management
            .login_service
            .authenticator
            .subject(owner)
            .await?
        {
            Some(_) => Ok(()),
            None => Err(Rejection::owner_unknown().into()),
        }
    }
}
