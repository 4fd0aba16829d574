//! Operations that read the usage of scopes, applications and clients.

use super::model::{Grant, Model, OperationOutcome};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::store::{GrantUsage, ScopeUsage, StorageError};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* usage {
        /// Reads the usage of an application's scopes.
        [Read] ApplicationUsage { application: u8, $at: i64 },
        /// Reads the usage of a scope.
        [Read] ScopeUsage { id: u8, $at: i64 },
        /// Reads the usage of a client's grants.
        [Read] ClientUsage { client: u8, $at: i64 },
    } } $($rest)* } };
}
pub(super) use operations;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
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
            let id = ids.client(client);
            let mut usage = store.usage_of_clients(&[id], ids.timestamp(at)).await?;
            grant_usage_outcome(Vec::new(), usage.remove(&id).unwrap_or_default(), ids)
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, at: i64) -> Vec<Operation> {
    match operation {
        Operation::ApplicationUsage { application, .. } => {
            vec![Operation::ApplicationUsage { application, at }]
        }
        Operation::ScopeUsage { id, .. } => vec![Operation::ScopeUsage { id, at }],
        Operation::ClientUsage { client, .. } => vec![Operation::ClientUsage { client, at }],
        other => unreachable!("{other:?} is not of this kind"),
    }
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

impl Model {
    /// Reads usage. All scopes belong to application 1 and all grants to client 1; of these scopes,
    /// grants have at most the first.
    pub(super) fn usage(&self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::ApplicationUsage { application, at }
                if self.applications.contains_key(&application) =>
            {
                let is_meant = |_: u8| application == 1;
                self.usage_of(is_meant, |grant| application == 1 && grant.has_scope, at)
            }
            Operation::ScopeUsage { id, at } => {
                let Some(scope) = self.scope_of(id) else {
                    return OperationOutcome::Unknown;
                };
                self.usage_of(
                    |listed| listed == scope,
                    |grant| scope == 1 && grant.has_scope,
                    at,
                )
            }
            Operation::ClientUsage { client, at } => self.usage_of(|_| false, |_| client == 1, at),
            _ => OperationOutcome::Unknown,
        }
    }

    fn usage_of(
        &self,
        is_listed: impl Fn(u8) -> bool,
        is_meant: impl Fn(&Grant) -> bool,
        at: i64,
    ) -> OperationOutcome {
        let clients = self
            .clients
            .iter()
            .filter(|(_, client)| client.scopes.iter().any(|scope| is_listed(*scope)));
        let clients = clients.map(|(number, _)| *number).collect();
        let live: Vec<_> = self
            .grants
            .values()
            .filter(|grant| is_meant(grant) && grant.is_live(at))
            .collect();
        let last = live
            .iter()
            .filter_map(|grant| grant.redeemed)
            .map(|redeemed| redeemed.at)
            .max();
        OperationOutcome::GrantUsage {
            clients,
            live: live.len() as u64,
            last,
        }
    }
}
