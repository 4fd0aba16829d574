//! Operations on clients.

use super::applications::LIMIT_REACHED;
use super::model::{Model, OperationOutcome};
use super::operation::Operation;
use super::run_ids::RunIds;
use super::store_handle::StoreHandle;
use crate::domain::{
    self, ClientPolicy, ClientSecretDigest, RegisteredSecret, ShortText, Verification,
};
use crate::store::{
    ClientCreation, ClientDeletion, ClientUpdate, SecretAddition, SecretRemoval, StorageError,
};

/// Declares the operations of this kind.
macro_rules! operations {
    ($next:ident! $at:ident {$($others:tt)*} $($rest:ident)*) => { $next! { $at { $($others)* clients {
        /// Registers a client with two scopes and one secret, which has the client's number.
        CreateClient { client: u8, scopes: [u8; 2] },
        /// Registers such a client of subject 1, unless they have `at_most`. All clients of such a
        /// scenario are theirs.
        RegisterClient { client: u8, scopes: [u8; 2], at_most: u32 },
        /// Reads a client.
        [Read] Client { client: u8 },
        /// Updates the scopes of a client from the expected two to two others.
        UpdateClient { client: u8, seen: [u8; 2], scopes: [u8; 2] },
        /// Deletes a client.
        DeleteClient { client: u8, $at: i64 },
        /// Transfers a client to another owner.
        SetClientOwner { client: u8, owner: u8 },
        /// Removes an owner: suspends their clients and reassigns their applications.
        RemoveOwner { owner: u8, $at: i64 },
        /// Adds a client secret.
        AddClientSecret { client: u8, secret: u8 },
        /// Removes all but the newest client secret.
        RemoveOlderSecret { client: u8 },
    } } $($rest)* } };
}
pub(super) use operations;

/// Owner of newly registered clients.
pub(super) const CLIENT_OWNER: u8 = 1;

pub(super) async fn call(
    operation: Operation,
    handle: &StoreHandle,
    ids: RunIds,
) -> Result<OperationOutcome, StorageError> {
    let store = handle.store();
    Ok(match operation {
        Operation::CreateClient { client, scopes } => client_creation(
            ids,
            store.create_client(client_of(ids, client, scopes)).await?,
        ),
        Operation::RegisterClient {
            client,
            scopes,
            at_most,
        } => {
            let owned = domain::Client {
                owner: ids.subject(1),
                ..client_of(ids, client, scopes)
            };
            client_creation(ids, store.register_client(owned, at_most).await?)
        }
        Operation::Client { client } => {
            OperationOutcome::Client(store.client(ids.client(client)).await?.map(|client| {
                let scopes = client
                    .allowed_scopes
                    .iter()
                    .map(|scope| ids.index_of(scope, RunIds::scope))
                    .collect();
                let secrets = client
                    .secrets
                    .iter()
                    .map(|secret| secret.digest.as_bytes()[0])
                    .collect();
                let owner = ids.index_of(&client.owner, RunIds::subject);
                Client {
                    scopes,
                    secrets,
                    owner,
                    suspended_at: client.suspended_at.map(|at| ids.offset(at)),
                }
            }))
        }
        Operation::UpdateClient {
            client,
            seen,
            scopes,
        } => {
            let (seen, new) = (
                client_of(ids, client, seen).settings(),
                client_of(ids, client, scopes).settings(),
            );
            match store.update_client(ids.client(client), &seen, new).await? {
                ClientUpdate::Updated => OperationOutcome::Done,
                ClientUpdate::NotFound => OperationOutcome::Unknown,
                ClientUpdate::Conflict => OperationOutcome::Conflict,
                ClientUpdate::Invalid(_) => {
                    OperationOutcome::Refused("the client metadata is invalid")
                }
                ClientUpdate::NeedsApproval(scope) => {
                    OperationOutcome::NeedsApproval(ids.index_of(&scope, RunIds::scope))
                }
                ClientUpdate::UnknownScope(scope) => {
                    OperationOutcome::UnknownScope(ids.index_of(&scope, RunIds::scope))
                }
            }
        }
        Operation::DeleteClient { client, at } => match store
            .delete_client(ids.client(client), ids.timestamp(at))
            .await?
        {
            ClientDeletion::Deleted => OperationOutcome::Bool(true),
            ClientDeletion::LastFirstParty => {
                OperationOutcome::Refused("the last first-party client")
            }
            ClientDeletion::NotFound => OperationOutcome::Bool(false),
        },
        Operation::SetClientOwner { client, owner } => OperationOutcome::Bool(
            store
                .set_client_owner(ids.client(client), ids.subject(owner))
                .await?,
        ),
        Operation::RemoveOwner { owner, at } => {
            let removal = store
                .remove_owner(&ids.subject(owner), ids.timestamp(at))
                .await?;
            OperationOutcome::Clients(
                removal
                    .suspended_clients
                    .iter()
                    .map(|client| ids.index_of(client, RunIds::client))
                    .collect(),
            )
        }
        Operation::AddClientSecret { client, secret } => match store
            .add_client_secret(ids.client(client), secret_of(ids, secret))
            .await?
        {
            SecretAddition::Added => OperationOutcome::Done,
            SecretAddition::Public => OperationOutcome::Refused("public"),
            SecretAddition::NotFound => OperationOutcome::Unknown,
        },
        Operation::RemoveOlderSecret { client } => {
            match store.remove_older_secret(ids.client(client)).await? {
                SecretRemoval::Removed => OperationOutcome::Done,
                SecretRemoval::NoOlder => OperationOutcome::Bool(false),
                SecretRemoval::NotFound => OperationOutcome::Unknown,
            }
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

/// Returns the operations that show the state of the records that an operation touches.
pub(super) fn checks(operation: Operation, _: i64) -> Vec<Operation> {
    match operation {
        Operation::CreateClient { client, scopes } => {
            vec![
                Operation::Client { client },
                Operation::CreateClient { client, scopes },
            ]
        }
        Operation::RegisterClient {
            client,
            scopes,
            at_most,
        } => {
            vec![
                Operation::Client { client },
                Operation::RegisterClient {
                    client: 9,
                    scopes,
                    at_most,
                },
            ]
        }
        Operation::Client { client }
        | Operation::UpdateClient { client, .. }
        | Operation::DeleteClient { client, .. }
        | Operation::AddClientSecret { client, .. }
        | Operation::SetClientOwner { client, .. }
        | Operation::RemoveOlderSecret { client } => vec![Operation::Client { client }],
        Operation::RemoveOwner { .. } => vec![
            Operation::Client { client: 1 },
            Operation::Client { client: 2 },
        ],
        other => unreachable!("{other:?} is not of this kind"),
    }
}

fn client_creation(ids: RunIds, creation: ClientCreation) -> OperationOutcome {
    match creation {
        ClientCreation::Created => OperationOutcome::Created,
        ClientCreation::Invalid(_) => OperationOutcome::Refused("the client metadata is invalid"),
        ClientCreation::NeedsApproval(scope) => {
            OperationOutcome::NeedsApproval(ids.index_of(&scope, RunIds::scope))
        }
        ClientCreation::AlreadyExists => OperationOutcome::AlreadyExists,
        ClientCreation::LimitReached => OperationOutcome::Refused(LIMIT_REACHED),
        ClientCreation::UnknownScope(scope) => {
            OperationOutcome::UnknownScope(ids.index_of(&scope, RunIds::scope))
        }
    }
}

fn client_of(ids: RunIds, number: u8, scopes: [u8; 2]) -> domain::Client {
    domain::Client {
        id: ids.client(number),
        name: ShortText::from_static("밥묵자"),
        owner: ids.subject(CLIENT_OWNER),
        policy: ClientPolicy::SecretOrPkce,
        secrets: vec![secret_of(ids, number)],
        redirect_uris: vec![
            "https://app.example/callback"
                .parse()
                .expect("a redirect URI"),
        ],
        allowed_scopes: scopes.into_iter().map(|scope| ids.scope(scope)).collect(),
        plain_pkce_allowed: false,
        pkce_required: false,
        first_party: false,
        client_credentials_allowed: false,
        iss_omitted: false,
        policy_uri: None,
        verification: Verification::Assumed,
        created_at: ids.timestamp(0),
        suspended_at: None,
    }
}

fn secret_of(ids: RunIds, number: u8) -> RegisteredSecret {
    RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: ids.timestamp(0),
        last_four: None,
        last_used_at: None,
    }
}

/// Settings of a client: allowed scopes, secrets (the newest last), owner, and time of suspension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub(in crate::testing::interleavings) scopes: Vec<u8>,
    pub(in crate::testing::interleavings) secrets: Vec<u8>,
    pub(in crate::testing::interleavings) owner: u8,
    pub(in crate::testing::interleavings) suspended_at: Option<i64>,
}

impl Model {
    pub(super) fn clients(&mut self, operation: Operation) -> OperationOutcome {
        match operation {
            Operation::CreateClient { client, scopes } => {
                if self.clients.contains_key(&client) {
                    return OperationOutcome::AlreadyExists;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &[]) {
                    return forbidden;
                }
                self.clients.insert(
                    client,
                    Client {
                        scopes: deduplicated(scopes),
                        secrets: vec![client],
                        owner: CLIENT_OWNER,
                        suspended_at: None,
                    },
                );
                OperationOutcome::Created
            }
            Operation::RegisterClient { at_most, .. } if self.clients.len() >= at_most as usize => {
                OperationOutcome::Refused(LIMIT_REACHED)
            }
            Operation::RegisterClient { client, scopes, .. } => {
                Operation::CreateClient { client, scopes }.apply(self)
            }
            Operation::Client { client } => {
                OperationOutcome::Client(self.clients.get(&client).cloned())
            }
            Operation::UpdateClient {
                client,
                seen,
                scopes,
            } => {
                let Some(before) = self.clients.get(&client).cloned() else {
                    return OperationOutcome::Unknown;
                };
                if before.scopes != deduplicated(seen) {
                    return OperationOutcome::Conflict;
                }
                if let Some(forbidden) = self.forbidden(client, scopes, &before.scopes) {
                    return forbidden;
                }
                self.clients.insert(
                    client,
                    Client {
                        scopes: deduplicated(scopes),
                        ..before
                    },
                );
                OperationOutcome::Done
            }
            Operation::DeleteClient { client, at } => {
                if self.clients.remove(&client).is_none() {
                    return OperationOutcome::Bool(false);
                }
                self.approvals.retain(|(_, approved)| *approved != client);
                if client == 1 {
                    self.sessions.clear();
                    self.consents.clear();
                    self.grants.values_mut().for_each(|grant| grant.revoke(at));
                }
                OperationOutcome::Bool(true)
            }
            Operation::SetClientOwner { client, owner } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Bool(false);
                };
                if client.suspended_at.is_some() {
                    client.secrets.clear();
                }
                (client.owner, client.suspended_at) = (owner, None);
                OperationOutcome::Bool(true)
            }
            Operation::RemoveOwner { owner, at } => {
                OperationOutcome::Clients(self.remove_owner(owner, at))
            }
            Operation::AddClientSecret { client, secret } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Unknown;
                };
                client.secrets.push(secret);
                client.secrets = client
                    .secrets
                    .split_off(client.secrets.len().saturating_sub(2));
                OperationOutcome::Done
            }
            Operation::RemoveOlderSecret { client } => {
                let Some(client) = self.clients.get_mut(&client) else {
                    return OperationOutcome::Unknown;
                };
                if client.secrets.len() < 2 {
                    return OperationOutcome::Bool(false);
                }
                client.secrets.remove(0);
                OperationOutcome::Done
            }
            other => unreachable!("{other:?} is not of this kind"),
        }
    }

    /// Suspends the clients of a removed owner and returns them.
    pub(super) fn remove_owner(&mut self, owner: u8, at: i64) -> Vec<u8> {
        let in_use = self
            .clients
            .iter_mut()
            .filter(|(_, client)| client.owner == owner && client.suspended_at.is_none());
        in_use
            .map(|(number, client)| (client.suspended_at = Some(at), *number).1)
            .collect()
    }

    /// Returns the scope that a client may not list. It may keep those it has listed before.
    fn forbidden(&self, client: u8, scopes: [u8; 2], before: &[u8]) -> Option<OperationOutcome> {
        scopes.into_iter().find_map(|scope| {
            let Some(definition) = self.scopes.get(&scope) else {
                return Some(OperationOutcome::UnknownScope(scope));
            };
            let is_free = !definition.approval_required
                || self.approvals.contains(&(scope, client))
                || before.contains(&scope);
            (!is_free).then_some(OperationOutcome::NeedsApproval(scope))
        })
    }
}

fn deduplicated(scopes: [u8; 2]) -> Vec<u8> {
    let mut scopes = scopes.to_vec();
    scopes.dedup();
    scopes
}
