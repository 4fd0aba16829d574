//! Clients that pass from one owner to another, and what owners leave behind.

use std::sync::Arc;

use http::StatusCode;

use super::permission::Changeable;
use super::{Denial, Desk, NotDone};
#[cfg(feature = "ui")]
use crate::domain::Email;
use crate::domain::{Client, SubjectId};
use crate::http::audit::{Object, Rule};
use crate::http::sign_in::owner_removal_changes;
use crate::store::OwnerRemoval;

/// How often the removal of an owner is tried.
const TRIES: usize = 3;

impl Desk<'_> {
    /// Gives a client to another user or to the service itself. If it was suspended, it is in use again. For administrators.
    pub(crate) async fn transfer_client(&self, client: &Changeable<Arc<Client>>, owner: SubjectId) -> Result<(), NotDone> {
        if !self.is_administrator() {
            return Err(Denial::administrators_only("Only an administrator may give a client to another owner.").into());
        }
        self.check_access().await?;
        self.check_user(&owner).await?;
        if !self.office.storage.set_client_owner(client.id, owner.clone()).await? {
            return Err(Denial::unknown().into());
        }
        let fields = [("owner", client.owner != owner), ("suspendedAt", client.is_suspended())];
        self.changed(Object::Client(client.id), &fields);
        // The new owner may have left between the check and the transfer. A directory that does not answer says nothing about that.
        let checked = self.check_user(&owner).await;
        if matches!(&checked, Err(NotDone::Denied(denial)) if denial.rule == Rule::OwnerUnknown) {
            self.remove_owner(&owner).await?;
        }
        checked
    }

    /// The id of the user with this e-mail address; for a host's own users, the text itself as an id, which is not checked here.
    #[cfg(feature = "ui")]
    pub(crate) async fn find_user(&self, text: &str) -> Result<Option<SubjectId>, NotDone> {
        let text = text.trim();
        match (self.office.doorkeeper.authenticator.accounts(), text.parse::<Email>()) {
            (Some(accounts), Ok(email)) => Ok(accounts.store().account_by_email(&email).await?.map(|account| account.id.into())),
            _ => Ok(text.parse().ok()),
        }
    }

    /// Suspends or reassigns what somebody who has left owned.
    pub(super) async fn remove_owner(&self, owner: &SubjectId) -> Result<(), NotDone> {
        let mut tried = 1;
        loop {
            match self.office.storage.remove_owner(owner, self.now()).await {
                Ok(removal) => {
                    self.record_owner_removal(&removal);
                    return Ok(());
                }
                Err(error) if tried < TRIES => {
                    tracing::warn!(target: "lyceum::auth", %error, "the clients of a user who left could not be suspended; trying again");
                    tried += 1;
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
            self.record_managed(object, change, fields);
        }
    }

    /// Fails unless there is such a user, or it is the service itself.
    async fn check_user(&self, owner: &SubjectId) -> Result<(), NotDone> {
        if *owner == SubjectId::service() {
            return Ok(());
        }
        match self.office.doorkeeper.authenticator.subject(owner).await? {
            Some(_) => Ok(()),
            None => Err(NotDone::no_such_owner()),
        }
    }
}

impl NotDone {
    /// Nobody has the id or the address of a client's new owner.
    pub(crate) fn no_such_owner() -> Self {
        Denial::new(Rule::OwnerUnknown, StatusCode::BAD_REQUEST, "The field owner must be the id of a user, or service.")
            .of_field("owner")
            .into()
    }
}
