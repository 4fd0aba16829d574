//! Operations on applications, scopes and clients.

use super::model::{self, OperationOutcome};
use super::operation::{Operation, creation_outcome};
use super::run_ids::RunIds;
use crate::domain::{
    Application, Client, ClientPolicy, ClientSecretDigest, PageRequest, RegisteredSecret,
    ScopeDefinition, ScopeDescription, ShortText, SubjectId, Verification,
};
use crate::store::{
    ClientCreation, ClientDeletion, ClientUpdate, LimitedCreation, RegistryChange, ScopeApproval,
    ScopeCreation, ScopePatch, SecretAddition, SecretRemoval, Storage, StorageError,
};

/// Owner of newly registered clients.
pub(super) const CLIENT_OWNER: u8 = 1;

type Answer = Result<OperationOutcome, StorageError>;

/// Refusal at the limit of an owner or application.
pub(super) const LIMIT_REACHED: &str = "the limit is reached";

pub(super) async fn call(operation: Operation, store: &dyn Storage, ids: RunIds) -> Answer {
    Ok(match operation {
        Operation::CreateApplication { application } => creation_outcome(
            store
                .create_application(application_of(ids, application))
                .await?,
        ),
        Operation::RegisterApplication {
            application,
            at_most,
        } => {
            let owned = Application {
                owner: ids.subject(1),
                ..application_of(ids, application)
            };
            match store.register_application(owned, at_most).await? {
                LimitedCreation::Created => OperationOutcome::Created,
                LimitedCreation::LimitReached => OperationOutcome::Refused(LIMIT_REACHED),
                LimitedCreation::AlreadyExists => OperationOutcome::AlreadyExists,
            }
        }
        Operation::Application { application } => {
            let found = store.application(ids.application(application)).await?;
            OperationOutcome::RefersTo(
                found.map(|found| ids.index_of(&found.name, |_, number| name(number))),
            )
        }
        Operation::RenameApplication {
            application,
            name: new,
        } => registry_outcome(
            store
                .rename_application(ids.application(application), name(new))
                .await?,
        ),
        Operation::DeleteApplication { application } => registry_outcome(
            store
                .delete_application(ids.application(application))
                .await?,
        ),
        Operation::CreateScope { id, scope } => {
            scope_creation(store.create_scope(definition(ids, id, scope)).await?)
        }
        Operation::RegisterScope { id, scope, at_most } => scope_creation(
            store
                .register_scope(definition(ids, id, scope), at_most)
                .await?,
        ),
        Operation::Scope { scope } => {
            let found = store
                .scope_definitions(&[ids.scope(scope)].into_iter().collect())
                .await?;
            OperationOutcome::RefersTo(
                found
                    .first()
                    .map(|definition| ids.index_of(&definition.id, RunIds::scope_id)),
            )
        }
        Operation::Definition { id } => {
            OperationOutcome::Definition(store.scope(ids.scope_id(id)).await?.map(|found| {
                let told = ids.index_of(&found.description, |_, number| description(number));
                (
                    told,
                    found.approval_required,
                    ids.index_of(&found.application_name, |_, number| name(number)),
                )
            }))
        }
        Operation::DescribeScope {
            id,
            description: new,
        } => {
            let change = ScopePatch {
                description: Some(description(new)),
                ..ScopePatch::default()
            };
            registry_outcome(store.update_scope(ids.scope_id(id), change).await?)
        }
        Operation::RequireScopeApproval {
            id,
            approval_required,
        } => {
            let change = ScopePatch {
                approval_required: Some(approval_required),
                ..ScopePatch::default()
            };
            registry_outcome(store.update_scope(ids.scope_id(id), change).await?)
        }
        Operation::DeleteScope { id } => {
            registry_outcome(store.delete_scope(ids.scope_id(id)).await?)
        }
        Operation::ApproveScope { id, client } => {
            match store
                .approve_scope(ids.scope_id(id), ids.client(client), ids.timestamp(0))
                .await?
            {
                ScopeApproval::Approved => OperationOutcome::Done,
                ScopeApproval::UnknownScope => OperationOutcome::Unknown,
                ScopeApproval::UnknownClient => OperationOutcome::Bool(false),
            }
        }
        Operation::ScopeApprovals { id } => scope_approvals(store, ids, id).await?,
        Operation::WithdrawScope { id, client } => OperationOutcome::Bool(
            store
                .revoke_scope_approval(ids.scope_id(id), ids.client(client))
                .await?,
        ),
        Operation::CreateClient { client, scopes } => client_creation(
            ids,
            store.create_client(client_of(ids, client, scopes)).await?,
        ),
        Operation::RegisterClient {
            client,
            scopes,
            at_most,
        } => {
            let owned = Client {
                owner: ids.subject(1),
                ..client_of(ids, client, scopes)
            };
            client_creation(ids, store.register_client(owned, at_most).await?)
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
                model::Client {
                    scopes,
                    secrets,
                    owner,
                    suspended_at: client.suspended_at.map(|at| ids.offset(at)),
                }
            }))
        }
        other => unreachable!("{other:?} is not of this kind"),
    })
}

fn scope_creation(creation: ScopeCreation) -> OperationOutcome {
    match creation {
        ScopeCreation::Created => OperationOutcome::Created,
        ScopeCreation::NameTaken => OperationOutcome::AlreadyExists,
        ScopeCreation::UnknownApplication => OperationOutcome::Unknown,
        ScopeCreation::LimitReached => OperationOutcome::Refused(LIMIT_REACHED),
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

async fn scope_approvals(store: &dyn Storage, ids: RunIds, id: u8) -> Answer {
    let found = store
        .clients_of_scope(ids.scope_id(id), PageRequest::new(0, 9).expect("a page"))
        .await?;
    if found.total != found.items.len() as u64 {
        return Ok(OperationOutcome::Refused(
            "the total is not that of the clients",
        ));
    }
    let approved = found.items.iter().filter(|found| found.approved);
    Ok(OperationOutcome::Clients(
        approved
            .map(|found| ids.index_of(&found.client, RunIds::client))
            .collect(),
    ))
}

fn registry_outcome(change: RegistryChange) -> OperationOutcome {
    match change {
        RegistryChange::Done => OperationOutcome::Done,
        RegistryChange::BuiltIn => OperationOutcome::Refused("of the service"),
        RegistryChange::NotFound => OperationOutcome::Unknown,
    }
}

fn application_of(ids: RunIds, number: u8) -> Application {
    Application {
        id: ids.application(number),
        name: name(1),
        owner: person("owner"),
        created_at: ids.timestamp(0),
    }
}

fn name(number: u8) -> ShortText {
    format!("동아리 알리미 {number}").parse().expect("a line")
}

fn definition(ids: RunIds, id: u8, scope: u8) -> ScopeDefinition {
    ScopeDefinition {
        id: ids.scope_id(id),
        scope: ids.scope(scope),
        description: description(1),
        application_name: name(1),
        approval_required: false,
    }
}

fn description(number: u8) -> ScopeDescription {
    format!("Lets something happen {number} times")
        .parse()
        .expect("a description")
}

fn client_of(ids: RunIds, number: u8, scopes: [u8; 2]) -> Client {
    Client {
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
        verification: Verification::Assumed,
        created_at: ids.timestamp(0),
        suspended_at: None,
    }
}

fn secret_of(ids: RunIds, number: u8) -> RegisteredSecret {
    RegisteredSecret {
        digest: ClientSecretDigest::from_bytes([number; 32]),
        created_at: ids.timestamp(0),
    }
}

fn person(id: &str) -> SubjectId {
    id.parse().expect("an id")
}
