//! What is done to applications, scopes and clients that are there.

use super::model::Outcome;
use super::names::Names;
use super::operation::{Operation, client_of};
use crate::domain::{ClientSecretDigest, RegisteredSecret};
use crate::store::{ClientUpdate, RegistryChange, SecretAddition, SecretRemoval, Storage, StorageError};

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::DeleteApplication { application } => changed(store.delete_application(names.application(application)).await?),
        Operation::DeleteScope { id } => changed(store.delete_scope(names.scope_id(id)).await?),
        Operation::WithdrawScope { id, client } => Outcome::Is(store.withdraw_scope(names.scope_id(id), names.client(client)).await?),
        Operation::UpdateClient { client, seen, scopes } => {
            let (seen, new) = (client_of(names, client, seen).settings(), client_of(names, client, scopes).settings());
            match store.update_client(names.client(client), &seen, new).await? {
                ClientUpdate::Updated => Outcome::Done,
                ClientUpdate::Unknown => Outcome::Unknown,
                ClientUpdate::Changed => Outcome::Changed,
                ClientUpdate::Refused(_) | ClientUpdate::NeedsApproval(_) => Outcome::Refused("breaks a rule"),
                ClientUpdate::UnknownScope(scope) => Outcome::Missing(names.number(&scope, Names::scope)),
            }
        }
        Operation::DeleteClient { client, at } => Outcome::Is(store.delete_client(names.client(client), names.moment(at)).await?),
        Operation::AddSecret { client, secret } => {
            let secret = RegisteredSecret { digest: ClientSecretDigest::from_bytes([secret; 32]), created_at: names.moment(0) };
            match store.add_client_secret(names.client(client), secret).await? {
                SecretAddition::Added => Outcome::Done,
                SecretAddition::Public => Outcome::Refused("public"),
                SecretAddition::Unknown => Outcome::Unknown,
            }
        }
        Operation::RemoveOlderSecret { client } => match store.remove_older_secret(names.client(client)).await? {
            SecretRemoval::Removed => Outcome::Done,
            SecretRemoval::NoOlder => Outcome::Is(false),
            SecretRemoval::Unknown => Outcome::Unknown,
        },
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn changed(change: RegistryChange) -> Outcome {
    match change {
        RegistryChange::Done => Outcome::Done,
        RegistryChange::OfTheService => Outcome::Refused("of the service"),
        RegistryChange::Unknown => Outcome::Unknown,
    }
}
