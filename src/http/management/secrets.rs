//! Client secrets: at most two, so that a new one can be deployed while the older one is still
//! valid.

use std::sync::Arc;

use super::permission::Changeable;
use super::{ManagementError, ManagementSession, Rejection};
use crate::domain::{Client, ClientSecret, RegisteredSecret};
use crate::http::audit::{Change, ManagedObject};
use crate::store::{SecretAddition, SecretRemoval};

impl ManagementSession<'_> {
    /// Adds a secret to the client, which is not shown again. A third secret replaces the oldest.
    pub(crate) async fn add_secret(
        &self,
        client: &Changeable<Arc<Client>>,
    ) -> Result<(Arc<Client>, ClientSecret), ManagementError> {
        self.check_still_authenticated().await?;
        let secret = ClientSecret::from_random(self.management.entropy.bytes());
        let registered = RegisteredSecret::new(&secret, self.now());
        match self
            .registry()?
            .add_client_secret(client.id, registered)
            .await?
        {
            SecretAddition::Added => {}
            SecretAddition::Public => return Err(Rejection::public_client().into()),
            SecretAddition::NotFound => return Err(Rejection::not_found().into()),
        }
        self.record_change(ManagedObject::ClientSecret(client.id), Change::Created);
        self.check_still_authenticated().await?;
        let client = self
            .management
            .storage
            .client(client.id)
            .await?
            .ok_or_else(Rejection::not_found)?;
        Ok((client, secret))
    }

    /// Removes all secrets except the newest.
    pub(crate) async fn remove_older_secret(
        &self,
        client: &Changeable<Arc<Client>>,
    ) -> Result<(), ManagementError> {
        match self.registry()?.remove_older_secret(client.id).await? {
            SecretRemoval::Removed => {}
            SecretRemoval::NoOlder => return Err(Rejection::no_older_secret().into()),
            SecretRemoval::NotFound => return Err(Rejection::not_found().into()),
        }
        self.record_change(ManagedObject::ClientSecret(client.id), Change::Deleted);
        Ok(())
    }
}
