//! Who uses what is registered, as operations.

use super::model::Outcome;
use super::names::Names;
use super::operation::Operation;
use crate::store::{GrantUsage, ScopeUsage, Storage, StorageError};

pub(super) async fn call(operation: Operation, store: &dyn Storage, names: Names) -> Result<Outcome, StorageError> {
    Ok(match operation {
        Operation::ApplicationUsage { application, at } => {
            told(store.application_usage(names.application(application), names.moment(at)).await?, names)
        }
        Operation::ScopeUsage { id, at } => told(store.scope_usage(names.scope_id(id), names.moment(at)).await?, names),
        Operation::ClientUsage { client, at } => {
            let usage = store.client_usage(names.client(client), names.moment(at)).await?;
            usage.map_or(Outcome::Unknown, |usage| of(Vec::new(), usage, names))
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn told(usage: Option<ScopeUsage>, names: Names) -> Outcome {
    let Some(ScopeUsage { clients, grants, .. }) = usage else { return Outcome::Unknown };
    of(clients.items.iter().map(|client| names.number(&client.id, Names::client)).collect(), grants, names)
}

fn of(clients: Vec<u8>, grants: GrantUsage, names: Names) -> Outcome {
    Outcome::InUse { clients, live: grants.live, last: grants.last_granted_at.map(|at| names.seconds(at)) }
}
