//! A client's secrets: two at most, so that the newer one can be brought out while the older one still works.

use std::sync::Arc;

use http::StatusCode;

use super::permission::Changeable;
use super::{Denial, Desk, NotDone};
use crate::domain::{Client, ClientSecret, RegisteredSecret};
use crate::http::audit::{Change, Object, Rule};
use crate::store::{SecretAddition, SecretRemoval};

impl Desk<'_> {
    /// The client with a new secret, which nobody is shown again. A third one pushes out the oldest.
    pub(crate) async fn add_secret(&self, client: &Changeable<Arc<Client>>) -> Result<(Arc<Client>, ClientSecret), NotDone> {
        self.check_access().await?;
        let secret = ClientSecret::from_random(self.office.entropy.bytes());
        let registered = RegisteredSecret { digest: secret.digest(), created_at: self.now() };
        match self.office.storage.add_client_secret(client.id, registered).await? {
            SecretAddition::Added => {}
            SecretAddition::Public => return Err(public().into()),
            SecretAddition::Unknown => return Err(Denial::unknown().into()),
        }
        self.managed(Object::ClientSecret(client.id), Change::Created);
        self.check_access().await?;
        let client = self.office.storage.client(client.id).await?.ok_or_else(Denial::unknown)?;
        Ok((client, secret))
    }

    /// Leaves the newest secret alone.
    pub(crate) async fn remove_older_secret(&self, client: &Changeable<Arc<Client>>) -> Result<(), NotDone> {
        match self.office.storage.remove_older_secret(client.id).await? {
            SecretRemoval::Removed => {}
            SecretRemoval::NoOlder => return Err(no_older().into()),
            SecretRemoval::Unknown => return Err(Denial::unknown().into()),
        }
        self.managed(Object::ClientSecret(client.id), Change::Deleted);
        Ok(())
    }
}

fn public() -> Denial {
    Denial::new(Rule::PublicClient, StatusCode::CONFLICT, "A client whose policy is none has no secrets.")
}

fn no_older() -> Denial {
    Denial::new(Rule::NotFound, StatusCode::NOT_FOUND, "The client has no older secret.")
}
