//! Operations that read the usage of scopes, applications and clients.

use super::model::OperationOutcome;
use super::operation::Operation;
use super::run_ids::RunIds;
use crate::store::{GrantUsage, ScopeUsage, Storage, StorageError};

pub(super) async fn call(
    operation: Operation,
    store: &dyn Storage,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    Ok(match operation {
        Operation::ApplicationUsage { application, at } => scope_usage_outcome(
            store
                .application_usage(ids.application(application), ids.timestamp(at))
                .await?,
            ids,
        ),
        Operation::ScopeUsage { id, at } => scope_usage_outcome(
            store
                .scope_usage(ids.scope_id(id), ids.timestamp(at))
                .await?,
            ids,
        ),
        Operation::ClientUsage { client, at } => {
            let usage = store
                .client_usage(ids.client(client), ids.timestamp(at))
                .await?;
            usage.map_or(OperationOutcome::Unknown, |usage| {
                grant_usage_outcome(Vec::new(), usage, ids)
            })
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn scope_usage_outcome(usage: Option<ScopeUsage>, ids: RunIds) -> OperationOutcome {
    let Some(ScopeUsage {
        clients, grants, ..
    }) = usage
    else {
        return OperationOutcome::Unknown;
    };
    grant_usage_outcome(
        clients
            .items
            .iter()
            .map(|client| ids.index_of(&client.id, RunIds::client))
            .collect(),
        grants,
        ids,
    )
}

fn grant_usage_outcome(clients: Vec<u8>, grants: GrantUsage, ids: RunIds) -> OperationOutcome {
    OperationOutcome::GrantUsage {
        clients,
        live: grants.live,
        last: grants.last_granted_at.map(|at| ids.offset(at)),
    }
}
